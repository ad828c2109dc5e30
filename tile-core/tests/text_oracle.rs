//! Compares our text with that of NVIDIA's `tileirdisasm` for the same module, up to names of
//! values and whitespace.

#[path = "common/tools.rs"]
mod tools;

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use tile_core::bytecode::{self, Version};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module, text};
use tools::{skip, tool};

/// File tests whose text differs, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "parse/get_global.mlir",
        "globals precede entries in bytecode",
    ),
    (
        "parse/hints.mlir",
        "they leave out the types of numbers and the quotes of keys, so that the text does not read back",
    ),
];

fn parse(source: &str) -> Option<Module> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics);
    diagnostics.take();
    module.ok()
}

fn is_valid(module: &Module) -> bool {
    let mut diagnostics = Diagnostics::new();
    let result = verify(module.clone(), &mut diagnostics);
    diagnostics.take();
    result.is_ok()
}

/// Returns `true` if bytecode can hold every operation.
fn has_bytecode(module: &Module) -> bool {
    let ops = module.walk(module.body()).into_iter();
    let mut dialects = ops.map(|id| module.op(id).opcode.dialect());
    dialects.all(tile_core::ops::Dialect::has_bytecode)
}

/// Returns the module without the parts that bytecode cannot hold: discardable attributes, and some
/// kinds of locations.
fn without_notes(mut module: Module) -> Module {
    module.discardable.clear();
    module.loc = module.loc.with_debug(None);
    for id in module.walk(module.body()) {
        let op = module.op_mut(id);
        op.discardable.clear();
        op.loc = op.loc.with_debug(None);
    }
    module
}

/// Returns the text with values numbered in order of definition and with single spaces.
fn normal(text: &str) -> String {
    let mut names = Names::default();
    let mut out = String::new();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        match lines.last_mut() {
            // Skip the comment that names the producer of the module.
            _ if line.is_empty() || line.starts_with("//") => {}
            // `tileirdisasm` starts a new line before the arguments of a reduction.
            Some(last) if line.starts_with('(') => *last = format!("{last} {line}"),
            _ => lines.push(line.to_owned()),
        }
    }
    for line in &lines {
        let results = line
            .split_once(" = ")
            .map(|(results, _)| results)
            .filter(|results| results.split(", ").all(|one| one.starts_with('%')))
            .map_or(0, str::len);
        // `%a, %b = op %c` uses values before it defines any.
        normal_values(&line[results..], 0, &mut names, &mut out);
        let mut left = String::new();
        normal_values(&line[..results], results, &mut names, &mut left);
        let _ = writeln!(out, " => {left}");
    }
    out.replace("fpowf ", "pow ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Numbers of values; a name may be reused in another region.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, usize>,
    next: usize,
}

impl Names {
    fn define(&mut self, name: &str) -> usize {
        let number = self.next;
        self.numbers.insert(name.to_owned(), number);
        self.next += 1;
        number
    }
}

fn normal_values(mut rest: &str, results: usize, names: &mut Names, out: &mut String) {
    let is_name = |letter: char| letter.is_alphanumeric() || "_$.-#".contains(letter);
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let end = after.find(|letter| !is_name(letter)).unwrap_or(after.len());
        // A dash may be part of a name, but an arrow is not.
        let end = after[..end].find("->").unwrap_or(end);
        let (name, after) = after.split_at(end);
        let count = after
            .strip_prefix(':')
            .map(|count| {
                count
                    .split(|c: char| !c.is_ascii_digit())
                    .next()
                    .unwrap_or_default()
            })
            .and_then(|count| count.parse().ok());
        rest = after;
        if let Some(count) = count.filter(|_| results > 0) {
            let numbers: Vec<String> = (0..count)
                .map(|number: usize| format!("%{}", names.define(&format!("{name}#{number}"))))
                .collect();
            out.push_str(&numbers.join(", "));
            rest = after.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
            continue;
        }
        let defines = results > 0
            || after.starts_with(": ")
            || after.starts_with(" = ")
            || after.starts_with(" in (");
        let number = if defines {
            names.define(name)
        } else {
            names.numbers.get(name).copied().unwrap_or(usize::MAX)
        };
        let _ = write!(out, "%{number}");
    }
    out.push_str(rest);
}

#[test]
fn tileirdisasm_prints_what_we_print() {
    let Some(disassembler) = tool("tileirdisasm") else {
        return skip("tileirdisasm");
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("module.tilebc");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let (mut compared, mut faults) = (0, Vec::new());
    for kind in ["parse", "verify", "canonicalize"] {
        for entry in fs::read_dir(root.join(kind)).expect("the folder of tests exists") {
            let path = entry.expect("a readable folder").path();
            let name = format!("{kind}/{}", path.file_name().expect("a file").display());
            if EXCEPTIONS.iter().any(|(exception, _)| *exception == name) {
                continue;
            }
            let source = fs::read_to_string(&path).expect("a readable file");
            let source = source.split("// output:\n").next().unwrap_or_default();
            let Some(module) = parse(source)
                .filter(has_bytecode)
                .filter(is_valid)
                .map(without_notes)
            else {
                continue;
            };
            let bytes = match bytecode::write(&module, Version::V13_4) {
                Ok(bytes) => bytes,
                Err(error) => {
                    faults.push(format!("{name}: {error}"));
                    continue;
                }
            };
            fs::write(&file, bytes).expect("it is writable");
            let output = Command::new(&disassembler)
                .arg(&file)
                .output()
                .expect("it runs");
            let theirs = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr);
            if !output.status.success() {
                faults.push(format!("{name}: {errors}"));
                continue;
            }
            let ours = text::print(&module);
            // `tileirdisasm` prints the operations of a module without the module.
            let (_, body) = ours
                .split_once('\n')
                .expect("the module has a line of its own");
            let body = body.trim_end().strip_suffix('}').expect("the module ends");
            // In bytecode, globals, which take one line each, precede entries.
            let (globals, entries): (Vec<&str>, Vec<&str>) =
                body.lines().partition(|line| line.starts_with("  global "));
            let body = [globals, entries].concat().join("\n");
            let (ours, theirs) = (normal(&body), normal(&theirs));
            if ours != theirs {
                let diff = similar::TextDiff::from_words(&ours, &theirs);
                let diff = diff.unified_diff().context_radius(8).to_string();
                faults.push(format!("{name}: ours is -, theirs is +\n{diff}"));
            }
            compared += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared > 100, "only {compared} modules were compared");
}
