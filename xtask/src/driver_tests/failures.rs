//! The tests that are known to fail, and why.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

/// Lines of a crate, a test, and the reason, between tabs.
const LIST: &str = include_str!("failures.tsv");

pub(super) struct Failures(BTreeMap<(&'static str, &'static str), &'static str>);

impl Failures {
    pub(super) fn known() -> Result<Self> {
        let mut known = BTreeMap::new();
        let lines = LIST
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let mut cells = line.split('\t');
            let (Some(subject), Some(test), Some(why), None) =
                (cells.next(), cells.next(), cells.next(), cells.next())
            else {
                bail!("`failures.tsv` has a line without three cells: {line}");
            };
            known.insert((subject, test), why);
        }
        Ok(Self(known))
    }

    /// Returns why a test fails, if it is known to.
    pub(super) fn why(&self, subject: &str, test: &str) -> Option<&'static str> {
        self.0.get(&(subject, test)).copied()
    }

    /// Returns `true` if a test with this reason passes in some runs.
    pub(super) fn may_pass(why: &str) -> bool {
        why.starts_with("may pass: ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_reasons() {
        let known = Failures::known().unwrap();
        assert!(known.0.values().all(|why| why.len() > 20));
    }
}
