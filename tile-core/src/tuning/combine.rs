//! Combines two measurements of the same candidates.
//!
//! In: the record of a launch, and an earlier one of the same. Out: one record with the means of their times. A machine may
//! be in one state for seconds, in which some candidates lose more than others: two measurements at different times are more
//! than one that is twice as long.

use std::collections::HashMap;

use super::{Candidate, Outcome, Record};

/// The noise of a time besides that of its measurement: the state of the machine, as a part of the time.
const OF_A_STATE: f64 = 0.02;

impl Record {
    /// Combines the record with an earlier one of the same identity, of which some candidates were measured again. The record keeps its
    /// date.
    ///
    /// - The time of a candidate that was measured twice is the geometric mean of both, with what is common to all candidates left out
    ///   before. The one with less noise counts more. The noise is that of a mean, and at least half of the difference.
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
            let weight = 1.0 / (1.0 / weight(before) + 1.0 / weight(now));
            Some(((now.seconds / before.seconds).ln(), weight))
        });
        let common = mean(pairs);
        for before in &earlier.candidates {
            let combined = match now.remove(&before.name) {
                None => scaled(before.clone(), common / 2.0),
                Some(now) => combined(before, now, common),
            };
            self.candidates.push(combined);
        }
        let new = now.into_values().map(|it| scaled(it, -common / 2.0));
        self.candidates.extend(new);
        self.sort();
    }
}

/// Returns a candidate that was measured twice, with later times `common` times as long as earlier ones, in logarithms.
fn combined(before: &Candidate, now: Candidate, common: f64) -> Candidate {
    let is_bad = |it: &Candidate| it.outcome != Outcome::Measured;
    if is_bad(&now) {
        return now;
    }
    if is_bad(before) {
        return before.clone();
    }
    let apart = (now.seconds / before.seconds).ln() - common;
    let (of_before, of_now) = (weight(before), weight(&now));
    let part = of_now / (of_before + of_now);
    let noise = (part * now.noise).hypot((1.0 - part) * before.noise);
    Candidate {
        seconds: before.seconds * (common / 2.0 + part * apart).exp(),
        noise: noise.max(apart.abs() / 2.0),
        runs: now.runs.saturating_add(before.runs),
        ..now
    }
}

fn scaled(mut candidate: Candidate, logarithm: f64) -> Candidate {
    candidate.seconds *= logarithm.exp();
    candidate
}

/// Returns the weight of a time: that of a candidate which was left out early is not known well.
fn weight(of: &Candidate) -> f64 {
    1.0 / (of.noise.powi(2) + OF_A_STATE.powi(2))
}

/// Returns the mean of numbers with weights, 0 without any.
fn mean(numbers: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, weights) = numbers.fold((0.0, 0.0), |(sum, weights), (number, weight)| {
        (sum + weight * number, weights + weight)
    });
    if weights > 0.0 { sum / weights } else { 0.0 }
}
