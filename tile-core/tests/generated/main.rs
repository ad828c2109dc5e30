//! Tests generated modules: coverage, verification, round trips through text and bytecode, and
//! results of NVIDIA's tools.

mod refusals;
mod tools;

use rayon::prelude::*;
use refusals::REFUSALS;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_core::bytecode::{Version, read, write};
use tile_core::diag::Severity;
use tile_core::ops::{ControlFlowOp, Opcode};
use tile_core::testing::{
    Coverage, DebugLocations, Facets, GenerateOptions, generate, structure, structure_with,
};
use tile_core::text::{ParseOptions, PrintOptions, parse_file, print_with};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module};

/// The number of modules of each test.
const MODULES: u64 = 2000;

/// Returns the number of modules of a test that starts an NVIDIA tool for each module: a quarter of
/// [`MODULES`], or `TILE_GENERATED`.
fn tool_modules() -> u64 {
    match std::env::var("TILE_GENERATED") {
        Ok(count) => count.parse().expect("`TILE_GENERATED` is a number"),
        Err(_) => MODULES / 4,
    }
}

/// Returns the newest version whose features the module of `seed` may use. Every version occurs.
fn version(seed: u64) -> Version {
    Version::ALL[usize::try_from(seed % 4).expect("small")]
}

fn options(seed: u64) -> GenerateOptions {
    GenerateOptions {
        version: version(seed),
        ops: 10 + usize::try_from(seed % 50).expect("small"),
        entries: 1 + usize::from(seed.is_multiple_of(8)),
        ..GenerateOptions::default()
    }
}

/// Returns the errors of our verifier.
fn our_errors(module: Module) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    let _ = verify(module, &mut diagnostics);
    let rendered = diagnostics.take().into_iter();
    // A constant index out of range is a warning.
    let rendered = rendered.filter(|diagnostic| diagnostic.severity == Severity::Error);
    rendered.map(|diagnostic| diagnostic.message).collect()
}

fn parse(text: &str, seed: u64) -> Module {
    let mut diagnostics = Diagnostics::new();
    let options = ParseOptions {
        allow_testing: true,
        ..ParseOptions::default()
    };
    let modules = parse_file(text, "generated", options, &mut diagnostics);
    let reported = diagnostics.take();
    match modules {
        Ok(mut modules) if modules.len() == 1 && reported.is_empty() => modules.remove(0),
        _ => {
            let reported: Vec<String> = reported
                .iter()
                .map(|diagnostic| format!("{}: {}", diagnostic.primary.loc, diagnostic.message))
                .collect();
            panic!("seed {seed}:\n{}\n{text}", reported.join("\n"))
        }
    }
}

#[track_caller]
fn assert_same(a: &str, b: &str, what: &str) {
    if a != b {
        let difference = similar::TextDiff::from_lines(a, b);
        panic!("{what}:\n{}", difference.unified_diff().context_radius(2));
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are for people to read")]
fn every_operation_type_and_attribute_value_is_reached() {
    let mut coverage = Coverage::default();
    for seed in 0..MODULES {
        coverage.add(&generate(seed, &options(seed)));
    }
    println!("{coverage}");
    assert_eq!(coverage.missing(Version::V13_4), [""; 0]);
}

#[test]
fn each_version_reaches_all_that_it_has() {
    for version in Version::ALL {
        let mut coverage = Coverage::default();
        for seed in 0..MODULES {
            let options = GenerateOptions {
                version,
                ..options(seed)
            };
            coverage.add(&generate(seed, &options));
        }
        assert_eq!(coverage.missing(version), [""; 0], "{version}");
    }
}

#[test]
fn a_seed_names_a_module() {
    for seed in 0..50 {
        let [a, b] = [(); 2].map(|()| generate(seed, &options(seed)));
        assert_same(&structure(&a), &structure(&b), "one seed, two modules");
    }
    let [a, b] = [1, 2].map(|seed| structure(&generate(seed, &options(1))));
    assert_ne!(a, b);
}

#[test]
fn generated_modules_verify() {
    (0..MODULES).into_par_iter().for_each(|seed| {
        let options = GenerateOptions {
            testing: seed.is_multiple_of(3),
            debug: [DebugLocations::None, DebugLocations::Any][usize::from(seed.is_multiple_of(2))],
            discardable: true,
            ..options(seed)
        };
        let errors = our_errors(generate(seed, &options));
        assert!(errors.is_empty(), "seed {seed}: {errors:#?}");
    });
}

#[test]
fn text_keeps_generated_modules() {
    let facets = Facets {
        debug_info: true,
        discardable: true,
    };
    (0..MODULES).into_par_iter().for_each(|seed| {
        let options = GenerateOptions {
            testing: seed.is_multiple_of(3),
            debug: DebugLocations::Any,
            discardable: true,
            ..options(seed)
        };
        let module = generate(seed, &options);
        for generic in [false, true] {
            let form = PrintOptions {
                generic,
                debug_info: true,
            };
            let text = print_with(&module, form);
            let back = parse(&text, seed);
            let what = format!("seed {seed}, generic: {generic}");
            assert_same(
                &structure_with(&module, facets),
                &structure_with(&back, facets),
                &what,
            );
            assert_same(&text, &print_with(&back, form), &what);
        }
    });
}

#[test]
fn bytecode_keeps_generated_modules() {
    let with_debug = Facets {
        debug_info: true,
        discardable: false,
    };
    (0..MODULES).into_par_iter().for_each(|seed| {
        let options = GenerateOptions {
            debug: [DebugLocations::None, DebugLocations::Bytecode]
                [usize::from(seed.is_multiple_of(2))],
            ..options(seed)
        };
        let module = generate(seed, &options);
        for (version, bytes) in versions(&module, seed) {
            let what = format!("seed {seed}, version {version}");
            let back = read(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            let mut expected = module.clone();
            if version < Version::V13_3 {
                expected.producer = None;
            }
            assert_same(
                &structure_with(&expected, with_debug),
                &structure_with(&back, with_debug),
                &what,
            );
            let again = write(&back, version).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(again, bytes, "{what}");
        }
    });
}

/// Returns the bytecode of the module in each version that can hold it: its own version, all newer
/// ones, and older ones where the module happens to fit.
fn versions(module: &Module, seed: u64) -> Vec<(Version, Vec<u8>)> {
    let mut versions = Vec::new();
    for version in Version::ALL {
        match write(module, version) {
            Ok(bytes) => versions.push((version, bytes)),
            Err(error) => assert!(
                version < options(seed).version && error.message.contains("bytecode version"),
                "seed {seed}, version {version}: {error}"
            ),
        }
    }
    versions
}

#[test]
fn tileirdisasm_accepts_generated_modules_and_prints_what_they_say() {
    let Some(disassembler) = tools::find("tileirdisasm") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let with_debug = Facets {
        debug_info: true,
        discardable: false,
    };
    let files = AtomicUsize::new(0);
    (0..tool_modules()).into_par_iter().for_each(|seed| {
        let debug = seed % 4 >= 2;
        let options = GenerateOptions {
            debug: [DebugLocations::None, DebugLocations::Bytecode][usize::from(debug)],
            ..options(seed)
        };
        let mut module = generate(seed, &options);
        for (version, bytes) in versions(&module, seed) {
            let file = folder.path().join(format!("{seed}.{version}.tilebc"));
            std::fs::write(&file, bytes).expect("it is writable");
            let mut command = Command::new(&disassembler);
            if debug {
                command.arg("--print-debug-info");
            }
            let output = command.arg(&file).output().expect("it runs");
            let what = format!("seed {seed}, version {version}");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{what}: {errors}");
            let text = String::from_utf8(output.stdout).expect("it prints UTF-8");
            let mut back = parse(&text, seed);
            forget_what_is_not_printed(&mut module);
            forget_what_is_not_printed(&mut back);
            assert_same(
                &structure_with(&module, with_debug),
                &structure_with(&back, with_debug),
                &what,
            );
            std::fs::remove_file(&file).expect("it was written");
            files.fetch_add(1, Ordering::Relaxed);
        }
    });
    // Modules of 13.1 fit all four versions, those of 13.2 three, and so on.
    let files = u64::try_from(files.into_inner()).expect("64 bits");
    assert!(files >= tool_modules() * 5 / 2);
}

/// Removes the parts that `tileirdisasm` does not print: the producer, which it prints as a
/// comment, and implied terminators with their locations.
fn forget_what_is_not_printed(module: &mut Module) {
    let implied: [Opcode; 2] = [ControlFlowOp::Continue.into(), ControlFlowOp::Yield.into()];
    module.producer = None;
    for id in module.walk(module.body()) {
        let op = module.op_mut(id);
        if implied.contains(&op.opcode) && op.operands.is_empty() {
            op.loc = op.loc.with_debug(None);
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are for people to read")]
fn tileiras_accepts_generated_entries_or_refuses_them_for_a_known_reason() {
    let Some(assembler) = tools::find("tileiras") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let outcomes: Vec<Outcome> = (0..tool_modules())
        .into_par_iter()
        .map(|seed| {
            let options = GenerateOptions {
                compilable: true,
                entries: 1,
                ops: 40,
                ..options(seed)
            };
            let module = generate(seed, &options);
            let bytes = write(&module, options.version);
            let bytes = bytes.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let file = folder.path().join(format!("{seed}.tilebc"));
            std::fs::write(&file, bytes).expect("it is writable");
            let Some(errors) = assemble(&assembler, &file) else {
                return Outcome::Accepted;
            };
            let reason = REFUSALS
                .iter()
                .position(|refusal| refusal.explains(&module, &errors));
            reason.map_or_else(
                || Outcome::Unexplained(format!("seed {seed}: {errors}")),
                Outcome::Refused,
            )
        })
        .collect();
    let mut accepted = 0;
    let mut hits = vec![0; REFUSALS.len()];
    let mut unexplained = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Accepted => accepted += 1,
            Outcome::Refused(reason) => hits[reason] += 1,
            Outcome::Unexplained(errors) => unexplained.push(errors),
        }
    }
    println!("{accepted} accepted");
    for (refusal, hits) in REFUSALS.iter().zip(&hits) {
        println!("{hits} refused: {}", refusal.reason);
    }
    assert!(
        unexplained.is_empty(),
        "{} refused without a known reason:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
    assert!(
        accepted > tool_modules() / 2,
        "only {accepted} are accepted"
    );
}

#[test]
fn tileiras_refuses_an_example_of_every_known_reason() {
    let Some(assembler) = tools::find("tileiras") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    REFUSALS
        .par_iter()
        .enumerate()
        .for_each(|(index, refusal)| {
            let module = parse(refusal.example, 0);
            assert_eq!(our_errors(module.clone()), [""; 0], "{}", refusal.reason);
            let bytes = write(&module, Version::V13_4).expect("it is valid");
            let file = folder.path().join(format!("{index}.tilebc"));
            std::fs::write(&file, bytes).expect("it is writable");
            match assemble(&assembler, &file) {
                None => panic!("accepted, though {}", refusal.reason),
                Some(errors) => assert!(
                    refusal.explains(&module, &errors),
                    "{}: {errors}",
                    refusal.reason
                ),
            }
        });
}

/// Returns the error of `tileiras` for a file, if any.
fn assemble(assembler: &Path, file: &Path) -> Option<String> {
    let output = Command::new(assembler)
        .arg("--gpu-name=sm_90")
        .arg(file)
        .arg("-o")
        .arg(file.with_extension("cubin"))
        .output()
        .expect("it runs");
    let errors = || String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then(errors)
}

/// The verdict of `tileiras` on a module.
enum Outcome {
    Accepted,
    /// The module was refused for the reason with this index.
    Refused(usize),
    Unexplained(String),
}
