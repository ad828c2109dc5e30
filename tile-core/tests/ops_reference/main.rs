//! Tests that `docs/ops.md` agrees with the op table. `TILE_BLESS=1` rewrites the page.

mod roster;

use std::fs;
use std::path::Path;
use tile_core::ops::{Opcode, reference};

#[test]
fn the_page_of_operations_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ops.md");
    let expected = reference();
    if std::env::var_os("TILE_BLESS").is_some() {
        fs::write(&path, expected).expect("`docs/ops.md` can be written");
        return;
    }
    let actual = fs::read_to_string(&path).unwrap_or_default();
    if let Some(line) = first_difference(&actual, &expected) {
        panic!("`docs/ops.md` is stale from line {line} on: run this test with `TILE_BLESS=1`");
    }
}

/// Returns the first line that differs, counted from 1.
fn first_difference(actual: &str, expected: &str) -> Option<usize> {
    if actual == expected {
        return None;
    }
    let same = actual
        .lines()
        .zip(expected.lines())
        .take_while(|(actual, expected)| actual == expected)
        .count();
    Some(same + 1)
}

#[test]
fn every_operation_has_one_heading() {
    let page = reference();
    for opcode in Opcode::all() {
        let heading = format!("\n### `{}`\n", opcode.def().mnemonic);
        assert_eq!(page.matches(&heading).count(), 1, "{heading}");
    }
}

#[test]
fn links_within_the_page_lead_somewhere() {
    let page = reference();
    // The anchors of headings: lower case, without punctuation, `-` for spaces.
    let anchors: Vec<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## ").or(line.strip_prefix("### ")))
        .map(|heading| {
            heading
                .to_lowercase()
                .replace(['`', '$', '.'], "")
                .replace(' ', "-")
        })
        .collect();
    let links: Vec<&str> = page
        .split("](#")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert_eq!(links.len(), anchors.len());
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "{link}");
    }
}
