//! Collects what test binaries print about failed tests, of both libtest (`---- NAME stdout ----`) and libtest-mimic
//! (`---- NAME ----`), so that it can be repeated at the end: between are the thousands of lines of the tests that pass.

use std::fmt;

/// The lines of a failure that are kept.
const LINES: usize = 30;

/// The failed tests of a run, in order.
#[derive(Debug, Default)]
pub(super) struct Failures {
    failures: Vec<Failure>,
    /// The last line was one of a failure's message.
    is_inside: bool,
}

#[derive(Debug)]
struct Failure {
    name: String,
    lines: Vec<String>,
    /// The lines that are not kept.
    omitted: usize,
}

impl Failures {
    /// Reads the next line of the output.
    pub(super) fn read(&mut self, line: &str) {
        if let Some(name) = heading(line) {
            self.failures.push(Failure {
                name: name.to_owned(),
                lines: Vec::new(),
                omitted: 0,
            });
            self.is_inside = true;
            return;
        }
        // The list of names follows the messages. A binary that dies prints none.
        if line == "failures:" || line.starts_with("test result: ") || line.starts_with("running ")
        {
            self.is_inside = false;
        }
        if let Some(failure) = self.failures.last_mut()
            && self.is_inside
        {
            if failure.lines.len() < LINES {
                failure.lines.push(line.to_owned());
            } else {
                failure.omitted += 1;
            }
        }
    }
}

/// Returns the name of the test whose message follows.
fn heading(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    Some(name.strip_suffix(" stdout").unwrap_or(name))
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "test: `{}` failed", failure.name)?;
            let kept = failure.lines.iter().rposition(|line| !line.is_empty());
            for line in &failure.lines[..kept.map_or(0, |last| last + 1)] {
                writeln!(f, "  {line}")?;
            }
            if failure.omitted > 0 {
                writeln!(f, "  ({} more lines are above)", failure.omitted)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let mut failures = Failures::default();
        for line in text.lines() {
            failures.read(line);
        }
        failures.to_string()
    }

    #[test]
    fn messages_are_repeated_without_what_is_between() {
        let libtest = "running 2 tests\ntest a::b ... FAILED\ntest c ... ok\n\nfailures:\n\n---- a::b stdout ----\n\
                       thread 'a::b' panicked at src/a.rs:3:5:\nleft: 1\n\n\nfailures:\n    a::b\n\n\
                       test result: FAILED. 1 passed; 1 failed; 0 ignored\n\nrunning 1 test\ntest d ... ok\n";
        let mimic = "failures:\n\n---- files/x.mlir::sm_80 ----\nno such op\n\nfailures:\n    files/x.mlir::sm_80\n";
        assert_eq!(
            of(&format!("{libtest}{mimic}")),
            "test: `a::b` failed\n  thread 'a::b' panicked at src/a.rs:3:5:\n  left: 1\n\
             test: `files/x.mlir::sm_80` failed\n  no such op\n"
        );
    }

    #[test]
    fn a_long_message_is_cut() {
        let text = format!("---- a ----\n{}failures:\n", "line\n".repeat(LINES + 7));
        let repeated = of(&text);
        assert_eq!(repeated.matches("  line\n").count(), LINES);
        assert!(
            repeated.ends_with("  (7 more lines are above)\n"),
            "{repeated}"
        );
    }

    #[test]
    fn a_run_without_failures_says_nothing() {
        assert_eq!(of("running 1 test\ntest a ... ok\n---- nothing\n"), "");
    }
}
