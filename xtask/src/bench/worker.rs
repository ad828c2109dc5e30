//! A process that is queried line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;

/// A process that answers every line with a line, until its input ends.
pub(super) struct Worker {
    name: String,
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let name = process::line(command);
        let mut child = command
            .spawn()
            .with_context(|| format!("could not start `{name}`"))?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Ok(Self {
            name,
            child,
            questions,
            answers,
        })
    }

    pub(super) fn ask(&mut self, question: &str) -> Result<String> {
        let questions = self.questions.as_mut().expect("it is open until the end");
        let mut answer = String::new();
        let asked = writeln!(questions, "{question}").and_then(|()| questions.flush());
        asked
            .and_then(|()| self.answers.read_line(&mut answer))
            .with_context(|| format!("`{}` stopped at `{question}`", self.name))?;
        if !answer.ends_with('\n') {
            bail!("`{}` stopped at `{question}`", self.name);
        }
        Ok(answer.trim().to_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The process exits when its input is closed.
        self.questions = None;
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_line_by_line() {
        let mut worker = Worker::start(&mut Command::new("cat")).expect("starts");
        assert_eq!(worker.ask("one").expect("answers"), "one");
        assert_eq!(worker.ask("two").expect("answers"), "two");
    }

    #[test]
    fn a_worker_that_stops_is_named_with_the_question() {
        let mut worker = Worker::start(&mut Command::new("true")).expect("starts");
        let error = worker.ask("one").expect_err("it has ended");
        assert_eq!(error.to_string(), "`true` stopped at `one`");
    }
}
