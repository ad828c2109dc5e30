//! Runs litmus tests in the interpreter and, as PTX, in `tile-sim`.

use super::cases::{Litmus, Places, Round};
use super::{RESULTS, ROUNDS, is_full};
use crate::build::{Variant, entry_name};
use crate::device_tests::{canonical, compiled};
use crate::testing::front;
use tile_backend::manifest::Launch;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{self, Check, Program, RunOptions};
use tile_core::verify::verify;
use tile_core::{Diagnostics, ir::Module};

/// The four buffers of a launch.
pub(super) struct Buffers([Vec<i32>; 4]);

impl Buffers {
    pub(super) fn new(litmus: &Litmus) -> Self {
        let owner = |elements| vec![0; elements];
        Self([
            owner(2 * ROUNDS * litmus.width),
            owner(2 * ROUNDS),
            owner(ROUNDS),
            owner(RESULTS * ROUNDS),
        ])
    }

    /// Returns the numbers that describe a buffer in a launch: its extents and strides.
    fn numbers(&self, buffer: usize) -> impl Iterator<Item = usize> + use<> {
        let extents = match buffer {
            3 => vec![RESULTS, ROUNDS],
            _ => vec![self.0[buffer].len()],
        };
        let axes = 1..=extents.len();
        let strides: Vec<usize> = axes.map(|axis| extents[axis..].iter().product()).collect();
        extents.into_iter().chain(strides)
    }

    /// Returns the outcome of each round.
    pub(super) fn rounds(&self, litmus: &Litmus, places: Places) -> Vec<Round> {
        let [x, y, _, out] = &self.0;
        let round = |round_index: usize| Round {
            results: std::array::from_fn(|slot| out[slot * ROUNDS + round_index]),
            x: x[2 * round_index * litmus.width],
            y: match places {
                Places::TwoTensors => y[2 * round_index],
                Places::OneTensor => x[2 * round_index + 1],
            },
        };
        (0..ROUNDS).map(round).collect()
    }
}

/// Returns the modules of a kernel, as built, by variant.
pub(super) fn modules(source: &str) -> Vec<(Variant, Module)> {
    let expansion = front("arch(\"cpu\")", source)
        .unwrap_or_else(|faults| panic!("{source}\n{}", faults.concat()));
    let mut artifacts = expansion.artifacts;
    artifacts.swap_remove(0).into_iter().collect()
}

/// Returns the programs of a module as built, in which only tokens order accesses, and
/// canonicalized.
pub(super) fn program(module: &Module) -> [Program; 2] {
    let mut diagnostics = Diagnostics::new();
    let flat = verify(module.clone(), &mut diagnostics)
        .and_then(|module| flatten(module, &FlattenOptions::default(), &mut diagnostics))
        .unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
    [
        Program::new(&flat.module),
        Program::new(canonicalize(flat.module).module()),
    ]
}

/// Runs one launch in the interpreter.
pub(super) fn interpret(
    litmus: &Litmus,
    program: &Program,
    variant: Variant,
    options: RunOptions<'_>,
) -> Result<Buffers, String> {
    let mut buffers = Buffers::new(litmus);
    let mut args = Vec::new();
    for buffer in 0..4 {
        args.push(interp::Arg::Pointer {
            ptr: buffers.0[buffer].as_mut_ptr().cast(),
            bytes: 4 * buffers.0[buffer].len(),
        });
        args.extend(buffers.numbers(buffer).map(|number| interp::Arg::Scalar {
            bits: number as u64,
        }));
    }
    // SAFETY: the pointers are to buffers of the given length that nothing else accesses.
    let done =
        unsafe { program.run_with(&entry_name("k", variant), litmus.grid(), &args, options) };
    done.map(|()| buffers).map_err(|fault| fault.to_string())
}

/// Returns the rounds of launches in the interpreter, for all seeds.
pub(super) fn interpreted(litmus: &Litmus, source: &str, places: Places, seeds: u64) -> Vec<Round> {
    let mut rounds = Vec::new();
    let (variant, module) = modules(source).swap_remove(0);
    for program in program(&module) {
        for seed in 0..seeds {
            let options = RunOptions {
                seed: seed.checked_sub(1),
                threads: Some(litmus.blocks.len()),
                step_limit: Some(100_000_000),
                ..RunOptions::default()
            };
            let buffers = interpret(litmus, &program, variant, options);
            let buffers = buffers.unwrap_or_else(|fault| panic!("{source}\n{fault}"));
            rounds.extend(buffers.rounds(litmus, places));
        }
    }
    rounds
}

/// Runs the interpreter with all checks and returns the error that they report.
pub(super) fn checked(litmus: &Litmus, source: &str) -> Result<(), String> {
    for (variant, module) in modules(source) {
        for program in program(&module) {
            let options = RunOptions {
                check: Check::On,
                step_limit: Some(100_000),
                ..RunOptions::default()
            };
            interpret(litmus, &program, variant, options)?;
        }
    }
    Ok(())
}

/// Returns the rounds of launches of the PTX, or the error of `tile-sim`.
pub(super) fn simulated(
    litmus: &Litmus,
    source: &str,
    places: Places,
    seeds: u64,
) -> Result<Vec<Round>, String> {
    let mut rounds = Vec::new();
    let targets = [
        (Variant::Fast, Arch::SM_80),
        (Variant::General, Arch::SM_90A),
    ];
    for (variant, module) in modules(source) {
        let archs: Vec<Arch> = targets
            .iter()
            .filter(|(owner, _)| *owner == variant || is_full())
            .map(|&(_, arch)| arch)
            .collect();
        let artifact = compiled(&canonical(&module), variant, &archs);
        for (arch, ptx) in &artifact.ptx {
            let mut launches = artifact.manifest.launches.iter();
            let launch = launches.find(|launch| launch.arch == *arch);
            let launch = launch.expect("a launch per architecture");
            let parsed = tile_sim::Module::parse(ptx).unwrap_or_else(|error| panic!("{error}"));
            for seed in 0..seeds {
                let buffers = simulate(litmus, &parsed, launch, variant, seed)
                    .map_err(|fault| format!("{variant:?} {arch} {seed}: {fault}"))?;
                rounds.extend(buffers.rounds(litmus, places));
            }
        }
    }
    Ok(rounds)
}

/// Runs one launch of PTX.
fn simulate(
    litmus: &Litmus,
    module: &tile_sim::Module,
    launch: &Launch,
    variant: Variant,
    seed: u64,
) -> Result<Buffers, String> {
    let mut memory = tile_sim::Memory::new();
    let mut buffers = Buffers::new(litmus);
    let mut args = Vec::new();
    let mut addresses = Vec::new();
    for buffer in 0..4 {
        let words = buffers.0[buffer].iter();
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let address = memory.alloc_with(&bytes, 16);
        addresses.push(address);
        args.push(tile_sim::Arg::from(address));
        args.extend(buffers.numbers(buffer).map(|number| match variant {
            Variant::Fast => tile_sim::Arg::from(u32::try_from(number).expect("small")),
            Variant::General => tile_sim::Arg::from(number as u64),
        }));
    }
    let launch = tile_sim::Launch::new(&launch.entry)
        .grid(litmus.grid())
        .threads(launch.threads)
        .dynamic_shared_bytes(launch.shared_bytes)
        .args(args);
    let options = tile_sim::Options {
        seed,
        ..tile_sim::Options::default()
    };
    module
        .launch(&launch, &mut memory, &options)
        .map_err(|fault| fault.to_string())?;
    for (buffer, address) in buffers.0.iter_mut().zip(addresses) {
        let bytes = memory.bytes(address).expect("allocated");
        let words = bytes
            .chunks_exact(4)
            .map(|word| i32::from_le_bytes(word.try_into().expect("four bytes")));
        *buffer = words.collect();
    }
    Ok(buffers)
}
