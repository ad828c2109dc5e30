//! The programs of a crate: its tests, its examples, and the tests of its documentation.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Outcome, Subject};

/// The most lines of output that are shown of a failure.
const LINES: usize = 30;

pub(super) struct Programs<F> {
    subject: &'static Subject,
    /// Makes a cargo command, whose environment is that of the tests.
    cargo: F,
    tests: PathBuf,
    examples: Vec<(String, PathBuf)>,
}

impl<F: Fn() -> Result<Command>> Programs<F> {
    pub(super) fn build(subject: &'static Subject, cargo: F) -> Result<Self> {
        let mut tests = None;
        let mut build = cargo()?;
        build.args(["test", "--lib", "--no-run"]);
        executables(subject, &mut build, |_, program| tests = Some(program))?;
        // `cargo test --example` would build tests of the examples, which have none.
        let mut examples = Vec::new();
        if !subject.examples.is_empty() {
            let mut build = cargo()?;
            build.arg("build");
            for example in subject.examples {
                build.args(["--example", example]);
            }
            executables(subject, &mut build, |name, program| {
                examples.push((name, program));
            })?;
        }
        ensure!(
            examples.len() == subject.examples.len(),
            "`{}` has other examples: {examples:?}",
            subject.name
        );
        let tests = tests.with_context(|| format!("`{}` has no test program", subject.name))?;
        Ok(Self {
            subject,
            cargo,
            tests,
            examples,
        })
    }

    /// Runs every program whose name contains the filter, and returns its name and what it did.
    pub(super) fn run(
        &self,
        filter: Option<&str>,
    ) -> impl Iterator<Item = (String, Result<Outcome>)> {
        let selected = move |name: &str| filter.is_none_or(|filter| name.contains(filter));
        let names = self.test_names();
        let listed = names.as_ref().err().map(|error| {
            let error = anyhow::anyhow!("{error:#}");
            ("the list of tests".to_owned(), Err(error))
        });
        let tests = names
            .unwrap_or_default()
            .into_iter()
            .filter(move |name| selected(name));
        let tests = tests.map(|name| {
            let arguments = ["--exact", &name, "--include-ignored", "--test-threads=1"];
            let outcome = self.process(&self.tests, &arguments);
            (name, outcome)
        });
        let examples = self.examples.iter().map(|(name, program)| {
            let name = format!("example {name}");
            (name, program)
        });
        let examples = examples
            .filter(move |(name, _)| selected(name))
            .map(|(name, program)| (name, self.process(program, &[])));
        let documented = if self.subject.has_doc_tests {
            self.documented()
        } else {
            Ok(Vec::new())
        };
        let documented = match documented {
            Ok(outcomes) => outcomes
                .into_iter()
                .map(|(name, outcome)| (name, Ok(outcome)))
                .collect(),
            Err(error) => vec![("the tests of the documentation".to_owned(), Err(error))],
        };
        let documented = documented
            .into_iter()
            .filter(move |(name, _): &(String, _)| selected(name));
        listed
            .into_iter()
            .chain(tests)
            .chain(examples)
            .chain(documented)
    }

    fn test_names(&self) -> Result<Vec<String>> {
        let output = self.command(&self.tests)?.args(["--list"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        let is_meant = |name: &&str| {
            self.subject
                .tests
                .iter()
                .any(|start| name.starts_with(start))
        };
        Ok(names.filter(is_meant).map(str::to_owned).collect())
    }

    /// Returns a command with the environment of cargo's.
    fn command(&self, program: &PathBuf) -> Result<Command> {
        let cargo = (self.cargo)()?;
        let mut command = Command::new(program);
        if let Some(folder) = cargo.get_current_dir() {
            command.current_dir(folder);
        }
        for (name, value) in cargo.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ok(command)
    }

    fn process(&self, program: &PathBuf, arguments: &[&str]) -> Result<Outcome> {
        let output = self.command(program)?.args(arguments).output()?;
        if output.status.success() {
            return Ok(Outcome::Passed);
        }
        let text = [output.stdout, output.stderr].concat();
        Ok(Outcome::Failed(last_lines(&String::from_utf8_lossy(&text))))
    }

    /// Runs the tests of the documentation, each of which cargo runs as a process of its own.
    fn documented(&self) -> Result<Vec<(String, Outcome)>> {
        let mut cargo = (self.cargo)()?;
        cargo.args(["test", "--doc", "--no-fail-fast"]);
        let output = cargo.args(self.subject.features).output()?;
        Ok(outcomes(&String::from_utf8_lossy(&output.stdout)))
    }
}

/// Runs a build, and reports the name and the path of each program.
fn executables(
    subject: &Subject,
    build: &mut Command,
    mut found: impl FnMut(String, PathBuf),
) -> Result<()> {
    build.arg("--message-format=json").args(subject.features);
    let output = build.output().context("start cargo")?;
    ensure!(
        output.status.success(),
        "`{}` does not build: {}",
        subject.name,
        String::from_utf8_lossy(&output.stderr)
    );
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line)?;
        if let (Some(program), Some(name)) = (
            message["executable"].as_str(),
            message["target"]["name"].as_str(),
        ) {
            found(name.to_owned(), program.into());
        }
    }
    Ok(())
}

/// Reads the outcomes of the tests of a documentation.
fn outcomes(text: &str) -> Vec<(String, Outcome)> {
    let mut outcomes = Vec::new();
    for line in text.lines() {
        let Some((name, outcome)) = line
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "))
        else {
            continue;
        };
        let outcome = match outcome {
            "ok" => Outcome::Passed,
            "FAILED" => {
                let start = text.find(&format!("---- {name} stdout ----"));
                let report = start.map_or("", |start| &text[start..]);
                let report: Vec<_> = report.lines().take(LINES).collect();
                Outcome::Failed(report.join("\n"))
            }
            // Not run.
            _ => continue,
        };
        outcomes.push((name.to_owned(), outcome));
    }
    outcomes
}

fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_documentation_are_read() {
        let text = "running 3 tests\ntest src/a.rs - f (line 3) ... ok\ntest src/a.rs - g (line 5) ... ignored\n\
                    test src/b.rs - h (line 7) ... FAILED\n\n---- src/b.rs - h (line 7) stdout ----\nwhy\n";
        let [(first, Outcome::Passed), (second, Outcome::Failed(report))] = &outcomes(text)[..]
        else {
            panic!("two ran");
        };
        assert_eq!(first, "src/a.rs - f (line 3)");
        assert_eq!(second, "src/b.rs - h (line 7)");
        assert!(report.contains("why"));
    }
}
