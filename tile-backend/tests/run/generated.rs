//! Modules of the generator.

use libtest_mimic::{Failed, Trial};
use tile_backend::target::Arch;
use tile_core::testing::{Runnable, RunnableOptions, runnable};
use tile_core::text;

use super::ARCHS;
use super::compare::Expected;
use super::machine::compile;

/// Seeds of a plain run, each on one architecture.
const FEW: u64 = 40;

fn from_environment(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("`{name}` is a number, not `{value}`")),
    )
}

/// The seeds to take: `few` from 0 unless the environment says otherwise.
pub(crate) fn seeds(few: u64) -> std::ops::Range<u64> {
    let first = from_environment("TILE_RUN_FROM").unwrap_or(0);
    first..first + from_environment("TILE_RUN_SEEDS").unwrap_or(few)
}

/// The module of a seed.
pub(crate) fn module(seed: u64) -> Runnable {
    let options = RunnableOptions {
        any_order: true,
        ..RunnableOptions::default()
    };
    runnable(seed, &options)
}

/// One test per seed and architecture.
pub(crate) fn trials() -> Vec<Trial> {
    let many = from_environment("TILE_RUN_SEEDS");
    let mut trials = Vec::new();
    for seed in seeds(FEW) {
        let turn = usize::try_from(seed).expect("a number of tests") % ARCHS.len();
        let archs = if many.is_some() {
            &ARCHS[..]
        } else {
            &ARCHS[turn..=turn]
        };
        for &arch in archs {
            let name = format!("generated/{seed}::{arch}");
            trials.push(Trial::test(name, move || {
                run(seed, arch).map_err(Failed::from)
            }));
        }
    }
    trials
}

fn run(seed: u64, arch: Arch) -> Result<(), String> {
    let runnable = module(seed);
    let with_text = |what: String| format!("{what}\n{}", text::print(&runnable.module));
    let artifact = compile(&runnable.module, arch, None).map_err(with_text)?;
    let checked = Expected::of(&runnable, 0.0).check(&artifact, &runnable);
    checked.map(|_| ()).map_err(with_text)
}
