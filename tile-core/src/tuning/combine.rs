//! Combines two measurements of the same candidates.
//!
//! In: the record of a launch, and an earlier one of the same. Out: one record with the means of their times, and the candidates of which
//! another measurement would say something. A machine may
//! be in one state for seconds, in which some candidates lose more than others: two measurements at different times are more
//! than one that is twice as long.

use std::collections::HashMap;

use super::{Candidate, Outcome, Record};

/// The least deviation of a time from one measurement to another, besides its noise: the state of the machine, as a part of the time.
const OF_A_STATE: f64 = 0.02;

/// The deviation of a mean by states in which the machine was not while it was measured, of one measurement. Two that agree may have been in
/// the same state.
const UNSEEN: f64 = 0.1;

/// By how many standard errors times may be off.
const SURE: f64 = 3.0;

/// A candidate whose time is longer than this times that of the fastest is not measured again after one measurement, which may have been
/// disturbed. Those that are slow indeed are left out after two laps.
const ONE_MEASUREMENT: f64 = 4.0;

/// How much faster a candidate may be than the fastest one before it is measured again: one that is alike would be measured forever.
const ALIKE: f64 = 0.05;

/// The largest noise that is counted: files may hold any numbers.
const MOST_NOISE: f64 = 10.0;

impl Record {
    /// Returns the fastest candidate and those that may be faster in truth: after one measurement, all that are not four times as slow,
    /// and later those that may be faster by more than 5 %, if their times are off by three standard errors. If there is none, another
    /// measurement says little.
    pub fn may_be_fastest(&self) -> Vec<&Candidate> {
        let Some(winner) = self.winner() else {
            return Vec::new();
        };
        let may_be = |it: &&Candidate| {
            let apart = (it.seconds / winner.seconds).ln();
            if it.repeats.min(winner.repeats) == 0 {
                return apart <= ONE_MEASUREMENT.ln();
            }
            let deviation = error_of_mean(it).hypot(error_of_mean(winner));
            it.name == winner.name || SURE * deviation - apart > ALIKE
        };
        self.measured().filter(may_be).collect()
    }

    /// Combines the record with an earlier one of the same identity, of which some candidates were measured again. The record keeps its
    /// date.
    ///
    /// - The time of a candidate that was measured before is the geometric mean of all measurements, with what is common to all candidates
    ///   left out before. The weights are those of a random-effects model (`DerSimonian` and Laird 1986): the variance of a measurement
    ///   is that of its noise, and that between measurements, which differ more than their noise if the machine was in another state.
    /// - The noise is the standard error of that mean.
    /// - The time of one that was measured once is scaled by what is common to the others, so that its ratio to them is the same.
    /// - A candidate that failed or was wrong once is not measured, whatever it was at the other time.
    pub fn combine(&mut self, earlier: &Record) {
        let mut now: HashMap<String, Candidate> = self
            .candidates
            .drain(..)
            .map(|it| (it.name.clone(), it))
            .collect();
        let pairs = earlier.measured().filter_map(|before| {
            let now = now.get(&before.name).filter(|now| now.is_measured())?;
            let variance = error_of_mean(before).powi(2) + error_of_mean(now).powi(2);
            Some((now.seconds.ln() - before.seconds.ln(), 1.0 / variance))
        });
        let common = mean(pairs);
        // The part that the new measurement is of all: the scale of a record is that of the mean of its measurements.
        let most = earlier.measured().map(count).fold(1.0, f64::max);
        let share = common / (most + 1.0);
        for before in &earlier.candidates {
            let combined = match now.remove(&before.name) {
                None => scaled(before.clone(), share),
                Some(now) => combined(before, now, common, share),
            };
            self.candidates.push(combined);
        }
        let new = now.into_values().map(|it| scaled(it, share - common));
        self.candidates.extend(new);
        self.sort();
    }
}

/// Returns a candidate that was measured again. In logarithms, later times are `common` longer than earlier ones, of which `share` is
/// added to all.
fn combined(before: &Candidate, now: Candidate, common: f64, share: f64) -> Candidate {
    let is_bad = |it: &Candidate| it.outcome != Outcome::Measured;
    if is_bad(&now) {
        return now;
    }
    if is_bad(before) {
        return before.clone();
    }
    let apart = now.seconds.ln() - before.seconds.ln() - common;
    let count = count(before);
    // The variance between measurements, from those before and this one (Welford 1962).
    let variance_before = if before.repeats == 0 {
        0.0
    } else {
        count * noise(before).powi(2)
    };
    let from_this = apart.powi(2) * count / (count + 1.0);
    let between = ((count - 1.0) * variance_before + from_this) / count;
    let between = between.max(OF_A_STATE.powi(2));
    let of_before = if before.repeats == 0 {
        noise(before).powi(2) + between
    } else {
        between / count
    };
    let of_now = noise(&now).powi(2) + between;
    let part = of_before / (of_before + of_now);
    Candidate {
        seconds: before.seconds * (share + part * apart).exp(),
        noise: (part * of_now).sqrt(),
        runs: now.runs.saturating_add(before.runs),
        repeats: before.repeats.saturating_add(now.repeats).saturating_add(1),
        ..now
    }
}

fn scaled(mut candidate: Candidate, logarithm: f64) -> Candidate {
    candidate.seconds *= logarithm.exp();
    candidate
}

/// Returns the number of measurements of a candidate.
#[expect(clippy::cast_precision_loss, reason = "a count of measurements")]
fn count(of: &Candidate) -> f64 {
    1.0 + of.repeats as f64
}

/// Returns the standard error of a time. The variance by unseen states falls with the square of the number of measurements: it is the
/// prior of the variance between them, as much as one degree of freedom.
fn error_of_mean(of: &Candidate) -> f64 {
    noise(of).hypot(UNSEEN / count(of))
}

fn noise(of: &Candidate) -> f64 {
    of.noise.min(MOST_NOISE)
}

/// Returns the mean of numbers with weights, 0 without any.
fn mean(numbers: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, weights) = numbers.fold((0.0, 0.0), |(sum, weights), (number, weight)| {
        (sum + weight * number, weights + weight)
    });
    if weights > 0.0 { sum / weights } else { 0.0 }
}
