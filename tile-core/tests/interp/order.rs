//! Tests checking mode: generated modules are clean and compute the same in every order, and the
//! first access that conflicts without a token is reported.

use crate::parsed;
use std::fmt::Write;
use tile_core::interp::{Arg, Check, FaultKind, Reports, RunOptions, Undefined};
use tile_core::testing::{
    Executor, Outcome, Random, Runnable, RunnableOptions, execute, execute_with, runnable,
};
use tile_core::{Diagnostics, text, verify};

/// Returns the number of modules: N if `TILE_DIFFERENTIAL=N` is set, otherwise `default`.
fn modules(default: u64) -> u64 {
    let number = std::env::var("TILE_DIFFERENTIAL").ok();
    number.and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn options() -> RunnableOptions {
    RunnableOptions {
        executor: Executor::AnyOrder,
        ..RunnableOptions::default()
    }
}

fn in_order(runnable: &Runnable, seed: u64) -> Outcome {
    let options = RunOptions {
        seed: Some(seed),
        ..RunOptions::default()
    };
    execute_with(runnable, options)
}

/// Returns the reports of checking mode.
fn reports(runnable: &Runnable) -> Vec<String> {
    let reports = Reports::new();
    let options = RunOptions {
        check: Check::On,
        undefined: Undefined::Report(&reports),
        ..RunOptions::default()
    };
    let outcome = execute_with(runnable, options);
    let faults = reports.take().into_iter().chain(outcome.fault);
    faults.map(|fault| fault.to_string()).collect()
}

#[test]
fn a_module_whose_accesses_are_ordered_is_clean_and_does_the_same_in_every_order() {
    for seed in 0..modules(60) {
        let run = runnable(seed, &options());
        let plain = execute(&run);
        let faults = reports(&run);
        let source = || text::print(&run.module);
        assert!(faults.is_empty(), "seed {seed}: {faults:?}\n{}", source());
        for order in 0..3 {
            let other = in_order(&run, order);
            assert_eq!(other.fault, None, "seed {seed}, order {order}");
            assert_eq!(other.buffers, plain.buffers, "seed {seed}, order {order}");
        }
    }
}

/// Returns the text of a module without token operand number `number`; `None` if there is no such
/// operand.
fn without_token(source: &str, number: usize) -> Option<String> {
    let find = |pattern| source.match_indices(pattern);
    let mut starts: Vec<(usize, &str)> = find(" token=%").chain(find(" token = %")).collect();
    starts.sort_unstable();
    let &(start, pattern) = starts.get(number % starts.len().max(1))?;
    let name = &source[start + pattern.len()..];
    let len = name.find([' ', ':']).unwrap_or(name.len());
    Some(format!("{}{}", &source[..start], &name[len..]))
}

#[test]
fn a_token_that_a_module_needs_is_missed() {
    let (mut removed, mut missed) = (0, 0);
    let mut random = Random::new(1);
    for seed in 0..modules(100) {
        let run = runnable(seed, &options());
        let source = text::print(&run.module);
        let Some(source) = without_token(&source, random.below(1000)) else {
            continue;
        };
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "k", &mut diagnostics)
            .and_then(|module| verify::verify(module, &mut diagnostics));
        let faults = diagnostics.take();
        let module = module.unwrap_or_else(|_| panic!("{faults:?}"));
        let run = run.with_module(module.into_inner());
        removed += 1;
        let reports = reports(&run);
        if !reports.is_empty() {
            assert!(
                reports[0].contains("no token orders it after"),
                "{reports:?}"
            );
            missed += 1;
        }
    }
    assert!(missed * 50 > removed, "{missed} of {removed} were needed");
    assert!(missed < removed, "every token was needed");
}

/// The operation of a random kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    /// An atomic add, which is not weak.
    Add,
}

#[derive(Clone, Debug)]
struct Access {
    kind: Kind,
    /// The first of the accessed elements, below 8.
    first: usize,
    count: usize,
    /// Earlier accesses that this access is directly ordered after.
    after: Vec<usize>,
}

impl Access {
    fn random(random: &mut Random<'_>, number: usize) -> Self {
        let count = [1, 2, 4][random.below(3)];
        let mut after: Vec<usize> = (0..random.below(3))
            .map(|_| random.below(number.max(1)))
            .collect();
        after.retain(|&other| other < number);
        after.sort_unstable();
        after.dedup();
        Self {
            kind: [Kind::Load, Kind::Store, Kind::Add][random.below(3)],
            first: random.below(9 - count),
            count,
            after,
        }
    }

    fn conflicts(&self, other: &Access) -> bool {
        let overlaps =
            self.first < other.first + other.count && other.first < self.first + self.count;
        let writes = self.kind != Kind::Load || other.kind != Kind::Load;
        let atomic = self.kind == Kind::Add && other.kind == Kind::Add;
        overlaps && writes && !atomic
    }
}

fn kernel(accesses: &[Access]) -> String {
    let mut source = "entry @k(%x: tile<ptr<i32>>) {\n".to_owned();
    for (index, access) in accesses.iter().enumerate() {
        let Access {
            kind,
            first,
            count,
            after,
        } = access;
        let mut line = |text: String| writeln!(source, "  {text}").expect("a string");
        let (pointers, numbers) = (
            format!("tile<{count}xptr<i32>>"),
            format!("tile<{count}xi32>"),
        );
        line(format!("%f{index} = constant <i32: {first}> : tile<i32>"));
        line(format!(
            "%a{index} = offset %x, %f{index} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"
        ));
        line(format!(
            "%b{index} = reshape %a{index} : tile<ptr<i32>> -> tile<1xptr<i32>>"
        ));
        line(format!(
            "%c{index} = broadcast %b{index} : tile<1xptr<i32>> -> {pointers}"
        ));
        line(format!("%i{index} = iota : {numbers}"));
        line(format!(
            "%p{index} = offset %c{index}, %i{index} : {pointers}, {numbers} -> {pointers}"
        ));
        let token = match after[..] {
            [] => String::new(),
            [one] => format!(" token=%t{one}"),
            _ => {
                let tokens: Vec<String> = after.iter().map(|other| format!("%t{other}")).collect();
                line(format!(
                    "%j{index} = join_tokens {} : token",
                    tokens.join(", ")
                ));
                format!(" token=%j{index}")
            }
        };
        line(match kind {
            Kind::Load => format!(
                "%v{index}, %t{index} = load_ptr_tko weak %p{index}{token} : {pointers} -> {numbers}, token"
            ),
            Kind::Store => format!(
                "%t{index} = store_ptr_tko weak %p{index}, %i{index}{token} : {pointers}, {numbers} -> token"
            ),
            Kind::Add => format!(
                "%v{index}, %t{index} = atomic_rmw_tko relaxed device %p{index}, add, %i{index}{token} : {pointers}, {numbers} -> {numbers}, token"
            ),
        });
    }
    source.push_str("  return\n}\n");
    source
}

/// Returns the first access that conflicts with an earlier access without being ordered after it.
fn first_unordered(accesses: &[Access]) -> Option<usize> {
    let mut before: Vec<Vec<bool>> = Vec::new();
    for (index, access) in accesses.iter().enumerate() {
        let mut is_own = vec![false; accesses.len()];
        for &other in &access.after {
            is_own[other] = true;
            for (is_own, &also) in is_own.iter_mut().zip(&before[other]) {
                *is_own |= also;
            }
        }
        if (0..index).any(|other| !is_own[other] && access.conflicts(&accesses[other])) {
            return Some(index);
        }
        before.push(is_own);
    }
    None
}

/// Returns the first access of the second block that conflicts with an access of the first block.
/// Both blocks run the same code, and nothing orders them.
fn first_race(accesses: &[Access]) -> Option<usize> {
    let conflicts = |access: &Access| accesses.iter().any(|other| access.conflicts(other));
    accesses.iter().position(conflicts)
}

#[test]
fn the_first_access_without_an_order_is_found_and_no_other() {
    let (mut clean, mut faulty, mut races) = (0, 0, 0);
    for seed in 0..modules(800) {
        let mut random = Random::new(seed);
        let count = 2 + random.below(8);
        let mut accesses: Vec<Access> = Vec::new();
        for number in 0..count {
            let mut access = Access::random(&mut random, number);
            // Some kernels are ordered except for one token.
            if seed % 2 == 0 {
                let conflicts = |&other: &usize| access.conflicts(&accesses[other]);
                access.after = (0..number).filter(conflicts).collect();
            }
            accesses.push(access);
        }
        if seed % 4 == 0 {
            let access = random.below(count);
            let after = &mut accesses[access].after;
            if !after.is_empty() {
                after.remove(random.below(after.len()));
            }
        }
        let source = kernel(&accesses);
        let program = parsed(&source);
        let first_line = |blocks: u32, message: &str| {
            let mut memory = [0_i32; 8];
            let options = RunOptions {
                check: Check::On,
                ..RunOptions::default()
            };
            let arg = Arg::Pointer {
                ptr: memory.as_mut_ptr().cast(),
                bytes: size_of_val(&memory),
            };
            // SAFETY: the buffer lives until the end of the call.
            let done = unsafe { program.run_with("k", [blocks, 1, 1], &[arg], options) };
            let fault = done.err()?;
            assert_eq!(fault.kind, FaultKind::Undefined);
            assert_eq!(fault.block, [blocks - 1, 0, 0]);
            assert!(fault.message.contains(message), "{fault}");
            source.lines().nth(fault_line(&fault.to_string()))
        };
        let line = |access: usize| {
            let is_access =
                |line: &&str| line.contains("_tko") && line.contains(&format!("%t{access} = "));
            source.lines().find(is_access)
        };
        let expected = first_unordered(&accesses);
        let one_block = first_line(1, "no token orders it after");
        assert_eq!(one_block, expected.and_then(line), "seed {seed}\n{source}");
        if expected.is_none() {
            let race = first_race(&accesses);
            let two_blocks = first_line(2, "race with");
            assert_eq!(two_blocks, race.and_then(line), "seed {seed}\n{source}");
            races += usize::from(race.is_some());
        }
        *(if expected.is_some() {
            &mut faulty
        } else {
            &mut clean
        }) += 1;
    }
    assert!(
        clean > 100 && faulty > 100 && races > 50 && races < clean,
        "{clean} clean, {faulty} faulty, {races} races"
    );
}

/// Returns the line number at the end of a message, counted from 0.
fn fault_line(message: &str) -> usize {
    let mut parts = message.rsplit(':').skip(1);
    let line = parts.next().and_then(|line| line.parse::<usize>().ok());
    line.expect("a message ends with a place") - 1
}

/// Runs one block of `k` with checks, on a buffer of `numbers` numbers.
fn run_checked(source: &str, numbers: usize) -> Result<Vec<i32>, String> {
    let mut memory = vec![0_i32; numbers];
    let options = RunOptions {
        check: Check::On,
        ..RunOptions::default()
    };
    crate::run_on(&parsed(source), 1, &mut memory, options)?;
    Ok(memory)
}

#[test]
fn a_thousand_iterations_on_four_thousand_elements_are_checked_in_time() {
    // The load of each iteration is ordered after the store of the previous one; another load, of
    // memory that is never written, is not ordered at all.
    let source = "entry @k(%x: tile<ptr<i32>>) {
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 1000> : tile<i32>
  %ones = constant <i32: 1> : tile<4096xi32>
  %i = iota : tile<4096xi32>
  %a = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %b = broadcast %a : tile<1xptr<i32>> -> tile<4096xptr<i32>>
  %p = offset %b, %i : tile<4096xptr<i32>>, tile<4096xi32> -> tile<4096xptr<i32>>
  %tv = make_tensor_view %x, shape = [8192], strides = [1] : tensor_view<8192xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(4096), tensor_view<8192xi32, strides=[1]>>
  %start = make_token : token
  %end = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%t = %start) -> (token) {
    %v, %u = load_ptr_tko weak %p token=%t : tile<4096xptr<i32>> -> tile<4096xi32>, token
    %free, %never = load_view_tko weak %pv[%1] : partition_view<tile=(4096), tensor_view<8192xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
    %c = addi %v, %ones : tile<4096xi32>
    %d = addi %c, %free : tile<4096xi32>
    %s = store_ptr_tko weak %p, %d token=%u : tile<4096xptr<i32>>, tile<4096xi32> -> token
    continue %s : token
  }
  return
}";
    let iterations = if cfg!(debug_assertions) { 100 } else { 1000 };
    let source = source.replace("i32: 1000>", &format!("i32: {iterations}>"));
    let memory = run_checked(&source, 8192).expect("every access is ordered");
    assert!(memory[..4096].iter().all(|&number| number == iterations));
    assert!(memory[4096..].iter().all(|&number| number == 0));
}

#[test]
fn a_thousand_iterations_whose_loads_nothing_orders_end_in_a_store_after_all_of_them() {
    let body = |carried: &str| {
        format!(
            "entry @k(%x: tile<ptr<i32>>) {{
  %0 = constant <i32: 0> : tile<i32>
  %1 = constant <i32: 1> : tile<i32>
  %n = constant <i32: 1000> : tile<i32>
  %start = make_token : token
  %end = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%t = %start) -> (token) {{
    %v, %u = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %j = join_tokens %t, %u : token
    continue %{carried} : token
  }}
  %s = store_ptr_tko weak %x, %1 token=%end : tile<ptr<i32>>, tile<i32> -> token
  return
}}"
        )
    };
    assert_eq!(run_checked(&body("j"), 1), Ok(vec![1]));
    // Only the last load is ordered before the store; the other 999 loads race with it.
    let fault = run_checked(&body("u"), 1).expect_err("999 loads are not");
    assert!(
        fault.contains(
            "store_ptr_tko (operation 8): no token orders it after load_ptr_tko (operation 5)"
        ),
        "{fault}"
    );
}
