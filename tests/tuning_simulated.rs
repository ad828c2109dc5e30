//! Tests of the tuner on the simulated GPU, whose times are computed from counters: the same in every run.

#![expect(clippy::cast_precision_loss, reason = "small inputs")]

use std::collections::BTreeMap;

use tile_kernel::bench::Bench;
use tile_kernel::prelude::*;
use tile_kernel::tuning::{ChosenBy, Tuned, Tuner};
use tile_kernel::{Result, TunedLaunch};

macro_rules! kernels {
    ($module:ident, $arch:literal) => {
        mod $module {
            use tile_kernel::prelude::*;

            #[tile_kernel(
                        grid = c.tiles([BM, BN]),
                        instances(BM = [16, 32, 64, 128], BN = [32, 64, 128]),
                        tune(BM, BN, key(exact(a.dim(0)), exact(b.dim(1)), exact(a.dim(1)))),
                        arch($arch),
                    )]
            pub(super) fn product<const BM: usize, const BN: usize>(
                a: &Tensor<f16, 2>,
                b: &Tensor<f16, 2>,
                c: &mut Tensor<f32, 2>,
            ) {
                let (i, j) = (block_id(0), block_id(1));
                let (a, b) = (a.partition([BM, 32]), b.partition([32, BN]));
                let mut acc = zeros::<f32>([BM, BN]);
                for k in 0..a.num_tiles(1) {
                    acc = mma(a.load([i, k]), b.load([k, j]), acc);
                }
                c.store([i, j], acc);
            }

            #[tile_kernel(
                        grid = [q.shape()[0].div_ceil(BQ)],
                        instances(BQ = [16, 32, 64, 128], BK = [16, 32, 64]),
                        tune(BQ, BK, key(exact(q.dim(0)), exact(k.dim(0)))),
                        arch($arch),
                    )]
            pub(super) fn attention<const BQ: usize, const BK: usize>(
                q: &Tensor<f16, 2>,
                k: &Tensor<f16, 2>,
                v: &Tensor<f16, 2>,
                out: &mut Tensor<f32, 2>,
            ) {
                let block = block_id(0);
                let query = q.load([block, 0], [BQ, 32]);
                let (keys, values) = (k.partition([BK, 32]), v.partition([BK, 32]));
                let mut acc = zeros::<f32>([BQ, 32]);
                let mut sum = zeros::<f32>([BQ]);
                for tile in 0..keys.num_tiles(0) {
                    let scores = mma(query, keys.load([tile, 0]).t(), zeros([BQ, BK]));
                    let exists = (tile * BK as i32 + iota(BK)).unsqueeze(0) < k.dim(0);
                    let terms = select(exists, scores.exp(), 0.0);
                    sum += terms.sum(1);
                    acc = mma(terms.cast::<f16>(), values.load([tile, 0]), acc);
                }
                out.store([block, 0], acc / sum.unsqueeze(1));
            }
        }
    };
}

kernels!(ampere, "sm_80");
kernels!(hopper, "sm_90a");

/// Calls a function with the launch of a kernel for certain extents.
type Space = Box<dyn FnMut(&mut dyn FnMut(TunedLaunch<'_>) -> Result<()>) -> Result<()>>;

fn numbers(shape: [usize; 2]) -> Result<Tensor<f16, 2>> {
    let count = shape[0] * shape[1];
    let elements: Vec<f16> = (0..count)
        .map(|index| f16::from_f32((index * 7 % 31) as f32 / 31.0 - 0.5))
        .collect();
    Tensor::from_slice(&Device::sim(), &elements, shape)
}

fn with<T>(space: &mut Space, mut work: impl FnMut(TunedLaunch<'_>) -> Result<T>) -> Result<T> {
    let mut result = None;
    space(&mut |launch| {
        result = Some(work(launch)?);
        Ok(())
    })?;
    Ok(result.expect("the space has a launch"))
}

/// Returns the times of all candidates.
fn times(space: &mut Space) -> Result<BTreeMap<&'static str, f64>> {
    let names = with(space, |launch| launch.choice())?.candidates;
    let times = names.iter().map(|it| {
        let time = Bench::new().run(&Device::sim(), |stream| {
            with(space, |launch| {
                launch.candidate(it.name)?.on(stream).launch()
            })
        })?;
        Ok((it.name, time.median()))
    });
    times.collect()
}

/// Returns the time of all launches of a piece of work, by the clock of the simulated GPU.
fn clock(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let stream = Stream::of_device(&Device::sim())?;
    let start = stream.record()?;
    work()?;
    Ok(start.elapsed(&stream.record()?)?.as_secs_f64())
}

/// Tunes a space. Returns what was found, and the time of the launches.
fn tune(space: &mut Space, tuner: &Tuner) -> Result<(Tuned, f64)> {
    let mut tuned = None;
    let spent = clock(|| {
        tuned = Some(with(space, |launch| tuner.tune(&launch))?);
        Ok(())
    })?;
    let tuned = tuned.expect("the work has run");
    assert_eq!(tuned.failures().count(), 0, "{tuned}");
    Ok((tuned, spent))
}

/// The losses of some shapes: how much slower the chosen candidate is than the fastest.
#[derive(Debug, Default)]
struct Losses(Vec<f64>);

impl Losses {
    fn median(&mut self) -> f64 {
        self.0.sort_by(f64::total_cmp);
        self.0[self.0.len() / 2]
    }

    fn largest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}

/// Tunes half of the spaces, and compares what is chosen for all of them with the best. Holds the losses and the cost to the bounds
/// of `docs/bench/tuning.md`.
#[expect(clippy::print_stdout, reason = "the figures of the page")]
fn check(name: &str, mut spaces: Vec<Space>) -> Result<()> {
    let mut winners = Vec::new();
    let mut cost = 0.0;
    for space in spaces.iter_mut().step_by(2) {
        let (tuned, spent) = tune(space, &Tuner::new())?;
        let (again, _) = tune(space, &Tuner::new().again())?;
        assert!(tuned.times().eq(again.times()), "{tuned}{again}");
        winners.push(tuned.winner().to_owned());
        cost += spent;
    }
    let (mut of_tuned, mut of_others) = (Losses::default(), Losses::default());
    let mut exhaustive = 0.0;
    for (number, space) in spaces.iter_mut().enumerate() {
        let choice = with(space, |launch| launch.choice())?;
        let times = times(space)?;
        let best = times.values().copied().fold(f64::INFINITY, f64::min);
        let loss = times[choice.name] / best - 1.0;
        if number % 2 == 0 {
            let winner = winners[number / 2].as_str();
            assert_eq!((choice.name, choice.by), (winner, ChosenBy::Record));
            exhaustive += times.values().sum::<f64>();
            of_tuned.0.push(loss);
        } else {
            assert_eq!(choice.by, ChosenBy::Records);
            of_others.0.push(loss);
        }
    }
    let cost = cost / exhaustive;
    let (tuned, others) = (of_tuned.median(), of_others.median());
    println!(
        "{name}: tuned {:.1} %, {:.1} %; others {:.1} %, {:.1} %; cost {:.0} %",
        100.0 * tuned,
        100.0 * of_tuned.largest(),
        100.0 * others,
        100.0 * of_others.largest(),
        100.0 * cost
    );
    assert!(tuned <= 0.05 && of_tuned.largest() <= 0.15, "{of_tuned:?}");
    assert!(others <= 0.1 && of_others.largest() <= 0.3, "{of_others:?}");
    assert!(cost <= 0.25, "{cost}");
    Ok(())
}

/// Defines a test of both kernels for an architecture.
macro_rules! test {
    ($module:ident) => {
        #[test]
        fn $module() -> Result<()> {
            let mut products: Vec<Space> = Vec::new();
            for [m, n, k] in PRODUCTS {
                let (a, b) = (numbers([m, k])?, numbers([k, n])?);
                let mut c = Tensor::zeros(&Device::sim(), [m, n])?;
                products.push(Box::new(move |with| {
                    with($module::product_tuned(&a, &b, &mut c))
                }));
            }
            check(concat!("product, ", stringify!($module)), products)?;
            let mut attentions: Vec<Space> = Vec::new();
            for [queries, tokens] in ATTENTIONS {
                let (q, k) = (numbers([queries, 32])?, numbers([tokens, 32])?);
                let (v, mut out) = (
                    numbers([tokens, 32])?,
                    Tensor::zeros(&Device::sim(), [queries, 32])?,
                );
                attentions.push(Box::new(move |with| {
                    with($module::attention_tuned(&q, &k, &v, &mut out))
                }));
            }
            check(concat!("attention, ", stringify!($module)), attentions)
        }
    };
}

const PRODUCTS: [[usize; 3]; 30] = [
    [16, 32, 32],
    [32, 32, 64],
    [16, 64, 32],
    [16, 128, 64],
    [48, 32, 32],
    [32, 64, 96],
    [64, 32, 64],
    [48, 64, 64],
    [64, 64, 64],
    [64, 64, 32],
    [16, 256, 32],
    [80, 48, 64],
    [100, 96, 64],
    [64, 96, 32],
    [64, 128, 64],
    [96, 96, 96],
    [128, 64, 96],
    [128, 32, 64],
    [128, 128, 64],
    [32, 192, 64],
    [48, 160, 32],
    [112, 80, 64],
    [160, 64, 32],
    [128, 96, 32],
    [160, 160, 64],
    [192, 64, 64],
    [256, 32, 64],
    [192, 128, 32],
    [128, 192, 64],
    [200, 100, 96],
];

const ATTENTIONS: [[usize; 2]; 30] = [
    [16, 16],
    [16, 64],
    [32, 48],
    [32, 32],
    [64, 64],
    [48, 48],
    [64, 100],
    [16, 128],
    [32, 160],
    [48, 96],
    [64, 32],
    [64, 16],
    [80, 80],
    [96, 64],
    [128, 64],
    [100, 128],
    [128, 32],
    [128, 128],
    [160, 160],
    [160, 64],
    [192, 96],
    [64, 192],
    [16, 256],
    [32, 256],
    [256, 32],
    [200, 100],
    [128, 200],
    [192, 192],
    [256, 64],
    [224, 128],
];

test!(ampere);
test!(hopper);
