//! Tests what the IR depends on.

use std::path::Path;

/// Modules that depend on the IR.
const ABOVE: [&str; 5] = ["passes", "analysis", "lower", "resources", "remarks"];

#[test]
fn the_ir_imports_nothing_of_its_users() {
    let mut offending = Vec::new();
    visit(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu"),
        &mut offending,
    );
    assert_eq!(offending, Vec::<String>::new());
}

fn visit(folder: &Path, offending: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            visit(&path, offending);
            continue;
        }
        // Tests take kernels from wherever they are made.
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source file");
        let code = source.lines().take_while(|line| *line != "mod tests {");
        let lines = code.filter(|line| names_user(line));
        offending.extend(lines.map(|line| format!("{}: {line}", path.display())));
    }
}

/// Returns `true` if a line of code has a path into one of the modules, or imports one.
fn names_user(line: &str) -> bool {
    let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let code = line.split("//").next().unwrap_or_default();
    ABOVE.iter().any(|module| {
        code.match_indices(module).any(|(start, _)| {
            let (before, after) = (&code[..start], &code[start + module.len()..]);
            let is_word = !before.ends_with(is_in_word) && !after.starts_with(is_in_word);
            is_word && (after.starts_with("::") || before.ends_with("crate::"))
        })
    })
}

#[test]
fn every_form_of_an_import_is_seen() {
    for line in [
        "use crate::passes::barriers;",
        "use crate::{layout::Axis, analysis::reuse};",
        "    super::super::lower::lower(module)",
        "use crate::remarks;",
    ] {
        assert!(names_user(line), "{line}");
    }
    for line in [
        "let passes = 3;",
        "// crate::passes::barriers",
        "use crate::disabled_passes::DisabledPasses;",
        "self.passes()",
    ] {
        assert!(!names_user(line), "{line}");
    }
}
