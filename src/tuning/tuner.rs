//! The tuner: measures the candidates of a kernel for the arguments of a launch.
//!
//! Every candidate runs once, and its results are compared. Then [`halving`] finds the fastest of those that are right.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tile_core::tuning::{Candidate, Outcome, Record, date, file};

use super::arguments::Contents;
use super::halving::{self, Contender, FEW_LAPS, Found, Limits, Stopwatch};
use super::key;
use super::launch::{Ready, TunedLaunch, is_of_candidate};
use super::place::Place;
use super::space::Space;
use super::{choice, store};
use crate::bench::{Bench, Source};
use crate::stream::{Queue, StreamRef};
use crate::{Cancel, Device, Error, Result, Stream, graph};

/// The part of the time of measuring all candidates that the tuner takes.
const BUDGET: f64 = 0.3;

/// The start of the reason in the record of a candidate that has broken a GPU.
const BREAKS: &str = "it breaks the GPU: ";

/// The length of a run from which on it says as much as several, as a part of the time of the tuner's option.
const LONG: f64 = 1.0 / 64.0;

/// One in so many candidates is run on a simulated GPU: those that are expected to be the fastest.
const SIMULATED_PART: usize = 4;

/// So many candidates at least are run on a simulated GPU.
const SIMULATED_LEAST: usize = 3;

/// So many instances, besides the fastest one, are run at a lower level at which the fastest one is not much slower.
const OTHERS_AT_LOWER_LEVELS: usize = 2;

/// Measures the candidates of kernels, and keeps records of what was found.
///
/// ```
/// use std::time::Duration;
/// use tile_kernel::prelude::*;
/// use tile_kernel::tuning::{ChosenBy, Tuner};
///
/// #[tile_kernel(grid = y.tiles([N]), instances(N = [256, 1024, 4096]), tune(N), arch("cpu"))]
/// fn square<const N: usize>(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
///     let x = x.load([block_id(0)], [N]);
///     y.store([block_id(0)], x * x);
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let x = Tensor::full(&Device::cpu(), [10_000], 3.0)?;
/// let mut y = Tensor::zeros(&Device::cpu(), [10_000])?;
/// let tuned = Tuner::new()
///     .time(Duration::from_millis(2))
///     .tune(&square_tuned(&x, &mut y))?;
/// println!("{tuned}");
///
/// let launch = square_tuned(&x, &mut y);
/// let choice = launch.choice()?;
/// assert_eq!((choice.name, choice.by), (tuned.winner(), ChosenBy::Record));
/// launch.launch()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is measured before `tune`"]
pub struct Tuner {
    time: Duration,
    file: Option<PathBuf>,
    cancel: Option<Cancel>,
    again: bool,
    refine: bool,
    exhaustive: bool,
}

impl Default for Tuner {
    fn default() -> Tuner {
        Tuner::new()
    }
}

/// Returns `true` if `TILE_TUNE=1` asks launches to measure. The variable is read once: to look for one takes longer than the
/// rest of a choice.
pub(super) fn is_requested() -> Result<bool> {
    static REQUESTED: OnceLock<Result<bool>> = OnceLock::new();
    REQUESTED.get_or_init(read_request).clone()
}

fn read_request() -> Result<bool> {
    let value = env::var_os("TILE_TUNE").unwrap_or_default();
    match value.to_str() {
        Some("" | "0") => Ok(false),
        Some("1") => Ok(true),
        _ => Err(Error::Variable {
            name: "TILE_TUNE",
            value: value.to_string_lossy().into_owned(),
            cure: "set it to 1 to measure, or to nothing",
        }),
    }
}

impl Tuner {
    /// Returns a tuner that keeps its records in this process.
    pub fn new() -> Tuner {
        Tuner {
            time: Duration::from_millis(100),
            file: None,
            cancel: None,
            again: false,
            refine: false,
            exhaustive: false,
        }
    }

    /// Returns a tuner that also writes its records to the file that `TILE_TUNING` names, if it is set.
    pub fn from_environment() -> Tuner {
        Tuner {
            file: store::file(),
            ..Tuner::new()
        }
    }

    /// Writes records to a file of JSON lines as soon as they are complete. Several processes may write to it at once.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Tuner {
        self.file = Some(path.into());
        self
    }

    /// Sets the time in which a candidate is measured well, 100 ms by default. All of them together take 0.3 of it for each
    /// candidate: slower ones are left out early.
    pub fn time(mut self, time: Duration) -> Tuner {
        self.time = time;
        self
    }

    /// Stops between two measurements once `cancel` is cancelled, with [`Error::Cancelled`]. Records of earlier calls stay.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Tuner {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Measures even if there is a record.
    pub fn again(mut self) -> Tuner {
        self.again = true;
        self
    }

    /// Measures those candidates again that may be the fastest by a record, and combines the measurements: times become
    /// geometric means, in which one that is known better counts more. After the first measurement, these are all candidates that are not
    /// four times as slow as the fastest, and later those that may be faster by more than 5 %, by their noise; if there is none, nothing is
    /// measured. Without a record, all candidates are.
    ///
    /// A machine that others use too may be in one state for seconds, in which some candidates lose more than others. To tune all
    /// launches, and then to refine their records some times, finds more than to measure each for longer.
    pub fn refine(mut self) -> Tuner {
        self.refine = true;
        self
    }

    /// Measures every candidate for the whole time, which takes several times as long: for comparisons.
    pub fn exhaustive(mut self) -> Tuner {
        self.exhaustive = true;
        self
    }

    /// Measures the candidates of a launch, and adds a record. What the kernel writes has its former contents afterwards.
    ///
    /// On the CPU device, the fastest instance is measured at each level of native code that the processor has, and the two that
    /// are next at those levels at which it is not much slower.
    ///
    /// The results of all candidates are compared with those of the first that runs. One that computes something else, up to
    /// the rounding of sums in another order, or that fails, is part of the record and never chosen. On a GPU, a failed assertion or
    /// an access beyond a tensor ends the use of the device by the process: see [`CandidateBreaks`](Error::CandidateBreaks).
    ///
    /// # Errors
    /// [`NothingTuned`](Error::NothingTuned) if no candidate runs, [`Cancelled`](Error::Cancelled),
    /// [`TuningRecords`](Error::TuningRecords) if the file cannot be written, or an error of the arguments.
    pub fn tune(&self, launch: &TunedLaunch<'_>) -> Result<Tuned> {
        let queue = launch.queue()?;
        let ready = launch.ready.as_ref().map_err(Clone::clone)?;
        self.tune_on(ready, ready.device(queue.as_ref()), queue.as_ref())
    }

    pub(super) fn tune_on(
        &self,
        ready: &Ready,
        device: Device,
        queue: Option<&Queue>,
    ) -> Result<Tuned> {
        graph::refuse_in_capture("tuning a kernel")?;
        let start = Instant::now();
        let place = Place::of(device, ready.tuning);
        let extents = key::extents(ready.tuning, &ready.values);
        let mut record = Record {
            kernel: ready.tuning.kernel.to_owned(),
            hash: ready.tuning.hash.to_owned(),
            fixed: ready.tuning.fixed.to_owned(),
            key: key::text(
                ready.tuning,
                &extents,
                key::is_aligned(ready.tuning, &ready.values),
            ),
            extents: extents.to_vec(),
            device: place.device,
            arch: place.arch,
            driver: place.driver,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: date::now(),
            clock: place.clock.to_owned(),
            candidates: Vec::new(),
        };
        let known = store::with(|records| {
            let mut records = records.iter();
            records
                .find(|it| it.identity() == record.identity())
                .cloned()
        });
        let usable = known.as_ref().filter(|known| known.winner().is_some());
        // One that is the fastest by measurements at several times is not measured once more.
        let is_known = |known: &&Record| !self.refine || known.may_be_fastest().len() == 1;
        if let Some(known) = usable.filter(is_known).filter(|_| !self.again) {
            return Ok(Tuned {
                record: known.clone(),
                spent: Duration::ZERO,
            });
        }
        let refined = usable.filter(|_| self.refine);
        let stream = match queue {
            Some(queue) => Stream(queue.clone()),
            None => Stream::of_device(&device)?,
        };
        let before = Contents::read(&ready.values)?;
        let space = Space::new(ready.tuning, device);
        let run = Run {
            tuner: self,
            ready,
            space: &space,
            stream: &stream,
            before: &before,
            results: None,
            is_repeatable: false,
            is_simulated: Source::of_device(device) == Source::Simulated,
            start,
            runs: vec![0; space.end()],
            lasts: vec![f64::INFINITY; space.end()],
            outcomes: vec![None; space.end()],
            known: known.as_ref(),
        };
        let measured = match refined {
            Some(known) if !self.exhaustive => run.nearly_fastest(known),
            _ => run.candidates(),
        };
        if let Err(Error::CandidateBreaks {
            candidate, reason, ..
        }) = &measured
        {
            // There is nothing to restore any more. The next process does not run this one.
            record.candidates = known.map_or(Vec::new(), |known| known.candidates);
            record.candidates.retain(|it| it.name != *candidate);
            record.candidates.push(Candidate {
                name: (*candidate).to_owned(),
                outcome: Outcome::Failed(format!("{BREAKS}{reason}")),
                ..Candidate::default()
            });
            record.sort();
            self.keep(&record)?;
            return measured.map(|_| unreachable!("it is an error"));
        }
        // Whatever happened, the caller has what it had.
        before.restore()?;
        record.candidates = measured?;
        let costs = choice::modelled(&space, &ready.grids, &ready.values, device);
        for (index, cost) in space.candidates().zip(costs) {
            let mut candidates = record.candidates.iter_mut();
            if let Some(candidate) = candidates.find(|it| it.name == space.name(index)) {
                candidate.model = cost;
            }
        }
        if record.winner().is_none() {
            let reasons = record.candidates.iter().map(|candidate| {
                let reason = match &candidate.outcome {
                    Outcome::Failed(reason) | Outcome::Wrong(reason) => reason.as_str(),
                    Outcome::Measured => "",
                };
                format!("`{}`: {reason}", candidate.name)
            });
            return Err(Error::NothingTuned {
                kernel: ready.name(),
                reasons: reasons.collect(),
            });
        }
        record.sort();
        if let Some(known) = refined {
            record.combine(known);
        }
        self.keep(&record)?;
        Ok(Tuned {
            record,
            spent: start.elapsed(),
        })
    }

    /// Adds a record to those of the process and to the file.
    fn keep(&self, record: &Record) -> Result<()> {
        store::insert(record.clone());
        let Some(path) = &self.file else {
            return Ok(());
        };
        let written = file::update(path, |records| {
            records.replace(record.clone());
        });
        match written {
            Ok(bad) => {
                for line in bad {
                    store::warn(&format!(
                        "{}: line {} is no record, and is kept: {}",
                        path.display(),
                        line.line,
                        line.reason
                    ));
                }
                Ok(())
            }
            Err(error) => Err(Error::TuningRecords {
                place: path.display().to_string(),
                reason: error.to_string(),
            }),
        }
    }

    fn check_cancelled(&self, kernel: &'static str) -> Result<()> {
        match &self.cancel {
            Some(cancel) if cancel.is_cancelled() => Err(Error::Cancelled { kernel }),
            _ => Ok(()),
        }
    }
}

/// The time of a run in seconds that it takes as well right after a pause: waking the threads of the CPU device, and moving them to other
/// cores, took up to half a millisecond.
const LONG_RUN: f64 = 5e-3;

/// The contents that candidates leave.
struct Results {
    /// The results of the first candidate.
    right: Contents,
    /// Those of the last one.
    found: Contents,
}

/// One call of the tuner.
struct Run<'r> {
    tuner: &'r Tuner,
    ready: &'r Ready,
    space: &'r Space,
    stream: &'r Stream,
    before: &'r Contents,
    /// The contents that the first candidate left, once one has run.
    results: Option<Results>,
    /// `true` if a launch leaves what it wrote when it was launched before: nothing has to be restored for the next one.
    is_repeatable: bool,
    is_simulated: bool,
    start: Instant,
    /// For each candidate the number of launches that were measured.
    runs: Vec<u64>,
    /// For each candidate the time of its last run in seconds.
    lasts: Vec<f64>,
    /// For each candidate what came of it, if it was tried.
    outcomes: Vec<Option<Outcome>>,
    /// The record of earlier.
    known: Option<&'r Record>,
}

impl Run<'_> {
    /// Returns the candidates that were tried, those of lower levels last.
    fn candidates(mut self) -> Result<Vec<Candidate>> {
        self.try_instances()?;
        let found = if self.tuner.exhaustive {
            let lower = self.space.candidates().skip(self.space.instances().len());
            self.try_out_all(lower)?;
            self.find(0.0, &self.right(0..self.space.end()))?
        } else {
            let mut found = self.find(0.0, &self.right(self.space.instances()))?;
            if let Some(&fastest) = found.first() {
                self.lower_levels(fastest, &mut found)?;
            }
            found
        };
        Ok(self.tried(&found))
    }

    /// Returns the candidates that may be the fastest by a record, measured again.
    fn nearly_fastest(mut self, known: &Record) -> Result<Vec<Candidate>> {
        let near = known.may_be_fastest();
        let near = near.iter().filter_map(|it| self.space.named(&it.name));
        let mut near: Vec<usize> = near.collect();
        near.sort_unstable();
        self.try_out_all(near.iter().copied())?;
        let right = self.right(near.into_iter());
        let found = self.find(0.0, &right)?;
        Ok(self.tried(&found))
    }

    /// Returns the candidates that were tried, with the times that were found.
    fn tried(mut self, found: &[Found]) -> Vec<Candidate> {
        let candidates = self.outcomes.iter_mut().enumerate();
        let candidates = candidates.filter_map(|(index, outcome)| {
            let found = found.iter().find(|found| found.index == index);
            Some(Candidate {
                name: self.space.name(index).to_owned(),
                seconds: found.map_or(0.0, |found| found.seconds),
                noise: found.map_or(0.0, |found| found.noise),
                runs: found.map_or(0, |_| self.runs[index]),
                outcome: outcome.take()?,
                ..Candidate::default()
            })
        });
        candidates.collect()
    }

    /// Runs instances at the highest level once, and compares their results. If some of them fail or are wrong, others take
    /// their places.
    fn try_instances(&mut self) -> Result<()> {
        let order = self.ready.order(self.stream.device());
        let order = order.indices.iter().map(|&it| usize::from(it));
        let order: Vec<usize> = order
            .filter(|it| self.space.instances().contains(it))
            .collect();
        let (first, others) = order.split_at(self.wanted());
        let mut first = first.to_vec();
        // The results are compared with those of the candidate that the attribute has first.
        first.sort_unstable();
        for index in first.into_iter().chain(others.iter().copied()) {
            if self.right(self.space.instances()).len() == self.wanted() {
                break;
            }
            self.try_out(index)?;
        }
        Ok(())
    }

    /// Tries the fastest instance at lower levels, and others that were nearly as fast at those that are not much slower.
    fn lower_levels(&mut self, fastest: Found, found: &mut Vec<Found>) -> Result<()> {
        let lower: Vec<usize> = self.space.lower(fastest.index).collect();
        self.race(fastest, lower.clone(), found)?;
        let bound = fastest.seconds * halving::HOPELESS;
        let near = |it: &&Found| it.seconds <= bound;
        let levels = found
            .iter()
            .filter(near)
            .map(|it| self.space.level(it.index));
        let levels: Vec<_> = levels.flatten().collect();
        let others = found.iter().filter(near).map(|it| it.index);
        let others =
            others.filter(|it| *it != fastest.index && self.space.instances().contains(it));
        let others = others.take(OTHERS_AT_LOWER_LEVELS);
        let at_levels: Vec<usize> = others
            .flat_map(|instance| self.space.lower(instance))
            .filter(|&it| {
                self.space
                    .level(it)
                    .is_some_and(|level| levels.contains(&level))
            })
            .collect();
        self.race(found[0], at_levels, found)
    }

    /// Measures more candidates beside the fastest one, and adds them to those that were found.
    fn race(&mut self, fastest: Found, more: Vec<usize>, found: &mut Vec<Found>) -> Result<()> {
        let before = self.spent();
        self.try_out_all(more.iter().copied())?;
        let mut contenders = self.right(more.into_iter());
        if contenders.is_empty() {
            return Ok(());
        }
        contenders.insert(0, fastest.index);
        let measured = self.find(before, &contenders)?;
        let again = measured.iter().find(|it| it.index == fastest.index);
        let Some(again) = again else {
            return Ok(());
        };
        // By the ratio to the fastest one, whose time another measurement has found.
        let scale = fastest.seconds / again.seconds;
        let more = measured.iter().filter(|it| it.index != fastest.index);
        found.extend(more.map(|it| Found {
            seconds: scale * it.seconds,
            ..*it
        }));
        found.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Ok(())
    }

    /// Returns those that were tried and are right.
    fn right(&self, candidates: impl Iterator<Item = usize>) -> Vec<usize> {
        let is_right = |index: &usize| self.outcomes[*index] == Some(Outcome::Measured);
        candidates.filter(is_right).collect()
    }

    fn try_out_all(&mut self, candidates: impl Iterator<Item = usize>) -> Result<()> {
        for index in candidates {
            self.try_out(index)?;
        }
        Ok(())
    }

    /// Runs a candidate once, and compares its results, unless it has broken a GPU before.
    fn try_out(&mut self, index: usize) -> Result<()> {
        self.tuner.check_cancelled(self.ready.name())?;
        let (outcome, seconds) = match self.breaks(index) {
            Some(outcome) => (outcome, f64::INFINITY),
            None => self.compare(index)?,
        };
        self.outcomes[index] = Some(outcome);
        self.lasts[index] = seconds;
        Ok(())
    }

    /// Returns the number of instances of which a time is wanted. A simulated launch takes the host long, and says all in one
    /// run, so that fewer candidates are the only way to be faster than the exhaustive search.
    fn wanted(&self) -> usize {
        let all = self.ready.tuning.candidates.len();
        if self.is_simulated && !self.tuner.exhaustive {
            (all / SIMULATED_PART).max(SIMULATED_LEAST).min(all)
        } else {
            all
        }
    }

    /// Measures candidates that are right, and returns their times, the fastest first. `before` is the time that was spent
    /// before they were tried.
    fn find(&mut self, before: f64, right: &[usize]) -> Result<Vec<Found>> {
        let whole = self.tuner.time.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a number of candidates")]
        let count = right.len() as f64;
        let limits = Limits {
            budget: before + BUDGET * whole * count,
            whole,
        };
        if self.is_simulated {
            return Ok(self.found_at_once(right));
        }
        let contenders = right.iter().copied().map(Contender::new).collect();
        if self.tuner.exhaustive {
            return halving::exhaust(contenders, limits, FEW_LAPS, self);
        }
        if right.iter().any(|&index| self.lasts[index] < LONG * whole) {
            return halving::halve(contenders, limits, self);
        }
        let measured = right.iter().map(|&index| {
            self.runs[index] += 1;
            Contender::with_run(index, self.lasts[index])
        });
        let measured = measured.collect();
        halving::halve(measured, limits, self)
    }

    /// Returns the times of the only run of each candidate: they are the same however often they are measured.
    fn found_at_once(&mut self, right: &[usize]) -> Vec<Found> {
        let found = right.iter().map(|&index| {
            self.runs[index] = 1;
            Found {
                index,
                seconds: self.lasts[index],
                noise: 0.0,
            }
        });
        found.collect()
    }

    /// Returns the outcome of a candidate that has broken a GPU before, in another process.
    fn breaks(&self, index: usize) -> Option<Outcome> {
        let name = self.space.name(index);
        let mut candidates = self.known?.candidates.iter();
        let outcome = &candidates.find(|it| it.name == name)?.outcome;
        let breaks = matches!(outcome, Outcome::Failed(reason) if reason.starts_with(BREAKS));
        breaks.then(|| outcome.clone())
    }

    /// Returns the error of a candidate, after which no other one can be measured.
    fn error(&self, index: usize, error: Error) -> Error {
        match error {
            Error::ContextLost {
                call,
                name,
                description,
                ..
            } => Error::CandidateBreaks {
                kernel: self.ready.name(),
                candidate: self.space.name(index),
                reason: format!("`{call}` failed with {name} ({description})"),
                in_file: self.tuner.file.is_some(),
            },
            error => error,
        }
    }

    /// Runs a candidate once, and compares its results. Also returns the time that it took.
    fn compare(&mut self, index: usize) -> Result<(Outcome, f64)> {
        self.before.restore()?;
        if self.results.is_none() && !self.is_simulated {
            // The first one would load the arguments into caches for the others.
            if self.run_once(index).is_ok() {
                self.before.restore()?;
            }
        }
        let seconds = match self.run_once(index) {
            Ok(seconds) => seconds,
            Err(error) if may_be_of_one(&error) => {
                return Ok((Outcome::Failed(error.to_string()), f64::INFINITY));
            }
            Err(error) => return Err(self.error(index, error)),
        };
        let Some(Results { right, found }) = &mut self.results else {
            let right = Contents::read(&self.ready.values)?;
            let runs_again = !self.is_simulated && self.run_once(index).is_ok();
            let found = Contents::read(&self.ready.values)?;
            self.is_repeatable = runs_again && found.is_same(&right);
            self.results = Some(Results { right, found });
            return Ok((Outcome::Measured, seconds));
        };
        found.read_again()?;
        let outcome = match right.difference(found) {
            None => Outcome::Measured,
            Some(difference) => Outcome::Wrong(difference),
        };
        Ok((outcome, seconds))
    }

    /// Runs a candidate, and returns the seconds that it took: on a simulated GPU by its clock, and otherwise by that of the host.
    fn run_once(&self, index: usize) -> Result<f64> {
        if self.is_simulated {
            let measured = Bench::new().run(self.stream, |_| self.launch(index))?;
            return Ok(measured.median());
        }
        let start = Instant::now();
        self.launch(index)?;
        self.stream.synchronize()?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Returns the options for a measurement of about so many seconds.
    fn bench(&self, index: usize, seconds: f64) -> Bench {
        let bench = Bench::new().min_samples(1).ignore_clocks();
        if self.lasts[index] >= seconds {
            // One run, after another one if it is so short that it matters whether threads sleep.
            let warm_up = if self.lasts[index] < LONG_RUN {
                Duration::from_nanos(1)
            } else {
                Duration::ZERO
            };
            return bench.warm_up(warm_up).duration(Duration::ZERO);
        }
        let time = Duration::from_secs_f64(seconds);
        bench.warm_up(time / 8).duration(time)
    }

    fn launch(&self, index: usize) -> Result<()> {
        let stream = StreamRef::from(self.stream);
        self.ready.launch(self.space, index).on(stream).launch()
    }
}

impl Stopwatch for Run<'_> {
    fn measure(&mut self, index: usize, seconds: f64) -> Result<Option<f64>> {
        self.tuner.check_cancelled(self.ready.name())?;
        if !self.is_repeatable {
            self.before.restore()?;
        }
        let bench = self.bench(index, seconds);
        let measured = bench.run(self.stream, |stream| {
            self.ready.launch(self.space, index).on(stream).launch()
        });
        match measured {
            Ok(measured) => {
                self.runs[index] += measured.runs() as u64;
                self.lasts[index] = measured.median();
                Ok(Some(measured.median()))
            }
            Err(error) if may_be_of_one(&error) => {
                self.outcomes[index] = Some(Outcome::Failed(error.to_string()));
                Ok(None)
            }
            Err(error) => Err(self.error(index, error)),
        }
    }

    fn spent(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Returns `true` for an error that other candidates may not have, and after which they can be launched.
fn may_be_of_one(error: &Error) -> bool {
    is_of_candidate(error)
        || matches!(
            error,
            Error::Fault { .. }
                | Error::NativeFault { .. }
                | Error::Simulated(_)
                | Error::OutOfMemory { .. }
        )
}

/// The results of the tuner for one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    record: Record,
    spent: Duration,
}

impl Tuned {
    /// Returns the name of the fastest candidate: `BM = 64, BN = 128`, or `BM = 64, BN = 128 at avx2`.
    pub fn winner(&self) -> &str {
        self.record.winner().map_or("", |winner| &winner.name)
    }

    /// Returns the median time of the fastest candidate in seconds.
    pub fn seconds(&self) -> f64 {
        self.record.winner().map_or(0.0, |winner| winner.seconds)
    }

    /// Returns the measured candidates with their times in seconds, the fastest first.
    pub fn times(&self) -> impl Iterator<Item = (&str, f64)> {
        let measured = self.record.measured();
        measured.map(|candidate| (candidate.name.as_str(), candidate.seconds))
    }

    /// Returns the candidates that failed or computed something else, with the reasons.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        let candidates = self.record.candidates.iter();
        candidates.filter_map(|candidate| match &candidate.outcome {
            Outcome::Failed(reason) | Outcome::Wrong(reason) => {
                Some((candidate.name.as_str(), reason.as_str()))
            }
            Outcome::Measured => None,
        })
    }

    /// Returns the classes of the extents for which the record counts: `a.dim(0) = 2^10/16`.
    pub fn key(&self) -> &str {
        &self.record.key
    }

    /// Returns the time that measuring took; 0 if there was a record.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Returns the record as a line of a file.
    pub fn to_line(&self) -> String {
        self.record.to_line()
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} for {}", self.record.kernel, self.record.key)?;
        let width = self.record.candidates.iter().map(|it| it.name.len()).max();
        let width = width.unwrap_or(0);
        for candidate in &self.record.candidates {
            let name = &candidate.name;
            match &candidate.outcome {
                Outcome::Measured => writeln!(
                    f,
                    "  {name:width$}  {:>12.3} us  ± {:.1} %",
                    candidate.seconds * 1e6,
                    candidate.noise * 100.0
                )?,
                Outcome::Failed(reason) => writeln!(f, "  {name:width$}  failed: {reason}")?,
                Outcome::Wrong(reason) => writeln!(f, "  {name:width$}  wrong: {reason}")?,
            }
        }
        Ok(())
    }
}
