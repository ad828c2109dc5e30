//! Predicts which candidate is fast where none was measured.
//!
//! In: the cost of each candidate by the model, and records of other extents. Out: a time for each
//! candidate, and their order.
//!
//! A record says how far the model was off for its extents: the logarithm of measured over modelled
//! time, for each candidate. It has two parts. One is common to all candidates of the record, such
//! as a device that is slower than the model has it; the other is the candidate's own:
//!
//! ```text
//! ln(measured / modelled) = common(record) + own(record, candidate)
//! predicted = modelled * exp(common + own)
//! ```
//!
//! Both parts are means over the records, weighted by the inverse of a power of the distance (Shepard,
//! A two-dimensional interpolation function for irregularly-spaced data, ACM 1968), where distance is
//! that of the logarithms of the extents: from 1024 to 2048 it is as far as from 64 to 128. In the own
//! part, the noise of a time is as a longer distance. The own
//! part of a candidate is shrunk towards 0, the mean of the candidates, as in ridge regression
//! (Hoerl and Kennard, 1970): a candidate of which there is one measurement, far away, is predicted
//! by the model and the common part.
//!
//! - The functions of `libm` give the same order on every machine.
//! - At the extents of a record, the prediction is what was measured there.
//! - Without records, the order is that of the model. Ties keep the order of the candidates.
//! - Without a model, measured times of the nearest records decide.
//! - Candidates of a lower level of native code are predicted by the rules of [`levels`].

use super::levels::{Lower, lower};
use super::record::{Candidate, Record};

/// The power of the distance by which weights fall. With 2, as many records that are far away decide
/// as few that are near: on the functions of the tests, choices are 3.4 % slower than the best on
/// average without a model, and 1.9 % with 3. With 4, one noisy neighbour decides: with
/// 10 % of noise, the choices for the matmul of the tests are 1.9 % slower than the best instead of
/// 1.6 %.
const POWER: f64 = 3.0;

/// The distance at which one measurement of a candidate counts half: a factor of 4 in one extent. On
/// the functions of the tests with 12 records, choices are 0.6 % slower than the best on average with
/// this distance, and 1.2 % with half or 1.0 % with four times as much.
const HALF_DISTANCE: f64 = 2.0;

/// The same without a model: that all candidates are alike is a worse guess than a far measurement.
const HALF_DISTANCE_WITHOUT_MODEL: f64 = 16.0;

/// The relative error of a time that counts as a distance of 1: how far the model is off changes about as much between extents of which one
/// is twice the other.
const NOISE_OF_DISTANCE_1: f64 = 0.05;

/// The number of times that the two parts are fitted, each given the other. If each record has all
/// candidates, the second time changes almost nothing.
const ROUNDS: usize = 16;

/// The bounds of the logarithm of a correction: files may hold any numbers.
const MAX_CORRECTION: f64 = 40.0;

/// The prediction for a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Correction {
    /// The cost by the model, or 0 if there is none.
    pub modelled: f64,
    /// The predicted time. Without records it is the cost by the model; without either, 0.
    pub corrected: f64,
    /// Whether a record has a time of this candidate.
    pub from_records: bool,
    /// Whether the candidate is expected to work.
    pub standing: Standing,
}

/// Whether a candidate is expected to work, from the records in which it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It was measured at these extents, or failed in no record, or failed at other extents than
    /// smaller ones and was measured at larger ones.
    #[default]
    Sound,
    /// It failed or was wrong at other extents than smaller ones.
    Doubtful,
    /// It failed or was wrong at these extents or at smaller ones.
    Failing,
}

/// A candidate and its predicted time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// The index of the candidate.
    pub index: usize,
    /// The predicted time.
    pub seconds: f64,
    /// Whether a record has a time of this candidate.
    pub from_records: bool,
}

/// Returns the candidates in the order in which they are expected to be fast. Those that failed or
/// were wrong at the same or smaller extents are last, after those that did at larger ones.
///
/// `modelled` has the cost of each candidate by the model, 0 if there is none. The records are those
/// of the same kernel, code and device: `near` of [`Found`](super::Found), and `other_driver` if
/// measurements with another driver are good enough.
pub fn rank(
    names: &[String],
    modelled: &[f64],
    extents: &[u64],
    records: &[&Record],
) -> Vec<Predicted> {
    let corrections = correct(names, modelled, extents, records);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&first, &second| {
        let (first, second) = (&corrections[first], &corrections[second]);
        let order = first.standing.cmp(&second.standing);
        order.then(first.corrected.total_cmp(&second.corrected))
    });
    let predicted = |index: usize| Predicted {
        index,
        seconds: corrections[index].corrected,
        from_records: corrections[index].from_records,
    };
    order.into_iter().map(predicted).collect()
}

/// Returns the cost of each candidate by the model and the predicted time, in the order of `names`.
/// The arguments are those of [`rank`].
pub fn correct(
    names: &[String],
    modelled: &[f64],
    extents: &[u64],
    records: &[&Record],
) -> Vec<Correction> {
    let lower = lower(names);
    let mut is_lower = vec![false; names.len()];
    for it in &lower {
        is_lower[it.index] = true;
    }
    let highest: Vec<usize> = (0..names.len()).filter(|&index| !is_lower[index]).collect();
    let cost = |index: usize| modelled.get(index).copied().unwrap_or(0.0);
    let of_highest = correct_alike(
        &highest
            .iter()
            .map(|&it| names[it].clone())
            .collect::<Vec<_>>(),
        &highest.iter().map(|&it| cost(it)).collect::<Vec<_>>(),
        extents,
        records,
    );
    let mut corrections = vec![None; names.len()];
    for (index, correction) in highest.into_iter().zip(of_highest) {
        corrections[index] = Some(correction);
    }
    let mut levels: Vec<&str> = lower.iter().map(|it| it.level).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let of_level: Vec<&Lower<'_>> = lower.iter().filter(|it| it.level == level).collect();
        let costs = (names, modelled);
        let corrected = super::levels::correct(&of_level, &corrections, costs, extents, records);
        for (it, correction) in of_level.iter().zip(corrected) {
            corrections[it.index] = Some(correction);
        }
    }
    corrections
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect()
}

/// Returns the same of candidates that are alike: none is another one at a lower level.
pub(super) fn correct_alike(
    names: &[String],
    modelled: &[f64],
    extents: &[u64],
    records: &[&Record],
) -> Vec<Correction> {
    let costs = Costs::new(names.len(), modelled);
    let comparable = records
        .iter()
        .filter(|it| it.extents.len() == extents.len());
    let observed: Vec<Observed> = comparable
        .map(|record| Observed::new(record, names, &costs, distance(extents, &record.extents)))
        .collect();
    let parts = Parts::fit(names.len(), &observed, costs.half_distance());
    let correction = |index: usize| {
        let measured = observed.iter().any(|it| it.errors[index].is_some());
        let known = costs.has_model || parts.has_measurements;
        Correction {
            modelled: costs.given[index],
            corrected: if known {
                costs.used[index] * libm::exp(parts.error(index))
            } else {
                0.0
            },
            from_records: measured,
            standing: standing(&names[index], extents, records),
        }
    };
    (0..names.len()).map(correction).collect()
}

/// The costs of the candidates by the model.
#[derive(Debug)]
struct Costs {
    /// As given, 0 if there is none.
    given: Vec<f64>,
    /// Where there is none, the geometric mean of the others, so that they are alike.
    used: Vec<f64>,
    has_model: bool,
}

impl Costs {
    fn new(count: usize, modelled: &[f64]) -> Self {
        let cost = |index: usize| modelled.get(index).copied().filter(|it| is_cost(*it));
        let given: Vec<Option<f64>> = (0..count).map(cost).collect();
        let mean = geometric_mean(given.iter().copied().flatten());
        let fill = mean.unwrap_or(1.0);
        Self {
            used: given.iter().map(|cost| cost.unwrap_or(fill)).collect(),
            given: given.iter().map(|cost| cost.unwrap_or(0.0)).collect(),
            has_model: mean.is_some(),
        }
    }

    fn half_distance(&self) -> f64 {
        if self.has_model {
            HALF_DISTANCE
        } else {
            HALF_DISTANCE_WITHOUT_MODEL
        }
    }
}

/// The errors of the model that a record shows.
#[derive(Debug)]
struct Observed {
    /// The weight of the record; infinite at its own extents.
    weight: f64,
    /// The logarithm of measured over modelled time of each candidate, if it was measured.
    errors: Vec<Option<f64>>,
    /// The relative error of each time.
    noises: Vec<f64>,
}

impl Observed {
    fn new(record: &Record, names: &[String], costs: &Costs, distance: f64) -> Self {
        let measured = |name: &String| record.measured().find(|it| it.name == *name);
        let measured: Vec<Option<&Candidate>> = names.iter().map(measured).collect();
        // What the model had for the extents of the record. Where the record does not say, or the
        // model has nothing now, take what it has now, scaled as the costs of the other candidates.
        let has_both = |index: usize| costs.given[index] > 0.0;
        let ratios = measured
            .iter()
            .enumerate()
            .filter_map(|(index, candidate)| {
                let model = candidate.as_ref()?.model;
                (is_cost(model) && has_both(index)).then(|| model / costs.given[index])
            });
        let scale = geometric_mean(ratios).unwrap_or(1.0);
        let errors = measured.iter().enumerate().map(|(index, candidate)| {
            let candidate = candidate.as_ref()?;
            let model = if is_cost(candidate.model) && has_both(index) {
                candidate.model
            } else {
                costs.used[index] * scale
            };
            let error = libm::log(candidate.seconds) - libm::log(model);
            error.is_finite().then_some(error)
        });
        let noise = |candidate: Option<&Candidate>| candidate.map_or(0.0, |it| it.noise);
        Self {
            weight: libm::pow(distance, -POWER),
            errors: errors.collect(),
            noises: measured.into_iter().map(noise).collect(),
        }
    }

    /// Returns the weight of a time, if that of the record is `weight`. The variance of what it says of other extents is that of its
    /// noise, and what the distance adds.
    fn weight_of(&self, index: usize, weight: f64) -> f64 {
        let noise = self.noises[index] / NOISE_OF_DISTANCE_1;
        1.0 / (1.0 / weight + noise * noise)
    }

    /// Returns the errors of the candidates that were measured, with their indices.
    fn measured(&self) -> impl Iterator<Item = (usize, f64)> {
        let errors = self.errors.iter().enumerate();
        errors.filter_map(|(index, error)| Some((index, (*error)?)))
    }
}

/// The two parts of the correction, at the extents of the prediction.
#[derive(Debug)]
struct Parts {
    common: f64,
    own: Vec<f64>,
    /// What was measured of each candidate at just these extents.
    exact: Vec<Option<f64>>,
    has_measurements: bool,
}

impl Parts {
    fn fit(count: usize, observed: &[Observed], half_distance: f64) -> Self {
        let (exact, near): (Vec<&Observed>, Vec<&Observed>) = observed
            .iter()
            .filter(|record| record.measured().next().is_some())
            .partition(|record| record.weight.is_infinite());
        let mut parts = Self {
            common: 0.0,
            own: vec![0.0; count],
            exact: vec![None; count],
            has_measurements: !(exact.is_empty() && near.is_empty()),
        };
        // A weight of 1 for the records at these extents, whose own parts are then not shrunk much
        // either: they say what the candidates that were not measured here have in common with them.
        let weights = near.iter().map(|record| record.weight);
        let weights: Vec<f64> = weights.chain(exact.iter().map(|_| 1.0)).collect();
        let all: Vec<&Observed> = near.iter().chain(&exact).copied().collect();
        let mut commons = vec![0.0; all.len()];
        for _ in 0..ROUNDS {
            for (record, common) in all.iter().zip(&mut commons) {
                let rest = record
                    .measured()
                    .map(|(index, error)| error - parts.own[index]);
                *common = mean(rest).unwrap_or(0.0);
            }
            let mut sums = vec![(0.0, libm::pow(half_distance, -POWER)); count];
            for ((record, common), weight) in all.iter().zip(&commons).zip(&weights) {
                for (index, error) in record.measured() {
                    let weight = record.weight_of(index, *weight);
                    sums[index].0 += weight * (error - common);
                    sums[index].1 += weight;
                }
            }
            parts.own = sums.iter().map(|(sum, weight)| sum / weight).collect();
        }
        for (index, exact_error) in parts.exact.iter_mut().enumerate() {
            *exact_error = mean(exact.iter().filter_map(|record| record.errors[index]));
        }
        let first_exact = near.len();
        parts.common = if exact.is_empty() {
            weighted_mean(commons.iter().copied().zip(weights)).unwrap_or(0.0)
        } else {
            mean(commons[first_exact..].iter().copied()).unwrap_or(0.0)
        };
        parts
    }

    /// Returns the logarithm of the correction of a candidate.
    fn error(&self, index: usize) -> f64 {
        let fitted = (self.common + self.own[index]).clamp(-MAX_CORRECTION, MAX_CORRECTION);
        self.exact[index].unwrap_or(fitted)
    }
}

/// The part of a distance for each power of two up to 16 that divides one extent and not the other: tiles at the edge of a
/// tensor are slower than whole ones.
const DIVISOR_DISTANCE: f64 = 1.0;

/// The extent from which on that counts less, since tiles at the edge are a smaller part of all tiles.
const LONG_EXTENT: f64 = 2048.0;

/// Returns the distance of two lists of extents: that of their base-2 logarithms, and of the powers of two that divide them.
/// Extents of 0 are as those of 1.
fn distance(first: &[u64], second: &[u64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "the logarithm needs few digits")]
    let number = |extent: u64| extent.max(1) as f64;
    let log = |extent: u64| libm::log2(number(extent));
    let divisor = |extent: u64| f64::from(extent.trailing_zeros().min(4));
    let pairs = first.iter().zip(second);
    let squares = pairs.map(|(&first, &second)| {
        let sizes = log(first) - log(second);
        let edges = (LONG_EXTENT / number(first.min(second))).min(1.0);
        let divisors = DIVISOR_DISTANCE * edges * (divisor(first) - divisor(second));
        sizes * sizes + divisors * divisors
    });
    squares.sum::<f64>().sqrt()
}

/// Returns whether a candidate is expected to work at these extents.
pub(super) fn standing(name: &str, extents: &[u64], records: &[&Record]) -> Standing {
    let (mut measured_here, mut failed_here) = (false, false);
    let (mut measured_above, mut failed_below, mut failed) = (false, false, false);
    for record in records
        .iter()
        .filter(|it| it.extents.len() == extents.len())
    {
        let mut candidates = record.candidates.iter();
        let Some(candidate) = candidates.find(|it| it.name == name) else {
            continue;
        };
        let pairs = || record.extents.iter().zip(extents);
        let is_below = pairs().all(|(its, here)| its <= here);
        let is_above = pairs().all(|(its, here)| its >= here);
        if candidate.is_measured() {
            measured_here |= is_below && is_above;
            measured_above |= is_above;
        } else {
            failed_here |= is_below && is_above;
            failed_below |= is_below;
            failed = true;
        }
    }
    match (measured_here, failed_here) {
        (true, false) => Standing::Sound,
        (true, true) => Standing::Doubtful,
        (false, true) => Standing::Failing,
        (false, false) if failed_below => Standing::Failing,
        (false, false) if failed && !measured_above => Standing::Doubtful,
        (false, false) => Standing::Sound,
    }
}

fn is_cost(cost: f64) -> bool {
    cost.is_finite() && cost > 0.0
}

fn geometric_mean(costs: impl Iterator<Item = f64>) -> Option<f64> {
    mean(costs.map(libm::log))
        .map(libm::exp)
        .filter(|it| is_cost(*it))
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    weighted_mean(numbers.map(|number| (number, 1.0)))
}

fn weighted_mean(numbers: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (number, weight) in numbers {
        sum += weight * number;
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}
