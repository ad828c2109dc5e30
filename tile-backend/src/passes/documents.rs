//! Holds the documents to [`PIPELINE`]: their tables are generated from it.
//!
//! `TILE_BLESS=1 cargo test --workspace --lib -- passes::documents` rewrites them.

use super::{PIPELINE, optimizations};
use std::fmt::Write as _;
use std::path::Path;

/// Checks the text between two comments of a document, or rewrites it.
fn check(document: &str, marker: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/design");
    let path = path.join(document);
    let text = std::fs::read_to_string(&path).expect("the document");
    let begin = format!("<!-- generated: {marker} -->\n");
    let start = text.find(&begin).expect("a comment begins the table") + begin.len();
    let length = text[start..]
        .find("<!-- end -->")
        .expect("a comment ends the table");
    let actual = &text[start..start + length];
    if actual == table {
        return;
    }
    assert!(
        std::env::var_os("TILE_BLESS").is_some(),
        "{document}: the table differs from `PIPELINE`; `TILE_BLESS=1` rewrites it:\n{table}"
    );
    let text = format!("{}{table}{}", &text[..start], &text[start + length..]);
    std::fs::write(&path, text).expect("a writable document");
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/design");
    assert!(
        path.join(format!("{name}.md")).is_file(),
        "docs/design has no page `{name}`"
    );
    format!("[{}]({name}.md)", name.replace('-', " "))
}

#[test]
fn the_table_of_passes_is_that_of_the_pipeline() {
    let mut table = "| pass | effect | page |\n|---|---|---|\n".to_owned();
    for pass in PIPELINE {
        let page = page(pass.page);
        let _ = writeln!(table, "| `{}` | {} | {page} |", pass.name, pass.summary);
    }
    check("gpu-ir.md", "passes", &table);
}

#[test]
fn the_table_of_optimizations_is_that_of_the_pipeline() {
    let mut table = "| name | what is not done | page |\n|---|---|---|\n".to_owned();
    for it in optimizations() {
        let page = page(it.page);
        let _ = writeln!(table, "| `{}` | {} | {page} |", it.name, it.summary);
    }
    check("README.md", "optimizations", &table);
}

#[test]
fn names_of_passes_and_optimizations_are_unique() {
    let mut passes: Vec<&str> = PIPELINE.iter().map(|pass| pass.name).collect();
    let mut names: Vec<&str> = optimizations().map(|it| it.name).collect();
    for list in [&mut passes, &mut names] {
        let count = list.len();
        list.sort_unstable();
        list.dedup();
        assert_eq!(list.len(), count);
    }
    let flags = optimizations().fold(crate::options::DisabledPasses::empty(), |all, it| {
        assert!(!all.intersects(it.flag), "`{}` shares its flag", it.name);
        all | it.flag
    });
    assert!(flags.is_all(), "a flag has no name");
}
