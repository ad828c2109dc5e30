//! The list of known failures: `name: stage: reason`, one per line, after comments.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tile_sim::Module;

use crate::corpus::Kernel;
use crate::run::{Outcome, Stage};

/// The stages, by kernel name.
pub(crate) type Gaps = BTreeMap<String, String>;

pub(crate) fn read(list: &Path) -> Gaps {
    let text = fs::read_to_string(list).expect("the list is there");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut parts = line.splitn(3, ": ");
            let mut part = || parts.next().expect("`name: stage: reason`").to_owned();
            (part(), part())
        })
        .collect()
}

/// An expected fault of a kernel.
pub(crate) struct Finding {
    name: String,
    report: String,
}

pub(crate) fn findings(list: &Path) -> Vec<Finding> {
    let text = fs::read_to_string(list).expect("the list is there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.splitn(3, ": ");
            let mut part = || parts.next().expect("`name: report: why`").to_owned();
            Finding {
                name: part(),
                report: part(),
            }
        })
        .collect()
}

impl Finding {
    /// Replaces the outcome by a success if the expected fault was found.
    pub(crate) fn judge(&self, outcomes: &mut BTreeMap<String, Outcome>) {
        let Some(outcome) = outcomes.get_mut(&self.name) else {
            return;
        };
        match outcome.stage {
            Stage::Fault if outcome.reason.contains(&self.report) => outcome.stage = Stage::Passed,
            Stage::Passed => {
                outcome.stage = Stage::Wrong;
                outcome.reason = format!("no check finds that it `{}`", self.report);
            }
            Stage::Fault | Stage::Refused | Stage::Wrong => {}
        }
    }
}

/// Returns the differences between list and outcomes.
pub(crate) fn compare(gaps: &Gaps, outcomes: &BTreeMap<String, Outcome>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, outcome) in outcomes {
        let stage = outcome.stage.name();
        match gaps.get(name) {
            None if outcome.passed() => {}
            None => complaints.push(format!("{name}: {}", outcome.verdict())),
            Some(_) if outcome.passed() => {
                complaints.push(format!("{name} passes: remove it from `gaps.txt`"));
            }
            Some(listed) if listed == stage => {}
            Some(listed) => complaints.push(format!(
                "{name} is listed as `{listed}`, but: {}",
                outcome.verdict()
            )),
        }
    }
    complaints
}

/// Returns everything in a text that is not supported: errors are removed one after another until
/// the rest parses.
fn unknown(text: &str) -> BTreeSet<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut messages = BTreeSet::new();
    while let Err(error) = Module::parse(&lines.join("\n")) {
        let message = error.message.clone();
        let Some(line) = (error.line as usize).checked_sub(1) else {
            messages.insert(message);
            break;
        };
        // Excludes follow-up errors of an unknown directive.
        if !message.starts_with("expected a directive") {
            messages.insert(message);
        }
        if lines[line].is_empty() {
            break;
        }
        lines[line] = "";
    }
    messages
}

/// Rewrites the list.
pub(crate) fn write(list: &Path, kernels: &[Kernel], outcomes: &BTreeMap<String, Outcome>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for kernel in kernels {
        for what in unknown(&kernel.text) {
            *counts.entry(what).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut text =
        String::from("# Kernels of `corpus/` that do not pass. `TILE_BLESS=1` rewrites it.\n");
    if !counts.is_empty() {
        text += "#\n# What is not understood, and in how many of them:\n";
    }
    for (what, count) in counts {
        let _ = writeln!(text, "# {count:>4} {what}");
    }
    for (name, outcome) in outcomes {
        if outcome.stage != Stage::Passed {
            let _ = writeln!(text, "{name}: {}", outcome.verdict());
        }
    }
    fs::write(list, text).expect("a writable folder");
}
