//! The measurement itself: warm-up, the number of runs, time stamps, and the order of it all.
//!
//! A sample is the time between two events on the stream, over the runs between them. For each sample, the stream gets:
//!
//! 1. with [`Cache::Cold`], or before several short runs on a GPU, a write to a buffer larger than the cache;
//! 2. before several short runs on a GPU, a run that is not measured, after which the cache is as the runs leave it;
//! 3. an event, the runs, and an event.
//!
//! On a GPU, all this is queued for hundreds of samples before the host waits, so that the host does not stand between
//! the runs. The write in front of short runs takes long enough for the host to queue them.

use std::thread;
use std::time::{Duration, Instant};

use super::Measurement;
use super::clocks::{Clocks, Watch};
use super::flush::{Cache, Flush};
use super::options::{Bench, Chosen};
use super::statistics::median;
use crate::{Device, Error, Event, Result, Stream, device, graph};

mod sealed {
    pub trait Sealed {
        /// Returns the stream on which the runs are measured.
        fn stream(&self) -> crate::Result<crate::Stream>;
    }
}

use sealed::Sealed;

/// The place of a measurement: a [`Stream`], or the default stream of a [`Device`].
pub trait Target: Sealed {}

impl Sealed for Stream {
    fn stream(&self) -> Result<Stream> {
        Ok(self.clone())
    }
}

impl Sealed for Device {
    fn stream(&self) -> Result<Stream> {
        Stream::of_device(self)
    }
}

impl Target for Stream {}
impl Target for Device {}

/// The clock by which times were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Events of a GPU.
    Gpu,
    /// The clock of the host, around work on the CPU device.
    Host,
    /// The clock of a simulated GPU, which goes on by an estimate that is computed from what a kernel does: the same in
    /// every run, and good for comparisons only.
    Simulated,
}

impl Source {
    /// Returns the clock for work on a device.
    pub(crate) fn of_device(device: Device) -> Source {
        Source::of(device)
    }

    pub(super) fn of(device: Device) -> Source {
        match device.0 {
            device::Kind::Cpu => Source::Host,
            #[cfg(feature = "sim")]
            device::Kind::Sim => Source::Simulated,
            device::Kind::Cuda(context) if context.has_simulated_clock() => Source::Simulated,
            device::Kind::Cuda(_) => Source::Gpu,
        }
    }

    /// Returns the error in seconds that the clock makes in a sample, beside noise. Of a GPU, these are the steps of
    /// events, at most 0.5 microseconds; the smallest difference between samples shows how long they are. On the host,
    /// it is what two time stamps take, and what is different around the first run of a sample.
    pub(super) fn error(self, sorted: &[f64], runs_per_sample: usize) -> f64 {
        match self {
            Source::Simulated => 0.0,
            Source::Host => 100e-9,
            Source::Gpu => {
                let steps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
                let shortest = steps
                    .filter(|&step| step > 0.0)
                    .fold(f64::INFINITY, f64::min);
                (shortest * runs_per_sample as f64).min(0.5e-6)
            }
        }
    }

    /// Returns the shortest time of a sample in seconds, of which the error of the clock is 1 % at the most.
    fn shortest_sample(self) -> f64 {
        match self {
            Source::Gpu => 50e-6,
            Source::Host => 100e-6,
            Source::Simulated => 0.0,
        }
    }
}

/// One of two closures that are measured; the first if there is one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}

/// The runs of both sides.
pub(super) trait Work {
    fn run(&mut self, side: Side, stream: &Stream) -> Result<()>;
}

/// A number for each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerSide<T> {
    pub(super) a: T,
    pub(super) b: T,
}

impl<T: Copy> PerSide<T> {
    fn of(self, side: Side) -> T {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }
}

/// The number of samples that are queued before the host waits.
const QUEUED: usize = 500;

/// The time of the samples between two looks at the clock of the CPU, in seconds.
const BETWEEN_LOOKS: f64 = 0.05;

/// The ratio of times up to which both sides have as many runs in a sample.
const SIMILAR: f64 = 2.0;

/// The runs before the host gives up to find any time.
const IN_VAIN: usize = 1000;

/// The state of a measurement that runs.
pub(super) struct Session<'w> {
    stream: Stream,
    source: Source,
    chosen: Chosen,
    work: &'w mut dyn Work,
    flush: Option<Flush>,
    events: Vec<(Event, Event)>,
    watch: Watch,
}

/// The times in seconds that a warm-up found.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    run: PerSide<f64>,
    /// The time of one sample of each side, with what precedes it.
    whole: f64,
}

/// The samples of a measurement, side by side in the order in which they were taken.
pub(super) struct Samples {
    pub(super) times: Vec<(Side, f64)>,
    pub(super) runs: PerSide<usize>,
}

impl Samples {
    pub(super) fn of(&self, side: Side) -> Vec<f64> {
        let own = self.times.iter().filter(|(of, _)| *of == side);
        own.map(|&(_, time)| time).collect()
    }
}

impl<'w> Session<'w> {
    pub(super) fn new(
        bench: &Bench,
        target: &impl Target,
        work: &'w mut dyn Work,
    ) -> Result<Session<'w>> {
        graph::refuse_in_capture("a measurement")?;
        let stream = target.stream()?;
        let device = stream.device();
        let source = Source::of(device);
        let chosen = bench.chosen(source)?;
        // Earlier work, such as the first content of tensors, is none of the runs.
        device.synchronize()?;
        let flush = match chosen.cache {
            Cache::Cold => Some(Flush::new(device)?),
            Cache::Warm => None,
        };
        Ok(Session {
            stream,
            source,
            chosen,
            work,
            flush,
            events: Vec::new(),
            watch: if bench.ignores_clocks {
                Watch::Nothing("nobody asked".to_owned())
            } else {
                Watch::of(device)
            },
        })
    }

    pub(super) fn source(&self) -> Source {
        self.source
    }

    pub(super) fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// Measures samples in the order of `patterns`, drawn at random, of the same length. At least `least` are drawn.
    pub(super) fn measure(&mut self, patterns: &[&[Side]], least: usize) -> Result<Samples> {
        let both = patterns.iter().any(|sides| sides.contains(&Side::B));
        let sides: &[Side] = if both {
            &[Side::A, Side::B]
        } else {
            &[Side::A]
        };
        let per_pattern = patterns[0].len() / sides.len();
        let estimate = self.warm_up(sides)?;
        let runs = self.runs_per_sample(estimate)?;
        let most = self.chosen.max_samples / per_pattern;
        let count = match estimate {
            None => least,
            Some(estimate) => {
                let more = |side| (runs.of(side) - 1) as f64 * estimate.run.of(side);
                let pass: f64 = estimate.whole + sides.iter().map(|&side| more(side)).sum::<f64>();
                ceil(self.chosen.duration / (pass * per_pattern as f64))
                    .clamp(least, most.max(least))
            }
        };
        let plan: Vec<Side> = (0..count)
            .flat_map(|pass| patterns[random(pass) % patterns.len()])
            .copied()
            .collect();
        let sample = estimate.map_or(0.0, |estimate| {
            let longest = |side| estimate.run.of(side) * runs.of(side) as f64;
            sides.iter().map(|&side| longest(side)).fold(0.0, f64::max)
        });
        let part = match self.source {
            Source::Gpu | Source::Simulated => QUEUED,
            Source::Host => ceil(BETWEEN_LOOKS / sample).clamp(1, QUEUED),
        };
        let mut times = Vec::with_capacity(plan.len());
        for plan in plan.chunks(part) {
            self.watch.between();
            times.extend(self.take(plan, runs)?);
        }
        self.watch.between();
        if times.iter().all(|&(_, time)| time == 0.0) {
            return Err(Error::NothingMeasured {
                device: self.stream.device(),
            });
        }
        Ok(Samples { times, runs })
    }

    /// Returns the measurement of one side.
    pub(super) fn measurement(&self, samples: &Samples, side: Side) -> Measurement {
        Measurement::new(
            self.stream.device().name().to_owned(),
            self.source,
            samples.of(side),
            samples.runs.of(side),
            self.chosen.cache,
            self.clocks(),
        )
    }

    fn clocks(&self) -> Clocks {
        self.watch.seen()
    }

    /// Runs without measuring until the time for it is over. Returns `None` if no time depends on the options.
    fn warm_up(&mut self, sides: &[Side]) -> Result<Option<Estimate>> {
        let Chosen {
            warm_up, duration, ..
        } = self.chosen;
        if warm_up == 0.0 && duration == 0.0 {
            return Ok(None);
        }
        let once = PerSide { a: 1, b: 1 };
        let mut samples = Samples {
            times: Vec::new(),
            runs: once,
        };
        // What the later passes took, of which there are `counted`.
        let (mut spent, mut counted) = (0.0, 0);
        let (mut passed, mut passes, mut total) = (0.0, 1, 0);
        // A simulated device takes the host much longer than its own time.
        let begin = Instant::now();
        loop {
            let plan: Vec<Side> = (0..passes).flat_map(|_| sides).copied().collect();
            let start = self.stream.record()?;
            let times = self.take(&plan, once)?;
            let end = self.stream.record()?;
            let whole = start.seconds_until(&end)?;
            if total == 1 {
                // The first run loads code, and starts threads: it counts only if it is the only one.
                samples.times.clear();
                (spent, counted) = (0.0, 0);
            }
            samples.times.extend(times);
            (spent, counted) = (spent + whole, counted + passes);
            (passed, total) = (passed + whole, total + passes);
            let is_slow = begin.elapsed().as_secs_f64() > 1.0 + 10.0 * warm_up;
            if passed >= warm_up || is_slow || passed == 0.0 && total > IN_VAIN {
                break;
            }
            let left = ceil((warm_up - passed) / whole * passes as f64);
            passes = left.min(2 * passes).clamp(1, QUEUED / 2);
        }
        let run = |side| match samples.of(side) {
            times if times.is_empty() => 0.0,
            times => median(&times),
        };
        Ok(Some(Estimate {
            run: PerSide {
                a: run(Side::A),
                b: run(Side::B),
            },
            whole: spent / counted as f64,
        }))
    }

    /// Returns the number of runs between two events.
    fn runs_per_sample(&mut self, estimate: Option<Estimate>) -> Result<PerSide<usize>> {
        let once = PerSide { a: 1, b: 1 };
        let Some(Estimate { run, .. }) = estimate else {
            return Ok(once);
        };
        if self.chosen.cache == Cache::Cold || self.chosen.duration == 0.0 {
            return Ok(once);
        }
        let even = self.chosen.duration / self.chosen.max_samples as f64;
        let shortest = self.source.shortest_sample();
        let runs = |run: f64| {
            if shortest == 0.0 || run == 0.0 || run >= shortest {
                return 1;
            }
            ceil(shortest.max(even) / run).clamp(1, 1_000_000)
        };
        let mut runs = PerSide {
            a: runs(run.a),
            b: runs(run.b),
        };
        // The first run of a sample takes longer, so that a ratio near 1 needs as many on both sides.
        if run.a < SIMILAR * run.b && run.b < SIMILAR * run.a {
            let most = runs.a.max(runs.b);
            runs = PerSide { a: most, b: most };
        }
        if self.source == Source::Gpu && runs.a.max(runs.b) > 1 && self.flush.is_none() {
            self.flush = Some(Flush::new(self.stream.device())?);
        }
        Ok(runs)
    }

    /// Takes samples in the order of `plan`.
    fn take(&mut self, plan: &[Side], runs: PerSide<usize>) -> Result<Vec<(Side, f64)>> {
        let device = self.stream.device();
        while self.events.len() < plan.len() {
            self.events
                .push((Event::new(&device)?, Event::new(&device)?));
        }
        for (&side, (start, end)) in plan.iter().zip(&self.events) {
            let runs = runs.of(side);
            if let Some(flush) = &mut self.flush
                && (self.chosen.cache == Cache::Cold || runs > 1)
            {
                flush.perform(&self.stream)?;
                if self.chosen.cache == Cache::Warm {
                    self.work.run(side, &self.stream)?;
                }
            }
            start.record(&self.stream)?;
            for _ in 0..runs {
                self.work.run(side, &self.stream)?;
            }
            end.record(&self.stream)?;
        }
        if let Some((_, last)) = self.events[..plan.len()].last() {
            wait(last, &mut self.watch)?;
        }
        let samples = plan.iter().zip(&self.events);
        let samples = samples.map(|(&side, (start, end))| {
            let time = start.seconds_until(end)?;
            Ok((side, time / runs.of(side) as f64))
        });
        samples.collect()
    }
}

/// Waits for an event, and looks at the clocks meanwhile.
fn wait(event: &Event, watch: &mut Watch) -> Result<()> {
    let mut pause = Duration::from_micros(50);
    loop {
        watch.during();
        if event.is_complete()? {
            return event.synchronize();
        }
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(5));
    }
}

/// Returns a random number for each index, the same in every run (`SplitMix64`).
fn random(index: usize) -> usize {
    let z = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    // The upper half has the best bits, and fits into every `usize`.
    (z >> 33) as usize
}

/// Returns a positive number, rounded up; the largest for one that is not finite.
fn ceil(number: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and the number is positive"
    )]
    let ceil = number.ceil() as usize;
    if number.is_nan() { usize::MAX } else { ceil }
}

/// A closure that is measured alone.
struct Alone<F>(F);

impl<F: FnMut(&Stream) -> Result<()>> Work for Alone<F> {
    fn run(&mut self, _side: Side, stream: &Stream) -> Result<()> {
        (self.0)(stream)
    }
}

/// Measures the time of one closure.
pub(super) fn run(
    bench: &Bench,
    target: &impl Target,
    run: impl FnMut(&Stream) -> Result<()>,
) -> Result<Measurement> {
    let mut work = Alone(run);
    let mut session = Session::new(bench, target, &mut work)?;
    let least = session.chosen.min_samples;
    let samples = session.measure(&[&[Side::A]], least)?;
    Ok(session.measurement(&samples, Side::A))
}
