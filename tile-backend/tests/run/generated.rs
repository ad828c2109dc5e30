//! Tests modules of the generator, with every operation that a kernel can have.
//!
//! Results of functions are kept apart from exact results, and have the tolerance of the function in
//! `elements.rs`. All other results are compared bit for bit, except that any two NaNs are equal.

use std::io::{self, Write as _};
use std::ops::Range;

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::ops::Version;
use tile_core::testing::{Coverage, Executor, Inexact, Runnable, RunnableOptions, runnable_with};
use tile_core::text;

use super::ARCHS;
use super::compare::Expected;
use super::elements::error_of;
use super::export::{self, from_environment};
use super::machine::{compile, verified};
use super::support::local_trial;
use super::trial;

/// Number of seeds of a plain run, each on one architecture.
const FEW: u64 = 40;

/// The number of seeds that cover every operation, after canonicalization.
const ENOUGH: u64 = 500;

/// Operations that canonicalization always removes.
const NEVER_COMPILED: [&str; 0] = [];

/// Returns the seeds to run: `few` seeds from 0, unless the environment sets others.
pub(crate) fn seeds(few: u64) -> Range<u64> {
    let first = from_environment("TILE_RUN_FROM").unwrap_or(0);
    first..first + from_environment("TILE_RUN_SEEDS").unwrap_or(few)
}

/// Returns the module of a seed, with its inexact results.
pub(crate) fn module(seed: u64) -> (Runnable, Vec<Inexact>) {
    runnable_with(seed, &options())
}

/// Returns one test per seed. A test runs on one of the architectures, or on all of them if the environment
/// sets the number of seeds.
pub(crate) fn trials() -> Vec<Trial> {
    let many = from_environment("TILE_RUN_SEEDS");
    let mut trials = Vec::new();
    for seed in seeds(FEW) {
        let turn = usize::try_from(seed).expect("a number of tests") % ARCHS.len();
        let archs = if export::is_on() {
            &[Arch::SM_90A][..]
        } else if many.is_some() {
            &ARCHS[..]
        } else {
            &ARCHS[turn..=turn]
        };
        trials.push(trial(format!("generated/{seed}"), move || run(seed, archs)));
    }
    let seeds = seeds(FEW);
    let seeds = seeds.start..seeds.end.max(seeds.start + ENOUGH);
    trials.push(local_trial("generated/coverage", move || {
        coverage(seeds, many.is_some())
    }));
    trials
}

fn options() -> RunnableOptions {
    RunnableOptions {
        executor: Executor::Device,
        ops: 80,
        ..RunnableOptions::default()
    }
}

/// Returns the interpreter's result, with the tolerances of functions.
pub(crate) fn expected(runnable: &Runnable, inexact: Vec<Inexact>) -> Expected {
    let inexact = inexact
        .into_iter()
        .map(|place| (place.buffer, place.elements, error_of(place.function)));
    Expected::new(runnable, 0.0).with_inexact(inexact.collect())
}

fn run(seed: u64, archs: &[Arch]) -> Result<(), String> {
    let (runnable, inexact) = module(seed);
    let expected = expected(&runnable, inexact);
    let on = |&arch: &Arch| {
        let artifact = compile(&runnable.module, arch, None)?;
        expected.check(&artifact, &runnable)
    };
    let named = |arch: &Arch| on(arch).err().map(|what| format!("{arch}: {what}"));
    let wrong: Vec<String> = archs.iter().filter_map(named).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let source = text::print(&runnable.module);
    Err(format!("{}\n{source}", wrong.join("\n")))
}

/// Checks that every operation occurs in the compiled modules.
fn coverage(seeds: Range<u64>, is_shown: bool) -> Result<(), String> {
    let mut coverage = Coverage::default();
    for seed in seeds {
        let (runnable, _) = module(seed);
        coverage.add(canonicalize(verified(&runnable.module)?).module());
    }
    if is_shown {
        writeln!(io::stdout(), "{coverage}").map_err(|error| error.to_string())?;
    }
    let missing = coverage.missing(Version::V13_4);
    let is_missed = |name: &&String| {
        name.strip_prefix("operation `")
            .is_some_and(|name| !NEVER_COMPILED.contains(&name.trim_end_matches('`')))
    };
    let missed: Vec<&String> = missing.iter().filter(is_missed).collect();
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("missing: {missed:?}"))
}
