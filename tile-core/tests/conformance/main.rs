//! Compares our verifier with `tileirdisasm` on mutated modules, in bytecode of every version.
//!
//! Where the two disagree, the difference must be one of those in `differences.rs`, which
//! `docs/conformance.md` explains. `cargo test` checks 1,000 mutants; `TILE_CONFORMANCE=10000`
//! checks the number of mutants stated on the page, and then the counts on the page must be right.
//! Every difference has an example, which must still demonstrate it. `TILE_BLESS=1` rewrites the
//! page.

#[path = "../common/tools.rs"]
mod tools;

mod differences;
mod mutants;
mod page;
mod survey;
mod verdict;

use differences::{DIFFERENCES, Refuses};
use mutants::Bases;
use page::Figures;
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use survey::Survey;
use tile_core::bytecode::{self, Version};
use tile_core::{Diagnostics, text};
use tools::{skip, tool};
use verdict::{Oracle, ours};

/// The default number of mutants.
const SOME: u64 = 1_000;

fn count() -> u64 {
    match std::env::var("TILE_CONFORMANCE") {
        Ok(count) => count.parse().expect("`TILE_CONFORMANCE` is a number"),
        Err(_) => SOME,
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are for people to read")]
fn disagreements_about_mutants_are_explained() {
    let Some(tool) = tool("tileirdisasm") else {
        return skip("tileirdisasm");
    };
    let (oracle, bases) = (Oracle::new(tool), Bases::load());
    let count = count();
    let survey = (0..count)
        .into_par_iter()
        .map(|seed| {
            let mutant = bases.draw(seed);
            let (ours, theirs) = (ours(&mutant.bytes), oracle.verdict(&mutant.bytes));
            Survey::compare(&mutant, &ours, &theirs)
        })
        .reduce(Survey::default, Survey::merge);
    println!("{survey}");
    assert!(
        survey.unexplained.is_empty(),
        "not in `differences.rs`:\n{}",
        survey.unexplained.join("\n")
    );
    // Mutants that are all invalid, or all valid, would test little.
    let invalid = 100 * survey.invalid() / count;
    assert!((40..=70).contains(&invalid), "{invalid} % are invalid");
    if count == page::MUTANTS {
        check_page(&survey.figures());
    }
}

#[test]
fn every_difference_has_an_example() {
    let Some(tool) = tool("tileirdisasm") else {
        return skip("tileirdisasm");
    };
    let oracle = Oracle::new(tool);
    for difference in DIFFERENCES {
        let name = difference.name;
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(difference.example, name, &mut diagnostics);
        let mut module = module.unwrap_or_else(|_| panic!("{name}: {:#?}", diagnostics.take()));
        (difference.change)(&mut module);
        let bytes = bytecode::write(&module, Version::V13_4);
        let bytes = bytes.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (ours, theirs) = (ours(&bytes), oracle.verdict(&bytes));
        let (refuses, faults) = match difference.refuses {
            Refuses::Ours => (&ours, ours.faults()),
            Refuses::Theirs => (&theirs, theirs.faults()),
        };
        assert!(!refuses.is_accepted(), "{name} is refused by none");
        assert_ne!(
            ours.is_accepted(),
            theirs.is_accepted(),
            "{name}: {theirs:?}"
        );
        for fault in faults {
            let explained = difference.explains(difference.refuses, fault);
            assert!(explained, "{name}: {fault:?}");
        }
    }
}

/// Rendering the page again from `differences.rs`, with the counts that the page states, gives the
/// same page.
#[test]
fn the_page_of_differences_is_fresh() {
    let page_text = fs::read_to_string(page_path()).unwrap_or_default();
    check_page(&Figures::parse(&page_text));
}

fn page_path() -> impl AsRef<Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance.md")
}

fn check_page(figures: &Figures) {
    let expected = page::page(figures);
    if std::env::var_os("TILE_BLESS").is_some() {
        fs::write(page_path(), expected).expect("`docs/conformance.md` can be written");
        return;
    }
    let page_text = fs::read_to_string(page_path()).unwrap_or_default();
    let difference = similar::TextDiff::from_lines(&page_text, &expected);
    assert!(
        page_text == expected,
        "`docs/conformance.md` is stale, run this test with `TILE_BLESS=1` and `TILE_CONFORMANCE={}`:\n{}",
        page::MUTANTS,
        difference.unified_diff().context_radius(1)
    );
}
