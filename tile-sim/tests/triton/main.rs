//! Compares kernels that Triton compiled, in `corpus/`, with `NumPy`.
//!
//! Every text runs with all checks and several seeds, and every buffer is compared. `gaps.txt`
//! lists the known failures with their reasons; kernels on the list must fail, all others must
//! succeed. `findings.txt` lists kernels with real errors, and the faults that must be found.
//! `TILE_BLESS=1` rewrites the list, `TILE_SEEDS=20` runs more seeds, and `TILE_TRITON=part`
//! selects kernels by a part of their name.

#![expect(
    clippy::print_stdout,
    reason = "the table of kernels is what a reader of the run wants"
)]

mod compare;
mod corpus;
mod gaps;
mod maps;
#[path = "../../../tile-core/tests/common/python.rs"]
mod python;
mod run;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use corpus::Kernel;
use run::Outcome;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triton")
}

/// Runs `reference.py`, which writes arguments and results.
fn references() -> Option<PathBuf> {
    let Some(mut python) = python::python() else {
        python::skip("numpy and ml_dtypes for Python");
        return None;
    };
    let into = Path::new(env!("CARGO_TARGET_TMPDIR")).join("triton");
    let output = python
        .arg("-B")
        .arg(folder().join("reference.py"))
        .arg(&into)
        .output()
        .expect("Python starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(into)
}

fn seeds() -> u64 {
    std::env::var("TILE_SEEDS").map_or(1, |text| text.parse().expect("`TILE_SEEDS` is a number"))
}

/// Runs all kernels on the host's cores and returns the outcomes by kernel name.
fn run_all(kernels: &[Kernel], references: &Path) -> BTreeMap<String, Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(BTreeMap::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(kernel) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let outcome = run::run(kernel, &references.join(&kernel.case), seeds());
                    println!(
                        "{:<44} {:>9} {:>8.3} s  {}",
                        kernel.name(),
                        outcome.warp_instructions,
                        start.elapsed().as_secs_f64(),
                        outcome.verdict()
                    );
                    let mut outcomes = outcomes.lock().expect("no thread panics");
                    outcomes.insert(kernel.name(), outcome);
                }
            });
        }
    });
    outcomes.into_inner().expect("no thread panics")
}

#[test]
fn kernels_of_triton_give_what_numpy_gives() {
    let Some(references) = references() else {
        return;
    };
    let only = std::env::var("TILE_TRITON").ok();
    let mut kernels = corpus::kernels(&folder().join("corpus"));
    assert!(kernels.len() > 300, "{} kernels", kernels.len());
    if let Some(only) = &only {
        kernels.retain(|kernel| kernel.name().contains(only.as_str()));
    }
    let mut outcomes = run_all(&kernels, &references);
    for finding in gaps::findings(&folder().join("findings.txt")) {
        finding.judge(&mut outcomes);
    }
    let passed = outcomes.values().filter(|outcome| outcome.passed()).count();
    println!("{passed} of {} kernels pass", outcomes.len());
    let list = folder().join("gaps.txt");
    if std::env::var_os("TILE_BLESS").is_some() && only.is_none() {
        gaps::write(&list, &kernels, &outcomes);
        return;
    }
    let complaints = gaps::compare(&gaps::read(&list), &outcomes);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
