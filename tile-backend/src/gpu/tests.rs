//! Tests what the IR depends on.

use std::path::Path;

/// What is made from the IR, and may depend on it.
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
        let is_upward = |line: &&str| {
            let names = |module: &&str| line.contains(&format!("crate::{module}"));
            !line.trim_start().starts_with("//") && ABOVE.iter().any(names)
        };
        let lines = code.filter(is_upward);
        offending.extend(lines.map(|line| format!("{}: {line}", path.display())));
    }
}
