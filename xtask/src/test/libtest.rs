//! Parses the closing line of test binaries, of both libtest and libtest-mimic: `test result: ok. 3
//! passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; ...`.

use std::fmt;
use std::ops::AddAssign;

/// The number of tests with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
}

impl Tally {
    /// Returns `true` if tests ran and none failed.
    pub(super) fn is_success(self) -> bool {
        self.passed > 0 && self.failed == 0
    }

    /// Counts a failure that no closing line reported, and returns the problem if the counts alone
    /// do not show it.
    pub(super) fn judge(&mut self, cargo_succeeded: bool) -> Option<&'static str> {
        if !cargo_succeeded && self.failed == 0 {
            self.failed = 1;
            return Some("a build failed or a test program died: its error is above");
        }
        (self.passed == 0 && self.failed == 0).then_some("no test ran")
    }

    /// Parses a closing line; anything else is `None`.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = without_escapes(line);
        let rest = line.trim().strip_prefix("test result: ")?;
        let (_, counts) = rest.split_once(". ")?;
        let mut counts = counts.split(';');
        let mut count = |word: &str| -> Option<u64> {
            let (number, kind) = counts.next()?.trim().split_once(' ')?;
            if kind != word {
                return None;
            }
            number.parse().ok()
        };
        Some(Self {
            passed: count("passed")?,
            failed: count("failed")?,
            skipped: count("ignored")?,
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, rhs: Self) {
        self.passed += rhs.passed;
        self.failed += rhs.failed;
        self.skipped += rhs.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// Removes the colour codes that `--color=always` puts around `ok` and `FAILED`.
fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        if char != '\u{1b}' {
            plain.push(char);
            continue;
        }
        // `ESC (B` selects a character set, `ESC [ ... m` a colour.
        if chars.next() == Some('(') {
            chars.next();
            continue;
        }
        let _ = chars.by_ref().find(char::is_ascii_alphabetic);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &str = "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; \
                      1 filtered out; finished in 0.02s";
    const FAILED: &str = "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; \
                          0 filtered out; finished in 1.50s";

    #[test]
    fn closing_lines_are_counted() {
        let ok = Tally {
            passed: 12,
            failed: 0,
            skipped: 3,
        };
        let failed = Tally {
            passed: 4,
            failed: 2,
            skipped: 0,
        };
        assert_eq!(Tally::parse(OK), Some(ok));
        assert_eq!(Tally::parse(FAILED), Some(failed));
        let mut sum = ok;
        sum += failed;
        assert_eq!(sum.to_string(), "16 passed, 2 failed, 3 skipped");
    }

    #[test]
    fn coloured_closing_lines_are_counted() {
        let colours = "test result: \u{1b}[32mok\u{1b}(B\u{1b}[m. 7 passed; 0 failed; 0 ignored";
        assert_eq!(Tally::parse(colours).map(|tally| tally.passed), Some(7));
    }

    #[test]
    fn a_program_that_dies_without_a_closing_line_is_a_failure() {
        let mut tally = Tally {
            passed: 3,
            ..Tally::default()
        };
        assert!(tally.judge(false).is_some());
        assert_eq!(tally.failed, 1);
        assert!(!tally.is_success());
    }

    #[test]
    fn reported_failures_are_not_counted_again() {
        let mut tally = Tally {
            passed: 3,
            failed: 2,
            skipped: 0,
        };
        assert_eq!(tally.judge(false), None);
        assert_eq!(tally.failed, 2);
        assert!(!tally.is_success());
    }

    #[test]
    fn a_run_without_tests_is_no_success() {
        let mut tally = Tally {
            skipped: 4,
            ..Tally::default()
        };
        assert_eq!(tally.judge(true), Some("no test ran"));
        assert!(!tally.is_success());
    }

    #[test]
    fn a_run_of_passing_tests_is_a_success() {
        let mut tally = Tally::parse(OK).expect("a closing line");
        assert_eq!(tally.judge(true), None);
        assert!(tally.is_success());
    }

    #[test]
    fn other_lines_are_not_counted() {
        for line in [
            "",
            "running 3 tests",
            "test result: ok",
            "test result: ok. many passed; 0 failed; 0 ignored",
            "test result: ok. 3 failed; 0 passed; 0 ignored",
            "note: test result: ok. 1 passed; 0 failed; 0 ignored",
        ] {
            assert_eq!(Tally::parse(line), None, "{line:?}");
        }
    }
}
