//! Tests kernels with one fault each, and their corrected twins.
//!
//! A file of `faulty/` has a comment that describes the fault, a line `// run:` with the arguments
//! of both entries, the expected reports of checking mode on `@faulty`, and the entries. Arguments
//! are `zeros:BYTES`, `uninitialized:BYTES`, `i32:1,2,3` for a buffer with these numbers and
//! `i32=5` for a number; `grid=N` and `steps=N` are options. `TILE_BLESS=1` rewrites the reports.
//!
//! In a file with `// shows in the order`, the fault changes the stored values if operations run in
//! an order drawn from a seed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use tile_core::interp::{
    Arg, Check, Fault, FaultKind, IndexSpace, Program, Reports, RunOptions, Undefined,
};
use tile_core::{Diagnostics, Module, text, verify};

const SEEDS: u64 = 24;

/// The launch that a file specifies.
#[derive(Default)]
struct Run {
    grid: u32,
    steps: Option<u64>,
    args: Vec<Argument>,
}

#[derive(Clone)]
enum Argument {
    Buffer(Vec<i32>),
    Uninitialized(Vec<i32>),
    Number(u64),
}

impl Run {
    fn parse(source: &str) -> Self {
        let line = source
            .lines()
            .find_map(|line| line.strip_prefix("// run: "));
        let mut run = Run {
            grid: 1,
            ..Run::default()
        };
        for word in line.expect("a file says how to run it").split_whitespace() {
            let (name, value) = word.split_once([':', '=']).expect("name and value");
            let number = || value.parse::<u64>().expect("a number");
            let words = || vec![0; usize::try_from(number() / 4).expect("few")];
            match (name, word.contains(':')) {
                ("grid", _) => run.grid = u32::try_from(number()).expect("few blocks"),
                ("steps", _) => run.steps = Some(number()),
                ("zeros", _) => run.args.push(Argument::Buffer(words())),
                ("uninitialized", _) => run.args.push(Argument::Uninitialized(words())),
                ("i32", true) => {
                    let numbers = value.split(',').map(|word| word.parse().expect("a number"));
                    run.args.push(Argument::Buffer(numbers.collect()));
                }
                ("i32", false) => run.args.push(Argument::Number(number())),
                _ => panic!("unknown argument `{word}`"),
            }
        }
        run
    }

    /// Runs an entry on fresh arguments; returns the contents of the buffers afterwards.
    fn run(
        &self,
        program: &Program,
        entry: &str,
        options: RunOptions<'_>,
    ) -> (Result<(), Fault>, Vec<Vec<i32>>) {
        let mut args = self.args.clone();
        let bind = |arg: &mut Argument| match arg {
            Argument::Buffer(words) => Arg::Pointer {
                ptr: words.as_mut_ptr().cast(),
                bytes: size_of_val(&words[..]),
            },
            Argument::Uninitialized(words) => Arg::Uninitialized {
                ptr: words.as_mut_ptr().cast(),
                bytes: size_of_val(&words[..]),
            },
            Argument::Number(bits) => Arg::Scalar { bits: *bits },
        };
        let bound: Vec<Arg> = args.iter_mut().map(bind).collect();
        let options = RunOptions {
            step_limit: self.steps,
            ..options
        };
        // SAFETY: the buffers live until the end of the call, and do not overlap.
        let done = unsafe { program.run_with(entry, [self.grid, 1, 1], &bound, options) };
        let words = args.into_iter().filter_map(|arg| match arg {
            Argument::Buffer(words) | Argument::Uninitialized(words) => Some(words),
            Argument::Number(_) => None,
        });
        (done, words.collect())
    }
}

fn checked() -> RunOptions<'static> {
    RunOptions {
        check: Check::On,
        index_space: IndexSpace::Checked,
        ..RunOptions::default()
    }
}

fn module(name: &str, source: &str) -> Module {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, name, &mut diagnostics)
        .and_then(|module| verify::verify(module, &mut diagnostics));
    let faults = diagnostics.take();
    let module = module.unwrap_or_else(|_| panic!("{name}: {faults:?}"));
    module.into_inner()
}

/// Returns the reports of checking mode on the faulty entry: all undefined behaviour, then the
/// reason why the launch stopped, if it did not complete.
fn said(run: &Run, program: &Program) -> String {
    let reports = Reports::new();
    let options = RunOptions {
        undefined: Undefined::Report(&reports),
        ..checked()
    };
    let (done, _) = run.run(program, "faulty", options);
    let reports = reports.take();
    assert!(
        reports
            .iter()
            .all(|report| report.kind == FaultKind::Undefined)
    );
    let mut said = String::new();
    for report in &reports {
        writeln!(said, "// report: {report}").expect("a string takes everything");
    }
    if let Err(fault) = &done {
        writeln!(said, "// fault: {fault}").expect("a string takes everything");
    }
    // A launch that stops at the first undefined behaviour must report it as its fault.
    let (trapped, _) = run.run(program, "faulty", checked());
    let first = reports.into_iter().next().or(done.err());
    assert_eq!(trapped.err(), first);
    said
}

/// Returns the text of the file with the reports `said`.
fn with_said(source: &str, said: &str) -> String {
    let is_said = |line: &&str| line.starts_with("// report: ") || line.starts_with("// fault: ");
    let mut result = String::new();
    let mut said = Some(said);
    for line in source.lines().filter(|line| !is_said(line)) {
        if line.is_empty()
            && let Some(said) = said.take()
        {
            result.push_str(said);
        }
        result.push_str(line);
        result.push('\n');
    }
    result
}

fn check_file(path: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(path).expect("a file of the suite");
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.expect("names are text");
    let run = Run::parse(&source);
    // Lines are counted from the first entry, so that reports do not shift them.
    let (_, code) = source
        .split_once("\n\n")
        .expect("an empty line before the entries");
    let program = Program::new(&module(name, code));
    let said = said(&run, &program);
    if said.is_empty() {
        return Err("nothing was found".to_owned());
    }
    let (plain, expected) = run.run(&program, "corrected", RunOptions::default());
    plain.map_err(|fault| format!("the corrected twin: {fault}"))?;
    for seed in (0..SEEDS).map(Some).chain([None]) {
        for check in [Check::Off, Check::On] {
            let options = RunOptions {
                check,
                seed,
                ..RunOptions::default()
            };
            let (done, reported) = run.run(&program, "corrected", options);
            done.map_err(|fault| format!("the corrected twin, seed {seed:?}: {fault}"))?;
            if reported != expected {
                return Err(format!(
                    "the corrected twin, seed {seed:?}: {reported:?} instead of {expected:?}"
                ));
            }
        }
    }
    if source.contains("// shows in the order\n") {
        let orders = (0..SEEDS).map(|seed| {
            let options = RunOptions {
                seed: Some(seed),
                ..RunOptions::default()
            };
            run.run(&program, "faulty", options).1
        });
        let reported: BTreeSet<Vec<Vec<i32>>> = orders.collect();
        if reported.len() < 2 {
            return Err(format!("every order gives {reported:?}"));
        }
    }
    let with_said = with_said(&source, &said);
    if with_said == source {
        return Ok(());
    }
    if std::env::var_os("TILE_BLESS").is_some() {
        std::fs::write(path, with_said).expect("a file that can be written");
        return Ok(());
    }
    Err(format!("TILE_BLESS=1 accepts what is said now:\n{said}"))
}

#[test]
fn every_fault_is_found_and_its_corrected_twin_is_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interp/faulty");
    let files = std::fs::read_dir(folder).expect("a folder of kernels");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 30, "{} files", files.len());
    let failed: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let failed = check_file(path).err()?;
            Some(format!("{}: {failed}", path.display()))
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
