//! Tests that flattened modules compute the results of the structured loops, for any grid.

mod evaluate;
mod generate;
mod page;
mod reductions;
mod refusals;

use evaluate::{Counts, Evaluator, Memory, Stuck, Value};
use generate::{Case, READ, generate};
use rayon::prelude::*;
use tile_core::flatten::{
    AtomicTarget, Elements, EntryPlan, FlattenOptions, Flattened, Outermost, Reduction, flatten,
};
use tile_core::interp::{Arg, Check, Program, RunOptions};
use tile_core::testing::Random;
use tile_core::types::Scalar;
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, text};

fn parsed(source: &str) -> Verified {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics)
        .and_then(|module| verify(module, &mut diagnostics));
    let errors = diagnostics.take();
    module.unwrap_or_else(|_| panic!("{errors:#?}\n{source}"))
}

fn flat(module: &Verified, options: FlattenOptions) -> Flattened {
    let mut diagnostics = Diagnostics::new();
    let result = flatten(module.clone(), &options, &mut diagnostics);
    let errors = diagnostics.take();
    result.unwrap_or_else(|_| panic!("{errors:#?}\n{}", text::print(module)))
}

/// Returns the initial contents of the buffers.
fn memory(case: &Case) -> Memory {
    let mut random = Random::new(7);
    let mut memory: Memory = case.buffers.iter().map(|&size| vec![-1; size]).collect();
    for number in &mut memory[0] {
        *number = random.bits().cast_signed() >> 32;
    }
    assert_eq!(memory[0].len(), READ);
    memory
}

/// Returns the 32-bit number that a buffer of the host holds.
fn low(number: i64) -> i32 {
    i32::try_from(number << 32 >> 32).expect("32 bits are left")
}

/// Evaluates a module directly; `order` is the seed of the order of parallel iterations.
fn evaluated(module: &Verified, case: &Case, order: u64) -> Result<(Memory, Counts), Stuck> {
    let mut evaluator = Evaluator::new(module, memory(case), order);
    let places = (0..case.buffers.len()).map(|buffer| Value::Places(vec![(buffer, 0)]));
    let numbers = case.numbers.iter();
    let numbers = numbers.map(|&number| Value::Ints(vec![i128::from(number)]));
    let args: Vec<Value> = places.chain(numbers).collect();
    evaluator.run("k", &args)?;
    Ok((evaluator.memory, evaluator.counts))
}

/// The state of the launches of one program.
struct Launch<'a> {
    program: &'a Program,
    case: &'a Case,
    plan: &'a EntryPlan,
    /// The arrival counter of the plan, which must initially be zero and persists between launches.
    arrivals: i64,
}

impl Launch<'_> {
    fn run(&mut self, grid: [u32; 3], threads: Option<usize>) -> Memory {
        let mut buffers: Vec<Vec<i32>> = memory(self.case)
            .iter()
            .map(|buffer| buffer.iter().map(|&number| low(number)).collect())
            .collect();
        for target in &self.plan.atomics {
            assert_eq!(target.element, Scalar::I32);
            let parameter = target.parameter.expect("results have buffers of their own");
            buffers[parameter].fill(low(target.bits.cast_signed()));
        }
        let mut args: Vec<Arg> = buffers
            .iter_mut()
            .map(|buffer| Arg::Pointer {
                ptr: buffer.as_mut_ptr().cast(),
                bytes: size_of_val(buffer.as_slice()),
            })
            .collect();
        args.extend(self.case.numbers.iter().map(|&number| Arg::Scalar {
            bits: number.cast_unsigned(),
        }));
        let mut partials: Vec<Vec<u8>> = Vec::new();
        for buffer in &self.plan.buffers {
            if buffer.zeroed {
                assert_eq!(buffer.elements, Elements::Fixed(1));
                args.push(Arg::Pointer {
                    ptr: (&raw mut self.arrivals).cast(),
                    bytes: size_of_val(&self.arrivals),
                });
                continue;
            }
            let bytes = usize::try_from(buffer.bytes(grid)).expect("small");
            // Allocate 16 extra bytes, to allow for alignment.
            let mut bytes_of = vec![0xAB_u8; bytes + 16];
            let start = bytes_of.as_ptr().align_offset(16);
            args.push(Arg::Pointer {
                ptr: bytes_of[start..].as_mut_ptr(),
                bytes,
            });
            partials.push(bytes_of);
        }
        // One thread runs blocks sequentially, as checks require.
        let check = match threads {
            Some(1) => Check::On,
            _ => Check::Off,
        };
        let options = RunOptions {
            threads,
            check,
            ..RunOptions::default()
        };
        // SAFETY: the buffers live until the end of the call, and nothing else uses them.
        let result = unsafe { self.program.run_with("k", grid, &args, options) };
        result.unwrap_or_else(|error| panic!("{error} on {grid:?}\n{}", self.case.text));
        assert_eq!(self.arrivals, 0, "the counter is ready for the next launch");
        drop(partials);
        let numbers = buffers.into_iter();
        numbers
            .map(|buffer| buffer.into_iter().map(i64::from).collect())
            .collect()
    }
}

/// Returns the grids to run a module on: one block, the grid that fits the loop, and grids that do
/// not fit.
fn grids(plan: &EntryPlan, case: &Case, random: &mut Random<'_>) -> Vec<[u32; 3]> {
    let Some(grid) = &plan.grid else {
        return vec![[1; 3]];
    };
    let exact =
        grid.preferred(|parameter| case.numbers[parameter - case.buffers.len()].cast_unsigned());
    let mut grids = vec![[1; 3]];

    grids.extend(exact.filter(|grid| grid.iter().product::<u32>() <= 256));
    let mut extent = |most| u32::try_from(1 + random.below(most)).expect("small");
    grids.push([extent(3), extent(3), extent(2)]);
    grids.push([extent(9), 1, extent(3)]);
    grids.push([extent(20), extent(2), 1]);
    grids
}

/// Totals over several modules.
#[derive(Default, Debug)]
struct Total {
    modules: usize,
    launches: usize,
    outermost: usize,
    two_phase: usize,
    atomic: usize,
    near_limits: usize,
    odd_reductions: usize,
    points: usize,
    trips: usize,
    combined: usize,
    stores: usize,
    empty: usize,
    undefined: usize,
    many_dims: usize,
    exact: usize,
}

impl Total {
    fn and(self, other: &Self) -> Self {
        Self {
            modules: self.modules + other.modules,
            launches: self.launches + other.launches,
            outermost: self.outermost + other.outermost,
            two_phase: self.two_phase + other.two_phase,
            atomic: self.atomic + other.atomic,
            near_limits: self.near_limits + other.near_limits,
            odd_reductions: self.odd_reductions + other.odd_reductions,
            points: self.points + other.points,
            trips: self.trips + other.trips,
            combined: self.combined + other.combined,
            stores: self.stores + other.stores,
            empty: self.empty + other.empty,
            undefined: self.undefined + other.undefined,
            many_dims: self.many_dims + other.many_dims,
            exact: self.exact + other.exact,
        }
    }
}

fn check(seed: u64, total: &mut Total) {
    let case = generate(seed);
    let module = parsed(&case.text);
    let (expected, counts) = match evaluated(&module, &case, seed) {
        Ok(result) => result,
        Err(Stuck::Undefined) => {
            total.undefined += 1;
            return;
        }
        Err(Stuck::Unknown(op)) => panic!("the evaluator does not know `{op}`"),
    };
    // The module is deterministic, so another order must have the same result.
    if seed.is_multiple_of(8) {
        let (again, _) = evaluated(&module, &case, !seed).expect("it just ran");
        assert!(
            expected == again,
            "seed {seed} depends on the order\n{}",
            case.text
        );
    }
    let mut random = Random::new(seed ^ 0x5555);
    let reductions = [Reduction::TwoPhase, Reduction::Atomic, Reduction::Atomic];
    let reduction = random.pick(&reductions);
    let outermost = if random.one_in(8) {
        Outermost::Sequential
    } else {
        Outermost::Grid
    };
    let mut options = FlattenOptions {
        outermost,
        reduction,
    };
    let mut flattened = flat(&module, options);
    // In a buffer that also holds other data, the elements of the target are unknown.
    let is_alone = |target: &AtomicTarget| target.parameter.is_some_and(|number| number > 1);
    if !flattened.entries[0].atomics.iter().all(is_alone) {
        options.reduction = Reduction::TwoPhase;
        flattened = flat(&module, options);
    }
    let plan = &flattened.entries[0];
    let printed = text::print(&flattened.module);
    assert!(!printed.contains("loop."), "{printed}");
    assert_eq!(
        plan.grid.is_some(),
        case.has_outermost && outermost == Outermost::Grid
    );
    let program = Program::new(&flattened.module);
    let mut launch = Launch {
        program: &program,
        case: &case,
        plan,
        arrivals: 0,
    };
    for grid in grids(plan, &case, &mut random) {
        let threads = if random.one_in(4) { None } else { Some(1) };
        let actual = launch.run(grid, threads);
        assert!(
            actual == expected,
            "seed {seed} on {grid:?}: expected {expected:?}, found {actual:?}\n{}\n{printed}",
            case.text
        );
        total.launches += 1;
    }
    total.modules += 1;
    total.outermost += usize::from(plan.grid.is_some());
    total.two_phase += usize::from(!plan.buffers.is_empty());
    total.atomic += usize::from(!plan.atomics.is_empty());
    total.near_limits += usize::from(case.is_near_limits);
    total.odd_reductions += case.odd_reductions;
    total.points += counts.points;
    total.trips += counts.trips;
    total.combined += counts.combined;
    total.stores += counts.stores;
    total.empty += counts.empty;
    total.many_dims += usize::from(case.dims > 3);
    total.exact += usize::from(
        plan.grid
            .as_ref()
            .is_some_and(|grid| grid.preferred(|_| 1).is_some()),
    );
}

#[test]
fn flattened_modules_do_what_the_loops_mean_on_every_grid() {
    let total = (0..5_100_u64)
        .into_par_iter()
        .map(|seed| {
            let mut total = Total::default();
            check(seed, &mut total);
            total
        })
        .reduce(Total::default, |one, other| one.and(&other));
    // Make sure that the test is not vacuous.
    assert!(
        total.modules >= 5_000 && total.undefined < 100,
        "{total:#?}"
    );
    assert!(total.launches > 3 * total.modules);
    for (what, count, least) in [
        ("outermost loops", total.outermost, 3_000),
        ("of more than three dimensions", total.many_dims, 800),
        ("with a grid that fits", total.exact, 2_500),
        ("combined in two phases", total.two_phase, 1_500),
        ("combined atomically", total.atomic, 200),
        ("near the limits of their type", total.near_limits, 2_500),
        (
            "reductions that are no single operation",
            total.odd_reductions,
            4_000,
        ),
        ("parallel iterations", total.points, 200_000),
        ("sequential iterations", total.trips, 100_000),
        ("combinations", total.combined, 200_000),
        ("stored elements", total.stores, 250_000),
        ("loops without iterations", total.empty, 5_000),
    ] {
        assert!(count >= least, "only {count} {what}: {total:#?}");
    }
}
