//! Predictions against functions that are known.

use crate::testing::Random;
use crate::tuning::predict::{Standing, correct, rank};
use crate::tuning::{Candidate, Outcome, Record};

pub(super) fn candidate(name: &str, seconds: f64, model: f64) -> Candidate {
    Candidate {
        name: name.to_owned(),
        seconds,
        model,
        noise: 0.01,
        runs: 20,
        repeats: 0,
        outcome: Outcome::Measured,
    }
}

pub(super) fn record(extents: &[u64], candidates: Vec<Candidate>) -> Record {
    let mut record = Record {
        extents: extents.to_vec(),
        candidates,
        ..Record::default()
    };
    record.sort();
    record
}

pub(super) fn failed(name: &str) -> Candidate {
    Candidate {
        name: name.to_owned(),
        outcome: Outcome::Failed("out of shared memory".to_owned()),
        ..Candidate::default()
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Returns the names in predicted order.
fn order(all: &[&str], modelled: &[f64], extents: &[u64], records: &[&Record]) -> Vec<String> {
    let all = names(all);
    let ranked = rank(&all, modelled, extents, records);
    ranked.iter().map(|it| all[it.index].clone()).collect()
}

const ABC: [&str; 3] = ["a", "b", "c"];

#[test]
fn without_records_the_model_decides_and_ties_keep_their_order() {
    assert_eq!(order(&ABC, &[3.0, 1.0, 2.0], &[64], &[]), ["b", "c", "a"]);
    assert_eq!(order(&ABC, &[2.0, 1.0, 1.0], &[64], &[]), ["b", "c", "a"]);
    assert_eq!(order(&ABC, &[0.0; 3], &[64], &[]), ["a", "b", "c"]);
    let predicted = rank(&names(&ABC), &[3.0, 1.0, 2.0], &[64], &[]);
    assert!((predicted[0].seconds - 1.0).abs() < 1e-12);
    assert!(!predicted[0].from_records);
    let unknown = rank(&names(&ABC), &[0.0; 3], &[64], &[]);
    assert!(unknown.iter().all(|it| it.seconds == 0.0));
}

/// Of two records, the one whose extent is as odd is nearer, but not where edges are a small part.
#[test]
fn divisors_of_long_extents_say_little() {
    let of = |extent, fast, slow| {
        let candidates = vec![candidate(fast, 1e-6, 0.0), candidate(slow, 2e-6, 0.0)];
        record(&[extent], candidates)
    };
    let nearest = |extent, odd, even| {
        let (odd, even) = (of(odd, "a", "b"), of(even, "b", "a"));
        order(&["a", "b"], &[0.0; 2], &[extent], &[&odd, &even]).swap_remove(0)
    };
    assert_eq!(nearest(101, 51, 96), "a");
    assert_eq!(nearest(100_001, 50_001, 96_000), "b");
}

#[test]
fn at_the_extents_of_a_record_its_times_are_predicted() {
    let here = record(
        &[64, 64],
        vec![
            candidate("b", 2e-6, 9.0),
            candidate("a", 3e-6, 1.0),
            candidate("c", 1e-6, 5.0),
        ],
    );
    let other = record(
        &[64, 128],
        vec![candidate("a", 1e-7, 1.0), candidate("c", 1e-3, 5.0)],
    );
    let predicted = rank(&names(&ABC), &[1.0, 9.0, 5.0], &[64, 64], &[&other, &here]);
    let seconds: Vec<f64> = predicted.iter().map(|it| it.seconds).collect();
    for (seconds, expected) in seconds.iter().zip([1e-6, 2e-6, 3e-6]) {
        assert!((seconds / expected - 1.0).abs() < 1e-9, "{seconds}");
    }
    assert!(predicted.iter().all(|it| it.from_records));
}

#[test]
fn a_time_that_is_not_known_well_says_little_of_other_extents() {
    // In the nearer record, the machine was in two states, and `a` seems to be slower.
    let noisy = |it: Candidate| Candidate { noise: 0.2, ..it };
    let models = [1.0, 1.1];
    let near = |make: fn(Candidate) -> Candidate| {
        let times = [candidate("a", 1.3e-6, 1.0), candidate("b", 1.1e-6, 1.1)];
        record(&[64], times.map(make).to_vec())
    };
    let far = record(
        &[16],
        vec![candidate("a", 1.0e-6, 1.0), candidate("b", 1.1e-6, 1.1)],
    );
    let names = ["a", "b"];
    let of = |near: &Record| order(&names, &models, &[128], &[near, &far]);
    assert_eq!(of(&near(|it| it)), ["b", "a"]);
    assert_eq!(of(&near(noisy)), ["a", "b"]);
    // At its own extents, nothing else is known.
    assert_eq!(
        order(&names, &models, &[64], &[&near(noisy), &far]),
        ["b", "a"]
    );
    // Numbers in a file may be anything.
    for noise in [f64::INFINITY, f64::NAN, 1e300, -1.0] {
        let odd = record(
            &[64],
            vec![Candidate {
                noise,
                ..candidate("a", 1e-6, 1.0)
            }],
        );
        assert_eq!(of(&odd), ["a", "b"], "{noise}");
    }
}

#[test]
fn without_a_model_the_nearest_measured_times_decide() {
    let near = record(
        &[128],
        vec![candidate("a", 2.0, 0.0), candidate("b", 1.0, 0.0)],
    );
    let far = record(
        &[65536],
        vec![candidate("a", 1.0, 0.0), candidate("b", 1.8, 0.0)],
    );
    assert_eq!(
        order(&ABC[..2], &[0.0; 2], &[64], &[&near, &far]),
        ["b", "a"]
    );
    assert_eq!(
        order(&ABC[..2], &[0.0; 2], &[32768], &[&near, &far]),
        ["a", "b"]
    );
    // A candidate that nobody measured is as good as the mean.
    let all = order(&ABC, &[0.0; 3], &[64], &[&near, &far]);
    assert_eq!(all, ["b", "c", "a"]);
}

#[test]
fn a_model_of_some_candidates_leaves_the_others_neutral() {
    assert_eq!(order(&ABC, &[1.0, 0.0, 4.0], &[64], &[]), ["a", "b", "c"]);
    // The records were written without a model: their relative times decide, in its scale.
    let plain = record(
        &[64],
        vec![candidate("a", 4.0, 0.0), candidate("b", 1.0, 0.0)],
    );
    assert_eq!(order(&ABC[..2], &[1.0, 2.0], &[80], &[&plain]), ["b", "a"]);
}

#[test]
fn what_failed_is_last_and_never_first_while_another_was_measured() {
    let measured = |extent| {
        record(
            &[extent],
            vec![candidate("a", 1.0, 1.0), candidate("c", 2.0, 1.0)],
        )
    };
    let small = record(&[32], vec![failed("b")]);
    let large = record(&[128], vec![failed("b"), candidate("c", 2.0, 1.0)]);
    let model = [2.0, 1e-9, 1.0];
    let here = measured(64);
    assert_eq!(order(&ABC, &model, &[64], &[&here, &small])[2], "b");
    assert_eq!(order(&ABC, &model, &[64], &[&here, &large])[2], "b");
    let standing = |records: &[&Record]| correct(&names(&ABC), &model, &[64], records)[1].standing;
    assert_eq!(standing(&[&small, &here]), Standing::Failing);
    assert_eq!(standing(&[&large, &here]), Standing::Doubtful);
    assert_eq!(standing(&[&here]), Standing::Sound);
    // It was measured at extents that are larger still.
    let larger = record(&[256], vec![candidate("b", 1.0, 1.0)]);
    assert_eq!(standing(&[&large, &larger]), Standing::Sound);
    assert_eq!(standing(&[&small, &larger]), Standing::Failing);
    // What was measured at these very extents works.
    let same = record(&[64], vec![candidate("b", 1.0, 1.0)]);
    assert_eq!(standing(&[&small, &same]), Standing::Sound);
    let wrong = Candidate {
        outcome: Outcome::Wrong("element 3 differs".to_owned()),
        ..candidate("b", 1e-9, 1.0)
    };
    let wrong = record(&[64], vec![wrong, candidate("a", 1.0, 1.0)]);
    assert_eq!(order(&ABC, &model, &[64], &[&wrong])[2], "b");
}

#[test]
fn records_of_other_candidates_do_not_mislead() {
    // A cancelled run measured the two slow candidates, another one all of them.
    let all = [("a", 1.0), ("b", 2.0), ("c", 4.0)];
    let full = record(
        &[256],
        all.map(|(name, seconds)| candidate(name, seconds, 0.0))
            .to_vec(),
    );
    let part = record(
        &[64],
        vec![candidate("b", 2.0, 0.0), candidate("c", 4.0, 0.0)],
    );
    assert_eq!(
        order(&ABC, &[0.0; 3], &[32], &[&full, &part]),
        ["a", "b", "c"]
    );
}

#[test]
fn nothing_panics_on_odd_numbers() {
    let mut random = Random::new(7);
    let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-308, 1e308, 1.0];
    let extents = [0, 1, 7, u64::MAX];
    for _ in 0..500 {
        let number = |random: &mut Random| odd[random.below(odd.len())];
        let records: Vec<Record> = (0..random.below(4))
            .map(|_| {
                let candidates = ABC[..random.below(4)]
                    .iter()
                    .map(|name| candidate(name, number(&mut random), number(&mut random)));
                let candidates = candidates.collect();
                let rank = random.below(3);
                let extents: Vec<u64> = (0..rank).map(|_| extents[random.below(4)]).collect();
                // Not sorted, as `Records` would have it.
                Record {
                    extents,
                    candidates,
                    ..Record::default()
                }
            })
            .collect();
        let records: Vec<&Record> = records.iter().collect();
        let count = random.below(4);
        let modelled: Vec<f64> = (0..count).map(|_| number(&mut random)).collect();
        let at: Vec<u64> = (0..random.below(3))
            .map(|_| extents[random.below(4)])
            .collect();
        let predicted = rank(&names(&ABC), &modelled, &at, &records);
        let mut indices: Vec<usize> = predicted.iter().map(|it| it.index).collect();
        indices.sort_unstable();
        assert_eq!(indices, [0, 1, 2]);
    }
}

/// A number from 0 to 1.
fn unit(random: &mut Random) -> f64 {
    f64::from(u32::try_from(random.below(1 << 24)).expect("24 bits")) / f64::from(1 << 24)
}

/// About normally distributed, with a deviation of 1 (Irwin and Hall, 1927).
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| unit(random)).sum::<f64>() - 6.0
}

/// Returns the cost of a candidate at some extents.
type Cost = Box<dyn Fn(usize, &[u64]) -> f64>;
/// Returns random extents.
type Extents = Box<dyn Fn(&mut Random) -> Vec<u64>>;

/// A function whose costs are known, and a model of it.
struct Truth {
    names: Vec<String>,
    seconds: Cost,
    model: Cost,
    extents: Extents,
}

fn f(extent: u64) -> f64 {
    f64::from(u32::try_from(extent).expect("a small extent"))
}

/// A matmul of M, N and K on 132 multiprocessors, with 16 sizes of tiles. The model knows waves and
/// multiplications, but neither latency nor how well a tile uses the tensor cores.
fn matmul() -> Truth {
    let sizes = [32_u64, 64, 128, 256];
    let tiles: Vec<(u64, u64)> = sizes.iter().flat_map(|&m| sizes.map(|n| (m, n))).collect();
    let names = tiles
        .iter()
        .map(|(m, n)| format!("BM = {m}, BN = {n}"))
        .collect();
    // Nanoseconds of a wave: some for each step along K, others for the prologue and epilogue.
    let cost = |tile: (u64, u64), extents: &[u64], step: f64, once: f64| {
        let work_tiles = extents[0].div_ceil(tile.0) * extents[1].div_ceil(tile.1);
        let waves = f(work_tiles.div_ceil(132));
        (2000.0 + waves * (f(extents[2]) * step + once)) * 1e-9
    };
    let all = tiles.clone();
    let seconds = move |index: usize, extents: &[u64]| {
        let (m, n) = all[index];
        // The loads of small tiles take longer than their products; the largest spill; tall ones
        // have conflicts; the deeper the loop, the better the loads are hidden.
        let products = f(m * n) / 1800.0;
        let loads = f(m + n) / (20.0 + 4.0 * f(extents[2]).log2());
        let spills = if m * n > 32768 { 1.6 } else { 1.0 };
        let conflicts = if m > 2 * n { 1.25 } else { 1.0 };
        let step = (products.powi(4) + loads.powi(4)).powf(0.25) * spills * conflicts;
        cost((m, n), extents, step, 600.0 + f(m * n) / 12.0)
    };
    let model = move |index: usize, extents: &[u64]| {
        let (m, n) = tiles[index];
        cost((m, n), extents, f(m * n) / 1800.0 + f(m + n) / 100.0, 0.0)
    };
    Truth {
        names,
        seconds: Box::new(seconds),
        model: Box::new(model),
        extents: Box::new(|random| {
            let mut extent = || (64 << random.below(7)) * (4 + random.below(4) as u64) / 4;
            vec![extent(), extent(), extent()]
        }),
    }
}

/// A kernel over rows, by the elements of a block and the number of warps, without a model.
fn rows() -> Truth {
    let choices: Vec<(u64, u64)> = [256_u64, 1024, 4096]
        .iter()
        .flat_map(|&n| [1_u64, 4, 16].map(|w| (n, w)))
        .collect();
    let names = choices
        .iter()
        .map(|(n, w)| format!("BLOCK = {n}, num_warps = {w}"))
        .collect();
    let seconds = move |index: usize, extents: &[u64]| {
        let (block, warps) = choices[index];
        let trips = f(extents[1].div_ceil(block));
        let padded = trips * f(block);
        let parallel = 1.0 - (-f(block) / (f(warps) * 96.0)).exp();
        let occupancy = 1.0 - (-f(warps) * f(extents[0]) / 2000.0).exp();
        let work =
            f(extents[0]) * (padded / (parallel * occupancy) + 300.0 * trips + 60.0 * f(warps));
        (2000.0 + work / 600.0) * 1e-9
    };
    Truth {
        names,
        seconds: Box::new(seconds),
        model: Box::new(|_, _| 0.0),
        extents: Box::new(|random| {
            let mut extent =
                |first: u64| (first << random.below(8)) * (4 + random.below(4) as u64) / 4;
            vec![extent(64), extent(128)]
        }),
    }
}

/// How much slower than the best the choices are on extents without a record: sorted, with records
/// and without.
fn losses(truth: &Truth, seed: u64, noise: f64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let shapes: Vec<Vec<u64>> = (0..128).map(|_| (truth.extents)(&mut random)).collect();
    let (recorded, others) = shapes.split_at(64);
    let records: Vec<Record> = recorded
        .iter()
        .map(|extents| {
            let candidates = truth.names.iter().enumerate().map(|(index, name)| {
                let seconds = (truth.seconds)(index, extents) * (noise * normal(&mut random)).exp();
                candidate(name, seconds, (truth.model)(index, extents))
            });
            record(extents, candidates.collect())
        })
        .collect();
    let records: Vec<&Record> = records.iter().collect();
    let count = truth.names.len();
    let mut losses = (Vec::new(), Vec::new());
    for extents in others {
        let costs: Vec<f64> = (0..count).map(|it| (truth.seconds)(it, extents)).collect();
        let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let modelled: Vec<f64> = (0..count).map(|it| (truth.model)(it, extents)).collect();
        let loss = |records: &[&Record]| {
            costs[rank(&truth.names, &modelled, extents, records)[0].index] / best - 1.0
        };
        losses.0.push(loss(&records));
        losses.1.push(loss(&[]));
    }
    losses.0.sort_by(f64::total_cmp);
    losses.1.sort_by(f64::total_cmp);
    losses
}

/// The mean, the median and the worst of sorted losses.
fn summary(losses: &[f64]) -> [f64; 3] {
    let count = f(losses.len() as u64);
    let mean = losses.iter().sum::<f64>() / count;
    [mean, losses[losses.len() / 2], losses[losses.len() - 1]]
}

#[test]
fn records_of_half_of_the_extents_improve_the_model_for_the_others() {
    let truth = matmul();
    for seed in 0..16 {
        let (with, without) = losses(&truth, seed, 0.02);
        let ([mean, median, worst], [bare_mean, _, bare_worst]) =
            (summary(&with), summary(&without));
        assert!(median < 0.1 && worst < 0.3, "seed {seed}: {median} {worst}");
        assert!(mean < 0.5 * bare_mean, "seed {seed}: {mean} {bare_mean}");
        assert!(worst < bare_worst, "seed {seed}: {worst} {bare_worst}");
    }
}

#[test]
fn records_of_half_of_the_extents_choose_for_the_others_without_a_model() {
    let truth = rows();
    for seed in 0..16 {
        let (with, without) = losses(&truth, seed, 0.02);
        let ([mean, median, worst], [bare_mean, ..]) = (summary(&with), summary(&without));
        assert!(median < 0.1 && worst < 0.6, "seed {seed}: {median} {worst}");
        assert!(
            mean < 0.05 && mean < 0.1 * bare_mean,
            "seed {seed}: {mean} {bare_mean}"
        );
    }
}

#[test]
fn a_prediction_does_not_depend_on_the_order_of_records() {
    let truth = matmul();
    let mut random = Random::new(3);
    let mut records: Vec<Record> = Vec::new();
    for _ in 0..9 {
        let extents = (truth.extents)(&mut random);
        let candidates = truth.names.iter().enumerate().filter_map(|(index, name)| {
            let seconds = (truth.seconds)(index, &extents);
            let model = (truth.model)(index, &extents);
            random.one_in(3).then(|| candidate(name, seconds, model))
        });
        let candidates = candidates.collect();
        records.push(record(&extents, candidates));
    }
    let modelled = vec![0.0; truth.names.len()];
    let order = |records: &[&Record]| {
        let ranked = rank(&truth.names, &modelled, &[512, 512, 512], records);
        ranked.iter().map(|it| it.index).collect::<Vec<_>>()
    };
    let forward: Vec<&Record> = records.iter().collect();
    let backward: Vec<&Record> = records.iter().rev().collect();
    assert_eq!(order(&forward), order(&backward));
}
