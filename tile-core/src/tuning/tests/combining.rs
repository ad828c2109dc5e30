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
    let error = apart.hypot(0.01 / 2_f64.sqrt());
    assert!(both.iter().all(|it| (it.noise - error).abs() < 1e-9));
    // What is common to all says nothing.
    let slower = earlier.map(|it| candidate(&it.name, 3.0 * it.seconds));
    let both = combined(&[candidate("one", 60e-6), candidate("two", 62e-6)], &slower);
    let error = 0.01_f64.hypot(0.02) / 2_f64.sqrt();
    assert!(both.iter().all(|it| (it.noise - error).abs() < 1e-9));
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
    // Its laps differed much.
    let early = Candidate {
        noise: 0.4,
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
fn one_that_was_left_out_after_a_disturbed_lap_is_measured_until_it_wins() {
    // The noise of a time of two laps.
    let early = Candidate {
        noise: 0.04,
        ..candidate("b", 13e-6)
    };
    let usual = [candidate("a", 10e-6), candidate("b", 8.5e-6)];
    let measurements = [[candidate("a", 10e-6), early], usual.clone(), usual.clone()];
    assert_eq!(may_be_fastest(&measurements[..2]), ["a", "b"]);
    assert_eq!(may_be_fastest(&measurements), ["b", "a"]);
}

#[test]
fn any_numbers_of_a_file_can_be_combined() {
    let numbers = [1e-300, 1e-6, 1.0, 1e300];
    for (seconds, noise) in numbers.iter().flat_map(|&a| numbers.map(|b| (a, b))) {
        let odd = |name: &str, repeats: u64| Candidate {
            noise,
            repeats,
            ..candidate(name, seconds)
        };
        for repeats in [0, 1, u64::MAX] {
            let earlier = [odd("a", repeats), candidate("b", 1e-6)];
            let both = combined(&earlier, &[candidate("a", 1e-6), odd("b", 0)]);
            assert!(both.iter().all(Candidate::is_measured), "{both:?}");
            assert!(
                both.iter()
                    .all(|it| it.seconds.is_finite() && it.noise.is_finite())
            );
        }
    }
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

/// Combines measurements one after the other.
fn combined_all(measurements: &[[Candidate; 2]]) -> Vec<Candidate> {
    let [first, others @ ..] = measurements else {
        return Vec::new();
    };
    others
        .iter()
        .fold(first.to_vec(), |earlier, now| combined(&earlier, now))
}

#[test]
fn the_last_of_many_measurements_counts_as_much_as_each_of_them() {
    // In one of five, the machine was in another state.
    let usual = [candidate("one", 30e-6), candidate("two", 20e-6)];
    let other = [candidate("one", 30e-6), candidate("two", 40e-6)];
    for odd in 0..5 {
        let mut measurements = [(); 5].map(|()| usual.clone());
        measurements[odd] = other.clone();
        let all = combined_all(&measurements);
        let ratio = (all[1].seconds / all[0].seconds).ln();
        let expected = (4.0 * 1.5_f64.ln() + 0.75_f64.ln()) / 5.0;
        assert_eq!((all[0].name.as_str(), all[0].repeats), ("two", 4));
        // It is not known which one is the odd one before the third, so that the weights are not quite the same.
        assert!((ratio - expected).abs() < 0.1, "{odd}: {ratio} {expected}");
        // The standard error of the mean of five numbers, of which one is `apart` from the others. Half of it is of each candidate.
        let apart = 2_f64.ln() / 2.0;
        let error = (apart.powi(2) / 5.0 / 5.0).sqrt();
        assert!(
            (all[0].noise / error - 1.0).abs() < 0.2,
            "{odd}: {} {error}",
            all[0].noise
        );
    }
}

/// Returns the candidates of a record that may be the fastest, from measurements of two.
fn may_be_fastest(measurements: &[[Candidate; 2]]) -> Vec<String> {
    let record = Record {
        candidates: combined_all(measurements),
        ..Record::default()
    };
    let names = record.may_be_fastest();
    names.iter().map(|it| it.name.clone()).collect()
}

#[test]
fn candidates_may_be_the_fastest_until_it_is_sure_that_they_are_not() {
    let slower = |part: f64| [candidate("a", 1e-6), candidate("b", part * 1e-6)];
    // Of one measurement, the state of the machine is not known.
    assert_eq!(may_be_fastest(&[slower(3.9)]), ["a", "b"]);
    assert_eq!(may_be_fastest(&[slower(4.1)]), ["a"]);
    // Two that agree are enough if the candidates are not alike.
    assert_eq!(may_be_fastest(&[slower(1.2), slower(1.2)]), ["a"]);
    let alike = |count: usize| may_be_fastest(&vec![slower(1.08); count]);
    assert_eq!(alike(2), ["a", "b"]);
    assert_eq!(alike(4), ["a"]);
    assert_eq!(may_be_fastest(&[slower(1.01), slower(1.0)]), ["a", "b"]);
    let many = vec![slower(1.01); 10];
    assert_eq!(may_be_fastest(&many), ["a"], "they are alike");
    // Two that do not agree are not, and five are again.
    assert_eq!(may_be_fastest(&[slower(1.2), slower(1.9)]), ["a", "b"]);
    let five = [1.9, 1.2, 1.8, 1.3, 1.5].map(slower);
    assert_eq!(may_be_fastest(&five), ["a"]);
    assert_eq!(Record::default().may_be_fastest(), Vec::<&Candidate>::new());
}
