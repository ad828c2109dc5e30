//! Predictions for candidates of lower levels.

use super::prediction::{self, candidate};
use crate::tuning::levels::{at_level, split};
use crate::tuning::predict::{Standing, correct, rank};
use crate::tuning::{Candidate, Outcome, Record};

const NAMES: [&str; 4] = ["a", "b", "a at low", "b at low"];

fn names() -> Vec<String> {
    NAMES.map(str::to_owned).to_vec()
}

/// Returns a record of candidates with their times and their costs by the model.
fn record(extent: u64, times: &[(&str, f64, f64)]) -> Record {
    let candidates = times.iter();
    let candidates = candidates.map(|&(name, seconds, model)| candidate(name, seconds, model));
    prediction::record(&[extent], candidates.collect())
}

fn order(modelled: [f64; 4], extent: u64, records: &[&Record]) -> Vec<&'static str> {
    let ranked = rank(&names(), &modelled, &[extent], records);
    ranked.iter().map(|it| NAMES[it.index]).collect()
}

#[test]
fn a_name_has_a_level_or_that_of_the_device() {
    assert_eq!(
        at_level("BM = 64, BN = 32", "avx2"),
        "BM = 64, BN = 32 at avx2"
    );
    assert_eq!(
        split("BM = 64, BN = 32 at avx2"),
        ("BM = 64, BN = 32", Some("avx2"))
    );
    assert_eq!(split("BM = 64, BN = 32"), ("BM = 64, BN = 32", None));
}

#[test]
fn without_records_the_highest_level_is_first() {
    // The lower level has less memory to go through, so that the model has it as a little faster.
    assert_eq!(order([2.0, 1.0, 1.98, 0.99], 64, &[])[0], "b");
    assert_eq!(order([0.0; 4], 64, &[])[..2], ["a", "b"]);
}

/// The model has `a` as the fastest, and it is not. Nobody measured its lower level, which is no better.
#[test]
fn what_records_say_of_an_instance_counts_at_all_of_its_levels() {
    let measured = record(
        64,
        &[("a", 2.0, 1.0), ("b", 1.4, 1.5), ("b at low", 2.6, 3.0)],
    );
    let modelled = [1.0, 1.5, 1.0, 3.0];
    for extent in [64, 80, 1000] {
        let order = order(modelled, extent, &[&measured]);
        assert!(extent > 100 || order[0] == "b", "{extent} {order:?}");
        let low = order.iter().position(|it| *it == "a at low");
        let high = order.iter().position(|it| *it == "a");
        assert!(high < low, "{extent} {order:?}");
    }
}

#[test]
fn a_level_that_was_faster_is_chosen_near_by_and_for_other_instances() {
    let faster = record(
        64,
        &[("a", 1.0, 1.0), ("b", 2.0, 2.0), ("a at low", 0.7, 1.5)],
    );
    assert_eq!(order([1.0, 2.0, 1.5, 3.0], 80, &[&faster])[0], "a at low");
    // At these extents, the other instance is the faster one.
    assert_eq!(order([4.0, 2.0, 6.0, 3.0], 80, &[&faster])[0], "b at low");
    let corrected = correct(&names(), &[4.0, 2.0, 6.0, 3.0], &[80], &[&faster]);
    // By no more than it was.
    assert!(corrected[3].corrected / corrected[1].corrected >= 0.7);
    assert!(corrected[2].from_records && !corrected[3].from_records);
}

#[test]
fn levels_that_were_alike_or_slower_are_not_chosen_elsewhere() {
    for low in [0.99, 1.0, 1.3] {
        let alike = record(
            64,
            &[("a", 1.0, 1.0), ("b", 1.2, 1.0), ("a at low", low, 2.0)],
        );
        // A model that is better for the lower level here than it was there says nothing.
        let order = order([1.0, 1.0, 0.9, 0.8], 80, &[&alike]);
        assert_eq!(order[0], "a", "{low} {order:?}");
    }
}

#[test]
fn at_the_extents_of_a_record_its_times_are_predicted() {
    let here = record(
        64,
        &[("a", 1.0, 3.0), ("b", 1.4, 1.5), ("a at low", 0.99, 2.0)],
    );
    let other = record(128, &[("a", 9.0, 3.0), ("a at low", 1.0, 2.0)]);
    let corrected = correct(&names(), &[3.0, 1.5, 2.0, 1.0], &[64], &[&other, &here]);
    for (correction, time) in corrected.iter().zip([1.0, 1.4, 0.99]) {
        assert!(
            (correction.corrected / time - 1.0).abs() < 1e-9,
            "{corrected:?}"
        );
    }
}

#[test]
fn a_level_stands_by_its_own_records_or_as_its_instance_does() {
    let mut wrong = record(64, &[("b", 1.0, 1.0), ("a at low", 2.0, 2.0)]);
    wrong.candidates.push(Candidate {
        name: "a".to_owned(),
        outcome: Outcome::Wrong("element 3 differs".to_owned()),
        ..Candidate::default()
    });
    let standing = |record: &Record| -> Vec<Standing> {
        let corrected = correct(&names(), &[1.0; 4], &[64], &[record]);
        corrected.iter().map(|it| it.standing).collect()
    };
    let (sound, failing) = (Standing::Sound, Standing::Failing);
    assert_eq!(standing(&wrong), [failing, sound, sound, sound]);
    let mut failed = record(64, &[("b", 1.0, 1.0)]);
    failed.candidates.push(prediction::failed("a"));
    assert_eq!(standing(&failed), [failing, sound, failing, sound]);
}
