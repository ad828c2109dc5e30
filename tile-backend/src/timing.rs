//! Measures the time of each stage: wall-clock time for `TILE_TIME=1`, CPU time for remarks.
//!
//! On a busy machine, wall-clock time passes while a stage waits for a processor. CPU time counts the thread
//! that runs the stage, and the processes that this thread waited for.

use std::cell::Cell;
use std::fmt::Write;
use std::str::Chars;
use std::time::{Duration, Instant};

use nanoserde::{DeJson, DeJsonErr, DeJsonState, SerJson, SerJsonState};

/// A duration as wall-clock time and as CPU time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time.
    pub cpu: Duration,
}

impl Time {
    /// Returns a time of waiting, which takes no CPU time.
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

/// Returns the nanoseconds of a duration below 584 years.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// A time is the nanoseconds of both.
impl SerJson for Time {
    fn ser_json(&self, indentation: usize, state: &mut SerJsonState) {
        let nanoseconds = [self.wall, self.cpu].map(nanoseconds);
        nanoseconds.ser_json(indentation, state);
    }
}

impl DeJson for Time {
    fn de_json(state: &mut DeJsonState, input: &mut Chars<'_>) -> Result<Self, DeJsonErr> {
        let [wall, cpu] = <[u64; 2]>::de_json(state, input)?.map(Duration::from_nanos);
        Ok(Self { wall, cpu })
    }
}

/// Stages with their times, in the order in which they ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, SerJson, DeJson)]
pub struct Times(Vec<(String, Time)>);

impl Times {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `stage` and records its time; times of stages with the same name add up.
    pub fn measure<T>(&mut self, name: &str, stage: impl FnOnce() -> T) -> T {
        let (start, before) = (Instant::now(), used());
        let output = stage();
        let wall = start.elapsed();
        let cpu = match (before, used()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            // Without a reading of CPU time, wall-clock time is recorded, which is an upper bound.
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

    /// Returns the total wall-clock time.
    pub fn total(&self) -> Duration {
        self.0.iter().map(|(_, time)| time.wall).sum()
    }

    /// Returns the total CPU time.
    pub fn cpu(&self) -> Duration {
        self.0.iter().map(|(_, time)| time.cpu).sum()
    }

    /// Returns the stage with the most CPU time; `None` before any stage has run.
    pub fn longest(&self) -> Option<(&str, Duration)> {
        let stages = self.0.iter().map(|(name, time)| (name.as_str(), time.cpu));
        stages.max_by_key(|(_, cpu)| *cpu)
    }

    /// Formats wall-clock times in one line: `check 0.4 ms, llvm 9.1 ms, ptxas 13.0 ms, total 22.5 ms`.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for (name, time) in &self.0 {
            let _ = write!(line, "{name} {:.1} ms, ", time.wall.as_secs_f64() * 1e3);
        }
        let _ = write!(line, "total {:.1} ms", self.total().as_secs_f64() * 1e3);
        line
    }
}

thread_local! {
    /// CPU time of the processes that this thread has waited for.
    static CHILDREN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Returns the CPU time of this thread so far, including the processes that it has waited for.
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

/// Adds the CPU time of a process that this thread has waited for.
pub(crate) fn add_process(cpu: Duration) {
    CHILDREN.set(CHILDREN.get() + cpu);
}

#[cfg(test)]
mod tests {
    use super::{Time, Times};
    use std::time::Duration;

    #[test]
    fn times_of_a_stage_add_up() {
        let time = |wall, cpu| Time {
            wall: Duration::from_micros(wall),
            cpu: Duration::from_micros(cpu),
        };
        let mut times = Times::new();
        times.add("llvm", time(1500, 700));
        times.add("ptxas", time(2000, 1100));
        let mut heard = Times::new();
        heard.add("llvm", time(500, 100));
        heard.add_all(&times);
        assert_eq!(heard.line(), "llvm 2.0 ms, ptxas 2.0 ms, total 4.0 ms");
        assert_eq!(heard.cpu(), Duration::from_micros(1900));
        assert_eq!(
            heard.longest(),
            Some(("ptxas", Duration::from_micros(1100)))
        );
    }
}
