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
        let lines = source.lines().take_while(|line| *line != "mod tests {");
        let code: Vec<&str> = lines
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let code = code.join("\n");
        let statements = code.split(';').filter(|statement| names_user(statement));
        offending.extend(statements.map(|statement| format!("{}: {statement}", path.display())));
    }
}

/// Returns `true` if a statement imports one of the modules, or has a path into it.
fn names_user(statement: &str) -> bool {
    let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_import = statement
        .split_whitespace()
        .take(2)
        .any(|word| word == "use");
    ABOVE.iter().any(|module| {
        statement.match_indices(module).any(|(start, _)| {
            let (before, after) = (&statement[..start], &statement[start + module.len()..]);
            let is_word = !before.ends_with(is_in_word) && !after.starts_with(is_in_word);
            is_word && (is_import || after.starts_with("::"))
        })
    })
}

#[test]
fn every_form_of_an_import_is_seen() {
    for line in [
        "use crate::passes::barriers;",
        "use crate::{layout::Axis, analysis::reuse};",
        "    super::super::lower::lower(module)",
        "\nuse crate::remarks",
        "pub(super) use crate::{\n    layout,\n    resources as limits,\n}",
    ] {
        assert!(names_user(line), "{line}");
    }
    for line in [
        "let passes = 3;",
        "fn place(analysis: &Analysis) {}",
        "use crate::options::DisabledPasses;",
        "self.passes()",
    ] {
        assert!(!names_user(line), "{line}");
    }
}
