//! Runs every pass on runnable modules, and checks that the effects, their order, and all bytes in
//! memory do not change.
//!
//! `TILE_DIFFERENTIAL=20000` sets the number of modules; `TILE_SEED=N` runs and prints a single
//! one.

use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Mutex;
use tile_core::interp::Action;
use tile_core::ir::DiscardableAttr;
use tile_core::ops::ControlFlowOp;
use tile_core::pass::{Pass, Pipeline, Trace};
use tile_core::testing::{
    GenerateOptions, Outcome, Runnable, RunnableOptions, check_same, execute, generate, runnable,
    survive,
};
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, Module, text};

/// The default number of modules: lower in a debug build, which is ten times slower and also visits
/// every operation once more.
const MODULES: u64 = if cfg!(debug_assertions) { 400 } else { 4_000 };

/// Passes that may change their own result: each loop is split once per run.
const NOT_IDEMPOTENT: &[&str] = &["loop-split"];

/// Passes for other kinds of modules, which `loop_dialect` tests.
const ON_OTHER_MODULES: &[&str] = &["flatten-loops"];

/// Passes that change results by design: `fuse-fma` rounds once instead of twice.
const CHANGES_RESULTS: &[&str] = &["fuse-fma"];

/// Passes that add checks of assumptions, which hold in these modules.
const CHECKS_MORE: &[&str] = &["assert-assumptions"];

/// The maximum growth by a pass: a loop is split in two, the bounds of both loops take some
/// arithmetic, and a loop nested in a split loop is duplicated.
const GROWTH: usize = 12;

/// The maximum number of operations after `unroll`, which is the limit of the pass itself.
const UNROLLED: usize = 16_384;

fn verified(module: Module) -> Result<Verified, String> {
    let mut diagnostics = Diagnostics::new();
    verify(module, &mut diagnostics).map_err(|_| {
        let messages = diagnostics.take().into_iter().map(|error| error.message);
        messages.collect::<Vec<_>>().join("; ")
    })
}

fn rewritten(pass: Pass, module: Module, trace: &mut Trace) -> Result<Verified, String> {
    let mut diagnostics = Diagnostics::new();
    let module = pass
        .run(verified(module)?, trace, &mut diagnostics)
        .map_err(|_| format!("{:?}", diagnostics.take()))?;
    verified(module).map_err(|errors| format!("the result does not verify: {errors}"))
}

/// Returns the error of a pass on a module, if any.
fn error(
    pass: Pass,
    run: &Runnable,
    before: &Outcome,
    trace: &mut Trace,
) -> Option<(String, Option<String>)> {
    let once = match rewritten(pass, run.module.clone(), trace) {
        Ok(once) => once,
        Err(message) => return Some((message, None)),
    };
    let shown = || Some(text::print(&once));
    if !CHANGES_RESULTS.contains(&pass.name()) {
        let mut after = execute(&run.with_module((*once).clone()));
        if CHECKS_MORE.contains(&pass.name()) {
            after.effects.retain(|effect| {
                !matches!(&effect.action, Action::Assert { message } if message.starts_with("assumed"))
            });
        }
        if let Err(difference) = check_same(before, &after) {
            return Some((difference, shown()));
        }
    }
    let sizes = [&run.module, &*once].map(|module| module.walk(module.body()).len());
    let most = match pass.name() {
        "unroll" => UNROLLED + GROWTH * sizes[0],
        _ => GROWTH * sizes[0],
    };
    if sizes[1] > most {
        return Some((
            format!("{} operations become {}", sizes[0], sizes[1]),
            shown(),
        ));
    }
    if NOT_IDEMPOTENT.contains(&pass.name()) {
        return None;
    }
    let mut again = Trace::new();
    let twice = match rewritten(pass, (*once).clone(), &mut again) {
        Ok(twice) => twice,
        Err(message) => return Some((format!("a second time: {message}"), shown())),
    };
    if text::print(&twice) != text::print(&once) {
        let what = again.statistics();
        let message = format!("a second run changes the result: {what:?}");
        return Some((
            message,
            Some(format!("{}\n{}", text::print(&once), text::print(&twice))),
        ));
    }
    None
}

/// Gives every `for` an attribute that asks for several bodies per iteration or for full unrolling.
/// Only `unroll` reads the attribute.
fn ask_for_unrolling(module: &mut Module, seed: u64) {
    for (number, id) in (seed..).zip(module.walk(module.body())) {
        let op = module.op_mut(id);
        if op.opcode == ControlFlowOp::For.into() {
            let factor = [0, 2, 3, 4][(number % 4) as usize];
            op.discardable.push(DiscardableAttr {
                name: "cuda_tile.unroll".into(),
                value: Some(format!("{factor} : i32").into()),
            });
        }
    }
}

fn passes() -> Vec<Pass> {
    let names = Pass::list().map(|(name, _)| name);
    let parse = |name: &str| name.parse::<Pipeline>().expect("a pass").passes()[0];
    names.map(parse).collect()
}

fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("TILE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TILE_DIFFERENTIAL").unwrap_or(MODULES),
    }
}

#[test]
fn every_pass_keeps_what_a_module_does() {
    let passes = passes();
    let counts: Mutex<BTreeMap<(&str, &str), usize>> = Mutex::default();
    let errors: Vec<String> = seeds()
        .into_par_iter()
        .flat_map_iter(|seed| {
            let mut run = runnable(seed, &RunnableOptions::default());
            ask_for_unrolling(&mut run.module, seed);
            let before = execute(&run);
            assert!(before.fault.is_none(), "seed {seed}: {:?}", before.fault);
            let mut differences = Vec::new();
            for &pass in &passes {
                let mut trace = Trace::new();
                let checked = AssertUnwindSafe(|| error(pass, &run, &before, &mut trace));
                let error = std::panic::catch_unwind(checked)
                    .unwrap_or_else(|_| Some(("panics, as said above".to_owned(), None)));
                if let Some((message, after)) = error {
                    differences.push(describe(seed, pass, &message, &run, after));
                }
                let mut counts = counts.lock().expect("no test panics while counting");
                for (name, count) in trace.statistics() {
                    *counts.entry((pass.name(), name)).or_default() += count;
                }
            }
            differences
        })
        .collect();
    let counts = counts.into_inner().expect("no test panics while counting");
    for ((pass, name), count) in &counts {
        writeln!(std::io::stdout(), "{pass:>20} {name:<40} {count:>9}").expect("an open stream");
    }
    assert!(
        errors.is_empty(),
        "{} faults\n{}",
        errors.len(),
        errors[..errors.len().min(8)].join("\n\n")
    );
    for &pass in &passes {
        if ON_OTHER_MODULES.contains(&pass.name()) {
            continue;
        }
        let did = counts.keys().any(|(name, _)| *name == pass.name());
        assert!(did || seeds().count() < 400, "`{pass}` never did anything");
    }
}

fn describe(seed: u64, pass: Pass, message: &str, run: &Runnable, after: Option<String>) -> String {
    let message = format!("seed {seed}, {pass}: {message}");
    if std::env::var_os("TILE_SEED").is_none() {
        return message;
    }
    let after = after.unwrap_or_default();
    format!(
        "{message}\nbefore\n{}after\n{after}",
        text::print(&run.module)
    )
}

#[test]
fn every_pass_takes_every_valid_module() {
    // These modules have every operation and type; they do not run.
    let options = GenerateOptions {
        ops: 80,
        entries: 2,
        testing: true,
        ..GenerateOptions::default()
    };
    let seeds = (0..MODULES).into_par_iter();
    let errors: Vec<String> = seeds
        .filter_map(|seed| {
            let error = survive(&generate(seed, &options)).err()?;
            Some(format!("seed {seed}: {error}"))
        })
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn the_page_lists_every_pass_and_every_rewrite_of_the_file_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../docs/passes.md")).expect("a page");
    let mut names: BTreeSet<String> = Pass::list().map(|(name, _)| name.to_owned()).collect();
    for folder in ["canonicalize", "fold", "simplify", "transform"] {
        let folder = root.join("tests/filetests").join(folder);
        for file in std::fs::read_dir(folder).expect("a folder of tests") {
            let file = std::fs::read_to_string(file.expect("a file").path()).expect("text");
            let (_, rewrites) = file.split_once("// rewrites:\n").expect("a test of passes");
            let name = |line: &str| line.split_whitespace().last().map(str::to_owned);
            names.extend(rewrites.lines().filter_map(name));
        }
    }
    assert!(names.len() > 100, "{names:?}");
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/passes.md lacks {missing:?}");
}
