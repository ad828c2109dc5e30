//! Accumulates the verdicts on many mutants.

use crate::differences::{DIFFERENCES, Refuses};
use crate::mutants::Mutant;
use crate::page::Figures;
use crate::verdict::{Fault, Verdict};
use std::collections::BTreeMap;
use std::fmt;

/// Counts of verdicts.
#[derive(Default)]
pub(crate) struct Survey {
    mutants: u64,
    /// The number of mutants that both verifiers refuse.
    refused: u64,
    /// The number of mutants that both verifiers accept.
    accepted: u64,
    /// The number of mutants that bytecode cannot hold, and for which others were drawn.
    unwritable: u64,
    /// For each difference, by index, the number of mutants that show it.
    differences: BTreeMap<usize, u64>,
    /// For each operation and rule, the number of mutants that both verifiers refuse and that ours
    /// refuses for this rule.
    kinds: BTreeMap<String, u64>,
    /// Disagreements that no difference explains.
    pub(crate) unexplained: Vec<String>,
}

impl Survey {
    /// Compares the verdicts on one mutant.
    pub(crate) fn compare(mutant: &Mutant, ours: &Verdict, theirs: &Verdict) -> Self {
        let mut survey = Self {
            mutants: 1,
            unwritable: mutant.unwritable,
            ..Self::default()
        };
        let (refuses, faults) = match (ours.is_accepted(), theirs.is_accepted()) {
            (true, true) => {
                survey.accepted = 1;
                return survey;
            }
            (false, false) => {
                survey.refused = 1;
                for fault in ours.faults() {
                    survey.kinds.insert(fault.kind(), 1);
                }
                return survey;
            }
            (false, true) => (Refuses::Ours, ours.faults()),
            (true, false) => (Refuses::Theirs, theirs.faults()),
        };
        for fault in faults {
            match explanation(refuses, fault) {
                Some(number) => {
                    survey.differences.insert(number, 1);
                }
                None => survey.unexplained.push(format!(
                    "{} of {}: {refuses:?} refuse: {fault:?}",
                    mutant.name, mutant.source
                )),
            }
        }
        survey
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        let Self {
            mutants,
            refused,
            accepted,
            unwritable,
            differences,
            kinds,
            unexplained,
        } = other;
        self.mutants += mutants;
        self.refused += refused;
        self.accepted += accepted;
        self.unwritable += unwritable;
        for (number, count) in differences {
            *self.differences.entry(number).or_default() += count;
        }
        for (kind, count) in kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.unexplained.extend(unexplained);
        self
    }

    /// Returns the number of mutants that at least one verdict refuses.
    pub(crate) fn invalid(&self) -> u64 {
        self.mutants - self.accepted
    }

    pub(crate) fn figures(&self) -> Figures {
        let count = |number| self.differences.get(&number).copied().unwrap_or(0);
        Figures {
            refused: self.refused,
            accepted: self.accepted,
            unwritable: self.unwritable,
            kinds: self.kinds.len() as u64,
            differences: (0..DIFFERENCES.len()).map(count).collect(),
        }
    }
}

fn explanation(refuses: Refuses, fault: &Fault) -> Option<usize> {
    let mut entries = DIFFERENCES.iter();
    entries.position(|difference| difference.explains(refuses, fault))
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in &self.kinds {
            writeln!(f, "{count:6} {kind}")?;
        }
        for (difference, count) in DIFFERENCES.iter().zip(self.figures().differences) {
            writeln!(
                f,
                "{count:6} {:?} refuse: {}",
                difference.refuses, difference.name
            )?;
        }
        write!(
            f,
            "{} mutants: both refuse {} for {} kinds of faults, both accept {}, {} more cannot be written",
            self.mutants,
            self.refused,
            self.kinds.len(),
            self.accepted,
            self.unwritable
        )
    }
}
