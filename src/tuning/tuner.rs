//! The tuner: makes records of the times of a kernel's candidates, which a [`Run`] measures for the arguments of a launch.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tile_core::tuning::{Candidate, Outcome, Record, date, file};

use super::arguments::Contents;
use super::key;
use super::launch::{Ready, TunedLaunch};
use super::place::Place;
use super::run::{BREAKS, Options, Run};
use super::space::Space;
use super::{choice, store};
use crate::stream::Queue;
use crate::{Cancel, Device, Error, Result, Stream, graph};

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
    /// measured. Without a record, all candidates are. The results of candidates are not compared again.
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
        let options = Options {
            time: self.time,
            exhaustive: self.exhaustive,
            cancel: self.cancel.as_ref(),
            in_file: self.file.is_some(),
        };
        let run = Run::new(options, ready, &space, &stream, &before, known.as_ref());
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
