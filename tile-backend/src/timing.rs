//! How long each stage took, for `TILE_TIME=1`.

use std::fmt::Write;
use std::time::{Duration, Instant};

/// Stages with their durations, in the order in which they ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times(Vec<(String, Duration)>);

impl Times {
    /// No stage yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `stage` and notes how long it took; a name given again adds up.
    pub fn measure<T>(&mut self, name: &str, stage: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let product = stage();
        self.add(name, start.elapsed());
        product
    }

    /// Adds to the duration of a stage.
    pub fn add(&mut self, name: &str, duration: Duration) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, total)) => *total += duration,
            None => self.0.push((name.to_owned(), duration)),
        }
    }

    /// Adds the durations of other stages.
    pub fn add_all(&mut self, other: &Self) {
        for (name, duration) in &other.0 {
            self.add(name, *duration);
        }
    }

    /// The sum.
    pub fn total(&self) -> Duration {
        self.0.iter().map(|(_, duration)| *duration).sum()
    }

    /// The stage that took longest; `None` before any ran.
    pub fn longest(&self) -> Option<(&str, Duration)> {
        let stages = self
            .0
            .iter()
            .map(|(name, duration)| (name.as_str(), *duration));
        stages.max_by_key(|(_, duration)| *duration)
    }

    /// One line: `check 0.4 ms, llvm 9.1 ms, ptxas 13.0 ms; total 22.5 ms`.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for (name, duration) in &self.0 {
            let _ = write!(line, "{name} {:.1} ms, ", duration.as_secs_f64() * 1e3);
        }
        let _ = write!(line, "total {:.1} ms", self.total().as_secs_f64() * 1e3);
        line
    }

    /// A text form for the pipe from the worker.
    pub(crate) fn to_text(&self) -> String {
        let lines = self
            .0
            .iter()
            .map(|(name, duration)| format!("{name}\t{}\n", duration.as_nanos()));
        lines.collect()
    }

    /// Adds what [`Times::to_text`] wrote.
    pub(crate) fn add_text(&mut self, text: &str) {
        for line in text.lines() {
            let parts = line.split_once('\t');
            let parsed = parts.and_then(|(name, nanos)| Some((name, nanos.parse().ok()?)));
            if let Some((name, nanos)) = parsed {
                self.add(name, Duration::from_nanos(nanos));
            }
        }
    }
}

/// Whether the user asked for stage times (`TILE_TIME=1`).
pub fn is_wanted() -> bool {
    std::env::var_os("TILE_TIME").is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::Times;
    use std::time::Duration;

    #[test]
    fn times_survive_the_pipe_and_add_up() {
        let mut times = Times::new();
        times.add("llvm", Duration::from_micros(1500));
        times.add("ptxas", Duration::from_millis(2));
        let mut heard = Times::new();
        heard.add("llvm", Duration::from_micros(500));
        heard.add_text(&times.to_text());
        assert_eq!(heard.line(), "llvm 2.0 ms, ptxas 2.0 ms, total 4.0 ms");
    }
}
