//! Writes the modules of the file tests in every version that can hold them.

use crate::oracle::Disassembler;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tile_core::bytecode::{BytecodeError, Version, read, write};
use tile_core::ops::Opcode;
use tile_core::testing::{Facets, structure_with};
use tile_core::text::{ParseOptions, parse_file};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module};

/// Errors of modules that no version can hold.
const NEVER: [&str; 6] = [
    // Inline PTX belongs to a dialect of its own.
    "bytecode cannot hold `ptx.",
    "expected `entry` or `global` in a module",
    "expected an operation of `cuda_tile` in a body",
    "unsupported location",
    "which bytecode cannot hold",
    "flatten the loops first",
];

/// Files for which the output of `tileirdisasm` 13.4 differs from the bytecode, with the reason.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "parse/hints.mlir",
    "it leaves out the types of numbers and the quotes of keys, so that its text does not read back",
)];

const BYTECODE: Facets = Facets {
    debug_info: true,
    discardable: false,
};

/// Returns the valid modules of the file tests.
fn modules() -> Vec<(String, Module)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut modules = Vec::new();
    for folder in ["parse", "verify", "canonicalize"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder of tests exists") {
            let path = entry.expect("a readable folder").path();
            let source = fs::read_to_string(&path).expect("a readable file");
            let source = source.split("// output:\n").next().unwrap_or_default();
            let name = path.file_name().expect("a file").to_string_lossy();
            for module in parse(source).unwrap_or_default() {
                let mut diagnostics = Diagnostics::new();
                if let Ok(module) = verify(module, &mut diagnostics) {
                    modules.push((format!("{folder}/{name}"), module.into_inner()));
                }
                diagnostics.take();
            }
        }
    }
    modules
}

fn parse(source: &str) -> Option<Vec<Module>> {
    let mut diagnostics = Diagnostics::new();
    let options = ParseOptions {
        allow_testing: true,
        allow_unregistered: true,
    };
    let modules = parse_file(source, "input", options, &mut diagnostics);
    diagnostics.take();
    modules.ok()
}

/// Returns the versions that can hold a module, with its bytes. Unless no version can, they are the
/// newest versions, without gaps.
fn versions(name: &str, module: &Module) -> Vec<(Version, Vec<u8>)> {
    let written = Version::ALL.map(|version| write(module, version));
    if let Err(error) = &written[3] {
        let is_known = NEVER.iter().any(|part| error.message.contains(part));
        assert!(is_known, "{name}: {error}");
        return Vec::new();
    }
    let newer = |error: &BytecodeError| {
        let message = &error.message;
        message.contains("requires bytecode version") || message.contains("is not available in")
    };
    let mut versions = Vec::new();
    for (version, written) in Version::ALL.into_iter().zip(written) {
        match written {
            Ok(bytes) => versions.push((version, bytes)),
            Err(error) => {
                assert!(
                    versions.is_empty() && newer(&error),
                    "{name} {version}: {error}"
                );
            }
        }
    }
    versions
}

/// Returns the structure of a module without the parts that old versions omit.
fn kept(module: &Module, version: Version) -> String {
    let mut module = module.clone();
    module.producer = module.producer.filter(|_| version >= Version::V13_3);
    structure_with(&module, BYTECODE)
}

#[test]
fn file_tests_read_back_as_they_were() {
    let (mut files, mut older) = (0, 0);
    let mut mnemonics = BTreeSet::new();
    for (name, module) in modules() {
        for (version, bytes) in versions(&name, &module) {
            let back = read(&bytes).unwrap_or_else(|error| panic!("{name} {version}: {error}"));
            let actual = structure_with(&back, BYTECODE);
            assert_eq!(actual, kept(&module, version), "{name} {version}");
            assert_eq!(write(&back, version), Ok(bytes), "{name} {version}");
            let ops = back.walk(back.body()).into_iter();
            mnemonics.extend(ops.map(|op| back.op(op).def().mnemonic));
            files += 1;
            older += usize::from(version < Version::V13_4);
        }
    }
    assert!(
        files > 500 && older > 300,
        "only {files} files, {older} older"
    );
    let never = ["module", "testing$func", "unregistered"];
    let opcodes = Opcode::all().filter(|opcode| opcode.dialect().has_bytecode());
    let opcodes = opcodes.map(|opcode| opcode.def().mnemonic);
    let expected: BTreeSet<_> = opcodes
        .filter(|mnemonic| !never.contains(mnemonic))
        .collect();
    assert_eq!(mnemonics, expected);
}

#[test]
fn tileirdisasm_takes_file_tests_and_its_text_reads_back() {
    let Some(disassembler) = Disassembler::find() else {
        return;
    };
    let modules: Vec<_> = modules()
        .into_iter()
        .filter(|(name, _)| !EXCEPTIONS.iter().any(|(exception, _)| exception == name))
        .collect();
    let errors: Vec<String> = modules
        .par_iter()
        .flat_map_iter(|(name, module)| {
            let disassembler = &disassembler;
            let versions = versions(name, module).into_iter();
            versions.filter_map(move |(version, bytes)| {
                let error = judged(disassembler, module, &bytes).err()?;
                Some(format!("{name} {version}: {error}"))
            })
        })
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Checks that the disassembler's output is equivalent to the module.
fn judged(disassembler: &Disassembler, module: &Module, bytes: &[u8]) -> Result<(), String> {
    let text = disassembler.debug_text(bytes)?;
    let mut back = parse(&text).ok_or_else(|| format!("their text does not parse:\n{text}"))?;
    // The tool prints no module around the operations, and nothing for an empty module.
    let mut back = back.pop().unwrap_or_else(|| Module::new("kernels"));
    // The tool prints the producer in a comment.
    back.producer.clone_from(&module.producer);
    let (ours, theirs) = (
        structure_with(module, BYTECODE),
        structure_with(&back, BYTECODE),
    );
    if ours == theirs {
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(&ours, &theirs);
    Err(diff.unified_diff().header("ours", "theirs").to_string())
}
