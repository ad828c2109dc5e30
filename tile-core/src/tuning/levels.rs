//! Candidates of a lower level: on a CPU, an instance may run native code with fewer instructions than the processor has.
//!
//! In: the names of candidates. Out: their parts, and how much slower a lower level is expected to be.
//!
//! - A name without a level is that of the highest level: `BM = 64`, and `BM = 64 at avx2` where the processor has AVX-512.
//! - A candidate of a lower level is predicted beside the same instance at the highest one: what records say of an instance
//!   counts for all of its levels, and what they say of a level for all instances.
//! - It is never expected to gain more than it did in a record.

use std::collections::HashMap;

use super::predict::{Correction, correct_alike, standing};
use super::record::{Candidate, Record};

/// The separator of the parameters of a candidate and its level.
const AT: &str = " at ";

/// The part by which a lower level must be expected to be faster before it is chosen for extents at which it was not measured:
/// measured times of both differ by as much without a reason.
const DOUBT: f64 = 0.03;

/// Returns the name of a candidate that runs code of a lower level than the highest of its device.
pub fn at_level(parameters: &str, level: &str) -> String {
    format!("{parameters}{AT}{level}")
}

/// Returns the parameters of a candidate and its level, `None` for the highest one.
pub fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(AT) {
        Some((parameters, level)) => (parameters, Some(level)),
        None => (name, None),
    }
}

/// A candidate of a lower level.
pub(super) struct Lower<'n> {
    /// The place among the candidates.
    pub(super) index: usize,
    /// The place of the same instance at the highest level.
    pub(super) highest: usize,
    pub(super) level: &'n str,
}

/// Returns the candidates of lower levels. One whose instance is not there with the highest level is like one of that.
pub(super) fn lower(names: &[String]) -> Vec<Lower<'_>> {
    let places = names.iter().enumerate();
    let places: HashMap<&str, usize> = places.map(|(index, name)| (&**name, index)).collect();
    let lower = names.iter().enumerate().filter_map(|(index, name)| {
        let (parameters, level) = split(name);
        Some(Lower {
            index,
            highest: *places.get(parameters)?,
            level: level?,
        })
    });
    lower.collect()
}

/// Returns the predictions for the candidates of one level, from those for the highest one.
pub(super) fn correct(
    of_level: &[&Lower<'_>],
    corrections: &[Option<Correction>],
    (names, modelled): (&[String], &[f64]),
    extents: &[u64],
    records: &[&Record],
) -> Vec<Correction> {
    let own: Vec<String> = of_level.iter().map(|it| names[it.index].clone()).collect();
    let cost = |index: usize| modelled.get(index).copied().unwrap_or(0.0);
    let ratios: Vec<f64> = of_level
        .iter()
        .map(|it| ratio(cost(it.index), cost(it.highest)))
        .collect();
    let measured: Vec<Record> = records
        .iter()
        .map(|record| ratios_of(record, of_level, names))
        .collect();
    let references: Vec<&Record> = measured.iter().collect();
    let expected = correct_alike(&own, &ratios, extents, &references);
    let all = measured.iter().flat_map(|record| &record.candidates);
    let least = all.map(|it| it.seconds).fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    let correction = |(it, expected): (&&Lower<'_>, Correction)| {
        let name = &names[it.index];
        let of_highest = corrections[it.highest].unwrap_or_default();
        let is_exact = measured.iter().any(|record| {
            record.extents == extents && record.candidates.iter().any(|it| it.name == *name)
        });
        let ratio = if is_exact {
            expected.corrected
        } else {
            expected.corrected.max(least) * (1.0 + DOUBT)
        };
        let mut all = records.iter().flat_map(|record| &record.candidates);
        Correction {
            modelled: cost(it.index),
            corrected: of_highest.corrected * ratio,
            from_records: expected.from_records,
            standing: if all.any(|it| it.name == *name) {
                standing(name, extents, records)
            } else {
                of_highest.standing
            },
        }
    };
    of_level.iter().zip(expected).map(correction).collect()
}

/// Returns a record with the times of a level as parts of those of the highest one.
fn ratios_of(record: &Record, of_level: &[&Lower<'_>], names: &[String]) -> Record {
    let measured = |index: usize| record.measured().find(|it| it.name == names[index]);
    let candidates = of_level.iter().filter_map(|it| {
        let (own, of_highest) = (measured(it.index)?, measured(it.highest)?);
        Some(Candidate {
            name: own.name.clone(),
            seconds: ratio(own.seconds, of_highest.seconds),
            model: ratio(own.model, of_highest.model),
            ..Candidate::default()
        })
    });
    Record {
        extents: record.extents.clone(),
        candidates: candidates.filter(|it| it.seconds > 0.0).collect(),
        ..Record::default()
    }
}

/// Returns the ratio of two costs, 0 if one of them is none.
fn ratio(cost: f64, of: f64) -> f64 {
    let ratio = cost / of;
    if ratio.is_finite() && ratio > 0.0 {
        ratio
    } else {
        0.0
    }
}
