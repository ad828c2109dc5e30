//! Tests the messages of faults: `texts.txt` has one of each kind.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::mutant::Mutant;
use crate::run::Finding;

/// Compares the messages of the faults that seed 0 finds, for the first mutant of each kind.
pub(crate) fn compare<'a>(results: impl Iterator<Item = (&'a Mutant, Option<&'a (u64, Finding)>)>) {
    let mut by_kind = BTreeMap::new();
    for (mutant, first) in results {
        if let Some((0, finding @ Finding::Fault(_))) = first {
            by_kind.entry(finding.kind()).or_insert((mutant, finding));
        }
    }
    let mut texts = String::new();
    for (mutant, finding) in by_kind.values() {
        writeln!(texts, "{}\n    {finding}\n", mutant.name).expect("a string takes all");
    }
    let path = crate::folder().join("texts.txt");
    if std::env::var_os("TILE_BLESS").is_some() {
        std::fs::write(&path, &texts).expect("the folder is there");
    }
    let stated = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stated, texts, "`TILE_BLESS=1` rewrites it");
}
