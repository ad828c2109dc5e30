//! Tests of records that were measured twice.

use super::super::{Candidate, Outcome, Record};

fn candidate(name: &str, seconds: f64) -> Candidate {
    Candidate {
        name: name.to_owned(),
        seconds,
        noise: 0.01,
        runs: 10,
        ..Candidate::default()
    }
}

fn failed(name: &str) -> Candidate {
    Candidate {
        outcome: Outcome::Failed("no memory".to_owned()),
        ..candidate(name, 0.0)
    }
}

/// Returns the candidates of two measurements in one record.
fn combined(earlier: &[Candidate], now: &[Candidate]) -> Vec<Candidate> {
    let record = |candidates: &[Candidate]| Record {
        candidates: candidates.to_vec(),
        ..Record::default()
    };
    let mut record_of_both = record(now);
    record_of_both.combine(&record(earlier));
    record_of_both.candidates
}

fn times(candidates: &[Candidate]) -> Vec<(&str, f64)> {
    let nanoseconds = |it: &Candidate| (it.seconds * 1e9).round();
    let times = candidates
        .iter()
        .map(|it| (it.name.as_str(), nanoseconds(it)));
    times.collect()
}

#[test]
fn a_candidate_that_one_measurement_preferred_is_judged_by_both() {
    // While the second core was slow, the candidate that uses one core only seemed as fast.
    let earlier = [candidate("one", 60e-6), candidate("two", 62e-6)];
    let now = [candidate("two", 20e-6), candidate("one", 34e-6)];
    let both = combined(&earlier, &now);
    assert_eq!(times(&both), [("two", 35214.0), ("one", 45166.0)]);
    assert_eq!(both[0].runs, 20);
    // Half of what each differs from their common change: by the square root of (60 / 34) / (62 / 20), in logarithms.
    let apart = ((60.0_f64 / 34.0) / (62.0 / 20.0)).ln().abs() / 4.0;
    assert!(both.iter().all(|it| (it.noise - apart).abs() < 1e-9));
    // What is common to all says nothing.
    let slower = earlier.map(|it| candidate(&it.name, 3.0 * it.seconds));
    let both = combined(&[candidate("one", 60e-6), candidate("two", 62e-6)], &slower);
    assert!(
        both.iter()
            .all(|it| (it.noise - 0.01 / 2_f64.sqrt()).abs() < 1e-9)
    );
}

#[test]
fn one_that_was_measured_once_keeps_its_ratio() {
    // The machine is a quarter as fast as before.
    let earlier = [
        candidate("a", 10e-6),
        candidate("b", 11e-6),
        candidate("slow", 30e-6),
    ];
    let now = [
        candidate("a", 40e-6),
        candidate("b", 44e-6),
        candidate("new", 48e-6),
    ];
    let both = combined(&earlier, &now);
    assert_eq!(
        times(&both),
        [("a", 20e3), ("b", 22e3), ("new", 24e3), ("slow", 60e3)]
    );
    // Without one in common, nothing is known.
    let both = combined(&earlier[2..], &now[2..]);
    assert_eq!(times(&both), [("slow", 30e3), ("new", 48e3)]);
}

#[test]
fn a_time_that_is_not_known_well_counts_less() {
    // It was left out early, after a disturbed lap.
    let early = Candidate {
        noise: 0.04,
        ..candidate("b", 13e-6)
    };
    let now = [candidate("a", 10e-6), candidate("b", 8.5e-6)];
    let both = combined(&[candidate("a", 10e-6), early], &now);
    assert_eq!(both[0].name, "b");
    let (one, other) = (both[0].seconds, both[1].seconds);
    assert!((0.9..0.97).contains(&(one / other)), "{}", one / other);
    // If it was measured well at both times, it is slower.
    let both = combined(&[candidate("a", 10e-6), candidate("b", 13e-6)], &now);
    assert_eq!(both[0].name, "a");
}

#[test]
fn one_that_failed_once_is_not_chosen() {
    let earlier = [candidate("a", 1e-6), failed("b"), failed("c")];
    let now = [failed("a"), candidate("b", 1e-6), candidate("d", 2e-6)];
    let both = combined(&earlier, &now);
    let measured: Vec<&str> = both
        .iter()
        .filter(|it| it.is_measured())
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(measured, ["d"]);
    assert_eq!(both.len(), 4);
}
