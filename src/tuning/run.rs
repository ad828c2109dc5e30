//! One call of the tuner, for the arguments of a launch.
//!
//! Every candidate runs once, and its results are compared. Then [`halving`] finds the fastest of those that are right.

use std::time::{Duration, Instant};

use tile_core::tuning::{Candidate, Outcome, Record};

use super::arguments::Contents;
use super::halving::{self, Contender, FEW_LAPS, Found, Limits, Stopwatch};
use super::launch::{Ready, is_of_candidate};
use super::space::Space;
use crate::bench::{Bench, Source};
use crate::stream::StreamRef;
use crate::{Cancel, Error, Result, Stream};

/// The part of the time of measuring all candidates that the tuner takes.
const BUDGET: f64 = 0.3;

/// The start of the reason in the record of a candidate that has broken a GPU.
pub(super) const BREAKS: &str = "it breaks the GPU: ";

/// The length of a run from which on it says as much as several, as a part of the time of the tuner's option, if it is a long run.
const LONG: f64 = 1.0 / 64.0;

/// The part of the budget that launches take at most until caches have settled.
const SETTLING: f64 = 0.25;

/// A launch that takes more than this part of the time of all before says that caches have settled, if another one does so too.
const SETTLED: f64 = 0.97;

/// One in so many candidates is run on a simulated GPU: those that are expected to be the fastest.
const SIMULATED_PART: usize = 4;

/// So many candidates at least are run on a simulated GPU.
const SIMULATED_LEAST: usize = 3;

/// So many instances, besides the fastest one, are run at a lower level at which the fastest one is not much slower.
const OTHERS_AT_LOWER_LEVELS: usize = 2;

/// The time of a run in seconds that it takes as well right after something else: waking the threads of the CPU device, and moving them to
/// other cores, took up to half a millisecond, and filling a cache of 32 MiB, from which results were compared, up to 3.
const LONG_RUN: f64 = 5e-3;

/// The contents that candidates leave.
struct Results {
    /// The results of the first candidate.
    right: Contents,
    /// Those of the last one.
    found: Contents,
}

/// The options of the tuner that count for a run.
pub(super) struct Options<'r> {
    /// The time in which a candidate is measured well.
    pub(super) time: Duration,
    pub(super) exhaustive: bool,
    pub(super) cancel: Option<&'r Cancel>,
    /// `true` if records are written to a file, where another process finds them.
    pub(super) in_file: bool,
}

/// One call of the tuner.
pub(super) struct Run<'r> {
    options: Options<'r>,
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

impl<'r> Run<'r> {
    pub(super) fn new(
        options: Options<'r>,
        ready: &'r Ready,
        space: &'r Space,
        stream: &'r Stream,
        before: &'r Contents,
        known: Option<&'r Record>,
    ) -> Run<'r> {
        Run {
            options,
            ready,
            space,
            stream,
            before,
            results: None,
            is_repeatable: false,
            is_simulated: Source::of_device(stream.device()) == Source::Simulated,
            start: Instant::now(),
            runs: vec![0; space.end()],
            lasts: vec![f64::INFINITY; space.end()],
            outcomes: vec![None; space.end()],
            known,
        }
    }

    /// Returns the candidates that were tried, those of lower levels last.
    pub(super) fn candidates(mut self) -> Result<Vec<Candidate>> {
        self.try_instances()?;
        let found = if self.options.exhaustive {
            let lower = self.space.candidates().skip(self.space.instances().len());
            self.try_out_all(lower)?;
            self.find(&self.right(0..self.space.end()))?
        } else {
            let mut found = self.find(&self.right(self.space.instances()))?;
            if let Some(&fastest) = found.first() {
                self.lower_levels(fastest, &mut found)?;
            }
            found
        };
        Ok(self.tried(&found))
    }

    /// Returns the candidates that may be the fastest by a record, measured again.
    pub(super) fn nearly_fastest(mut self, known: &Record) -> Result<Vec<Candidate>> {
        let near = known.may_be_fastest().into_iter();
        let near = near.filter_map(|it| Some((self.space.named(&it.name)?, it.seconds)));
        let mut near: Vec<(usize, f64)> = near.collect();
        near.sort_unstable_by_key(|&(index, _)| index);
        let indices = near.iter().map(|&(index, _)| index);
        if self.is_simulated {
            self.try_out_all(indices.clone())?;
            let right = self.right(indices);
            let found = self.found_at_once(&right);
            return Ok(self.tried(&found));
        }
        // Their results were compared when the record was made. Comparing those of them all again would take longer than measuring
        // them where there are many results; the first one shows whether a launch leaves the same again.
        self.try_out_all(indices.clone().take(1))?;
        for &(index, seconds) in near.iter().skip(1) {
            self.outcomes[index] = Some(Outcome::Measured);
            self.lasts[index] = seconds;
        }
        let right = self.right(indices);
        let found = self.find_again(&right, self.limits(right.len()))?;
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
        self.try_out_all(more.iter().copied())?;
        let mut contenders = self.right(more.into_iter());
        if contenders.is_empty() {
            return Ok(());
        }
        contenders.insert(0, fastest.index);
        let measured = self.find(&contenders)?;
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

    fn check_cancelled(&self) -> Result<()> {
        match self.options.cancel {
            Some(cancel) if cancel.is_cancelled() => Err(Error::Cancelled {
                kernel: self.ready.name(),
            }),
            _ => Ok(()),
        }
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
        self.check_cancelled()?;
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
        if self.is_simulated && !self.options.exhaustive {
            (all / SIMULATED_PART).max(SIMULATED_LEAST).min(all)
        } else {
            all
        }
    }

    /// Returns the bounds of a search among so many candidates, from now on. What trying them took does not count: where there are
    /// many results to compare, nothing would be left for measuring.
    fn limits(&self, candidates: usize) -> Limits {
        let whole = self.options.time.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a number of candidates")]
        let candidates = candidates as f64;
        Limits {
            budget: self.spent() + BUDGET * whole * candidates,
            whole,
        }
    }

    /// Measures candidates that were tried and are right, and returns their times, the fastest first.
    fn find(&mut self, right: &[usize]) -> Result<Vec<Found>> {
        if self.is_simulated {
            return Ok(self.found_at_once(right));
        }
        let limits = self.limits(right.len());
        let long = LONG_RUN.max(LONG * limits.whole);
        if self.options.exhaustive || right.iter().any(|&index| self.lasts[index] < long) {
            return self.find_again(right, limits);
        }
        // Their first runs are a lap.
        let tried: f64 = right.iter().map(|&index| self.lasts[index]).sum();
        let limits = Limits {
            budget: limits.budget - tried,
            ..limits
        };
        let measured = right.iter().map(|&index| {
            self.runs[index] += 1;
            Contender::with_run(index, self.lasts[index])
        });
        let measured = measured.collect();
        halving::halve(measured, limits, self)
    }

    /// Measures candidates, whatever their first runs took, and returns their times, the fastest first.
    fn find_again(&mut self, right: &[usize], limits: Limits) -> Result<Vec<Found>> {
        let contenders = right.iter().copied().map(Contender::new).collect();
        self.settle(right.first().copied(), limits)?;
        if self.options.exhaustive {
            halving::exhaust(contenders, limits, FEW_LAPS, self)
        } else {
            halving::halve(contenders, limits, self)
        }
    }

    /// Launches a candidate until it does not become faster. Comparing results has filled caches with other things, and a last level of
    /// 32 MiB took ten launches that touch 24 MiB of it until they were as fast as later ones.
    fn settle(&self, index: Option<usize>, limits: Limits) -> Result<()> {
        let Some(index) = index.filter(|&index| self.lasts[index] < LONG_RUN) else {
            return Ok(());
        };
        if !self.is_repeatable {
            self.before.restore()?;
        }
        let end = self.spent() + SETTLING * (limits.budget - self.spent());
        let (mut fastest, mut settled) = (f64::INFINITY, 0);
        while settled < 2 && self.spent() < end {
            let seconds = match self.run_once(index) {
                Ok(seconds) => seconds,
                // It fails again when it is measured.
                Err(error) if may_be_of_one(&error) => break,
                Err(error) => return Err(self.error(index, error)),
            };
            settled = if seconds > SETTLED * fastest {
                settled + 1
            } else {
                0
            };
            fastest = fastest.min(seconds);
        }
        Ok(())
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
                in_file: self.options.in_file,
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
        self.check_cancelled()?;
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
