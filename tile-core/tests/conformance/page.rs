//! Renders `docs/conformance.md`.

use crate::differences::{DIFFERENCES, Refuses};
use std::fmt::Write;

/// The number of mutants stated on the page.
pub(crate) const MUTANTS: u64 = 10_000;

/// The counts on the page.
pub(crate) struct Figures {
    pub(crate) refused: u64,
    pub(crate) accepted: u64,
    pub(crate) unwritable: u64,
    pub(crate) kinds: u64,
    /// The count of each difference, by its number.
    pub(crate) differences: Vec<u64>,
}

impl Figures {
    /// Reads the counts from a page, which are the numbers in its rows, in order.
    pub(crate) fn parse(page: &str) -> Self {
        let rows = page.lines().filter(|line| line.starts_with('|'));
        let cells = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit("| ").next());
        let mut numbers = cells.filter_map(|cell| cell.parse().ok());
        let mut next = || numbers.next().unwrap_or(0);
        Self {
            refused: next(),
            accepted: next(),
            unwritable: next(),
            kinds: next(),
            differences: DIFFERENCES.iter().map(|_| next()).collect(),
        }
    }
}

/// Renders the page.
pub(crate) fn page(figures: &Figures) -> String {
    let mut out = String::from(HEAD);
    let Figures {
        refused,
        accepted,
        unwritable,
        kinds,
        differences,
    } = figures;
    let _ = write!(
        out,
        "\n| of {MUTANTS} mutants | |\n|---|---|\n\
         | both refuse | {refused} |\n\
         | both accept | {accepted} |\n\
         | drawn besides, that bytecode cannot hold | {unwritable} |\n\
         | kinds of faults (operation and rule) for which both refuse | {kinds} |\n\
         \n| difference | who refuses | mutants |\n|---|---|---|\n"
    );
    for (difference, count) in DIFFERENCES.iter().zip(differences) {
        let who = match difference.refuses {
            Refuses::Ours => "we",
            Refuses::Theirs => "`tileirdisasm`",
        };
        let _ = writeln!(out, "| {} | {who} | {count} |", difference.name);
    }
    for difference in DIFFERENCES {
        let _ = write!(
            out,
            "\n### {}\n\n```mlir\n{}\n```\n\nSpecification: {}\n\n{}\n",
            difference.name, difference.example, difference.specification, difference.reason
        );
    }
    out.push_str(TAIL);
    out
}

const HEAD: &str = include_str!("head.md");
const TAIL: &str = include_str!("tail.md");
