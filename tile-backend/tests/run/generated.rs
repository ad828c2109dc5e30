//! Modules of the generator.

use libtest_mimic::{Failed, Trial};
use tile_backend::target::Arch;
use tile_core::testing::{RunnableOptions, runnable};
use tile_core::text;

use super::ARCHS;
use super::compare::Expected;
use super::machine::compile;

/// Seeds of a plain run, each on one architecture; none while operations are missing.
const FEW: u64 = 0;

fn from_environment(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("`{name}` is a number, not `{value}`")),
    )
}

/// One test per seed and architecture.
pub(crate) fn trials() -> Vec<Trial> {
    let first = from_environment("TILE_RUN_FROM").unwrap_or(0);
    let many = from_environment("TILE_RUN_SEEDS");
    let mut trials = Vec::new();
    for seed in first..first + many.unwrap_or(FEW) {
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
    let options = RunnableOptions {
        any_order: true,
        ..RunnableOptions::default()
    };
    let runnable = runnable(seed, &options);
    let with_text = |what: String| format!("{what}\n{}", text::print(&runnable.module));
    let artifact = compile(&runnable.module, arch, None).map_err(with_text)?;
    let checked = Expected::of(&runnable, 0.0).check(&artifact, &runnable);
    checked.map(|_| ()).map_err(with_text)
}
