//! How long each stage took: on the clock, for `TILE_TIME=1`, and of a processor, for remarks.
//!
//! The clock of a machine with other work goes on while a stage waits. The time of a processor is that of the thread
//! that runs the stage, and of the processes that it waited for.

use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// On the clock.
    pub wall: Duration,
    /// Of a processor.
    pub cpu: Duration,
}

impl Time {
    /// Time on the clock, in which nothing is computed.
    pub fn waited(wall: Duration) -> Self {
        Self {
            wall,
            cpu: Duration::ZERO,
        }
    }
}

impl std::ops::AddAssign for Time {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// Stages with their times, in the order in which they ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times(Vec<(String, Time)>);

impl Times {
    /// No stage yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `stage` and notes how long it took; a name given again adds up.
    pub fn measure<T>(&mut self, name: &str, stage: impl FnOnce() -> T) -> T {
        let (start, before) = (Instant::now(), used());
        let output = stage();
        let wall = start.elapsed();
        let cpu = match (before, used()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            // Nobody tells, and the clock is an upper bound.
            (None, _) | (_, None) => wall,
        };
        self.add(name, Time { wall, cpu });
        output
    }

    /// Adds to the time of a stage.
    pub fn add(&mut self, name: &str, time: Time) {
        match self.0.iter_mut().find(|(existing, _)| existing == name) {
            Some((_, total)) => *total += time,
            None => self.0.push((name.to_owned(), time)),
        }
    }

    /// Adds the times of other stages.
    pub fn add_all(&mut self, other: &Self) {
        for (name, time) in &other.0 {
            self.add(name, *time);
        }
    }

    /// The sum on the clock.
    pub fn total(&self) -> Duration {
        self.0.iter().map(|(_, time)| time.wall).sum()
    }

    /// The sum of a processor.
    pub fn cpu(&self) -> Duration {
        self.0.iter().map(|(_, time)| time.cpu).sum()
    }

    /// The stage that took a processor longest; `None` before any ran.
    pub fn longest(&self) -> Option<(&str, Duration)> {
        let stages = self.0.iter().map(|(name, time)| (name.as_str(), time.cpu));
        stages.max_by_key(|(_, cpu)| *cpu)
    }

    /// One line, of the clock: `check 0.4 ms, llvm 9.1 ms, ptxas 13.0 ms, total 22.5 ms`.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for (name, time) in &self.0 {
            let _ = write!(line, "{name} {:.1} ms, ", time.wall.as_secs_f64() * 1e3);
        }
        let _ = write!(line, "total {:.1} ms", self.total().as_secs_f64() * 1e3);
        line
    }

    /// A text form for the pipe from the worker.
    pub(crate) fn to_text(&self) -> String {
        let lines = self.0.iter().map(|(name, Time { wall, cpu })| {
            format!("{name}\t{}\t{}\n", wall.as_nanos(), cpu.as_nanos())
        });
        lines.collect()
    }

    /// Adds what [`Times::to_text`] wrote.
    pub(crate) fn add_text(&mut self, text: &str) {
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let &[name, wall, cpu] = parts.as_slice() else {
                continue;
            };
            let nanos = |text: &str| text.parse().map(Duration::from_nanos);
            if let (Ok(wall), Ok(cpu)) = (nanos(wall), nanos(cpu)) {
                self.add(name, Time { wall, cpu });
            }
        }
    }
}

/// Whether the user asked for stage times (`TILE_TIME=1`).
pub fn is_wanted() -> bool {
    std::env::var_os("TILE_TIME").is_some_and(|value| !value.is_empty() && value != "0")
}

thread_local! {
    /// What processes took of a processor for which this thread has waited.
    static CHILDREN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What this thread has taken of a processor so far, with the processes that it waited for.
fn used() -> Option<Duration> {
    Some(thread_clock()? + CHILDREN.get())
}

#[cfg(unix)]
fn thread_clock() -> Option<Duration> {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)
        .ok()
        .map(Duration::from)
}

#[cfg(not(unix))]
fn thread_clock() -> Option<Duration> {
    None
}

/// Counts what a process took that this thread has waited for.
pub(crate) fn add_process(cpu: Duration) {
    CHILDREN.set(CHILDREN.get() + cpu);
}

#[cfg(test)]
mod tests {
    use super::{Time, Times};
    use std::time::Duration;

    #[test]
    fn times_survive_the_pipe_and_add_up() {
        let time = |wall, cpu| Time {
            wall: Duration::from_micros(wall),
            cpu: Duration::from_micros(cpu),
        };
        let mut times = Times::new();
        times.add("llvm", time(1500, 700));
        times.add("ptxas", time(2000, 1100));
        let mut heard = Times::new();
        heard.add("llvm", time(500, 100));
        heard.add_text(&times.to_text());
        assert_eq!(heard.line(), "llvm 2.0 ms, ptxas 2.0 ms, total 4.0 ms");
        assert_eq!(heard.cpu(), Duration::from_micros(1900));
        assert_eq!(
            heard.longest(),
            Some(("ptxas", Duration::from_micros(1100)))
        );
    }
}
