//! Correct kernels, and mutants of them with a known error.
//!
//! `kernels/NAME.ptx` is a kernel that runs without a fault and computes the results of the plain
//! loops in `cases/`. `kernels/NAME.mutants` breaks it: each mutant edits lines that the PTX marks
//! with `//@marker`, and states which fault must be found at which marked lines ([`mutant`] has the
//! grammar).
//!
//! `TILE_SEEDS=1000` runs the correct kernels with that many seeds, and the mutants with all of
//! their seeds even if one has found the error. `TILE_BROKEN=part` selects kernels by a part of
//! their name. `TILE_BLESS=1` rewrites `texts.txt`, the messages of the faults.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "plain loops over small numbers"
)]
#![expect(
    clippy::print_stdout,
    reason = "the table of mutants is what a reader of the run wants"
)]

mod cases;
mod mutant;
mod run;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cases::{CASES, Case};
use mutant::Mutant;
use run::Finding;

/// The maximum number of seeds of a mutant, which runs until one of them finds the error.
const SEEDS: u64 = 20;

/// Returns the number of seeds that the user requested.
fn asked() -> Option<u64> {
    let text = std::env::var("TILE_SEEDS").ok()?;
    Some(text.parse().expect("`TILE_SEEDS` is a number"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

fn text(name: &str, extension: &str) -> String {
    let path = folder()
        .join("kernels")
        .join(name)
        .with_extension(extension);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_wanted(name: &str) -> bool {
    std::env::var("TILE_BROKEN").map_or(true, |part| name.contains(&part))
}

/// Calls `f` for each item on the host's cores. Returns the results in the order of the items.
fn each<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = f(item);
                    results.lock().expect("no panic").insert(index, result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no panic");
    results.into_values().collect()
}

#[test]
fn right_kernels_are_clean_and_right() {
    let seeds = asked().unwrap_or(24);
    let cases: Vec<&Case> = CASES.iter().filter(|case| is_wanted(case.name)).collect();
    let complaints = each(&cases, |case| {
        let module = run::module(case.kernel, &text(case.kernel, "ptx"));
        (0..seeds).find_map(|seed| {
            let finding = run::run(&module, case, seed)?;
            Some(format!("{}, seed {seed}: {finding}", case.name))
        })
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The result of a mutant.
struct Verdict {
    /// The number of seeds that found something.
    found: u64,
    first: Option<(u64, Finding)>,
    complaints: Vec<String>,
}

fn judge(case: &Case, mutant: &Mutant) -> Verdict {
    let module = run::module(&mutant.name, &mutant.text);
    let mut verdict = Verdict {
        found: 0,
        first: None,
        complaints: Vec::new(),
    };
    for seed in 0..SEEDS {
        let Some(finding) = run::run(&module, case, seed) else {
            continue;
        };
        verdict.found += 1;
        if !mutant.expects(&finding) {
            let complaint = format!("{}, seed {seed}: unexpected: {finding}", mutant.name);
            verdict.complaints.push(complaint);
        }
        verdict.first.get_or_insert((seed, finding));
        if asked().is_none() {
            break;
        }
    }
    if verdict.found == 0 {
        let complaint = format!("{}: no seed finds anything: {}", mutant.name, mutant.what);
        verdict.complaints.push(complaint);
    }
    verdict
}

#[test]
fn broken_kernels_are_caught() {
    let mut mutants = Vec::new();
    for case in CASES {
        if case.is_broken {
            let name = case.kernel;
            let parsed = mutant::parse(name, &text(name, "ptx"), &text(name, "mutants"));
            mutants.extend(parsed.into_iter().map(|mutant| (case, mutant)));
        }
    }
    let total = mutants.len();
    mutants.retain(|(_, mutant)| is_wanted(&mutant.name));
    let verdicts = each(&mutants, |(case, mutant)| judge(case, mutant));
    let head = ["mutant", "kind", "line", "seeds"];
    println!(
        "{:<40} {:<22} {:>4} {:>5}",
        head[0], head[1], head[2], head[3]
    );
    for ((_, mutant), verdict) in mutants.iter().zip(&verdicts) {
        let (kind, line) = verdict
            .first
            .as_ref()
            .map_or(("-", 0), |(_, finding)| (finding.kind(), finding.line()));
        println!(
            "{:<40} {kind:<22} {line:>4} {:>2}/{SEEDS}",
            mutant.name, verdict.found
        );
    }
    let by_check = verdicts
        .iter()
        .filter(|verdict| matches!(verdict.first, Some((_, Finding::Fault(_)))));
    println!("{} mutants, {} by a check", mutants.len(), by_check.count());
    let complaints: Vec<&str> = verdicts
        .iter()
        .flat_map(|verdict| verdict.complaints.iter().map(String::as_str))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    if mutants.len() == total {
        assert!(total >= 64, "{total} mutants");
        let results = mutants.iter().zip(&verdicts);
        texts::compare(results.map(|((_, mutant), verdict)| (mutant, verdict.first.as_ref())));
    }
}
