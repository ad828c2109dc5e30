//! Tests of the tuner on the simulated GPU, whose times are computed from counters: the same in every run.

#![expect(clippy::cast_precision_loss, reason = "small inputs")]

use tile_kernel::bench::Bench;
use tile_kernel::prelude::*;
use tile_kernel::tuning::{ChosenBy, Tuner};
use tile_kernel::{Result, TunedLaunch};

macro_rules! kernels {
    ($module:ident, $arch:literal) => {
        mod $module {
            use tile_kernel::prelude::*;

            #[tile_kernel(
                        grid = c.tiles([BM, BN]),
                        instances(BM = [16, 64], BN = [32, 64]),
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
                        instances(BQ = [16, 64], BK = [16, 32]),
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
fn times(space: &mut Space) -> Result<Vec<(&'static str, f64)>> {
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

/// Tunes half of the spaces, and compares what is chosen for all of them with the best.
fn check(mut spaces: Vec<Space>) -> Result<()> {
    let mut winners = Vec::new();
    for space in spaces.iter_mut().step_by(2) {
        let tuned = with(space, |launch| Tuner::new().tune(&launch))?;
        assert_eq!(tuned.failures().count(), 0, "{tuned}");
        let again = with(space, |launch| Tuner::new().again().tune(&launch))?;
        assert!(tuned.times().eq(again.times()), "{tuned}{again}");
        winners.push(tuned.winner().to_owned());
    }
    let mut losses = Vec::new();
    for (number, space) in spaces.iter_mut().enumerate() {
        let choice = with(space, |launch| launch.choice())?;
        let times = times(space)?;
        let of = |name: &str| {
            times
                .iter()
                .find(|(of, _)| *of == name)
                .expect("it is one")
                .1
        };
        let best = times
            .iter()
            .map(|(_, time)| *time)
            .fold(f64::INFINITY, f64::min);
        let loss = of(choice.name) / best - 1.0;
        if number % 2 == 0 {
            assert_eq!(
                (choice.name, choice.by),
                (winners[number / 2].as_str(), ChosenBy::Record)
            );
            assert!(loss < 1e-9, "{loss} {times:?}");
        } else {
            assert_eq!(choice.by, ChosenBy::Records);
            losses.push(loss);
        }
    }
    losses.sort_by(f64::total_cmp);
    let (median, worst) = (losses[losses.len() / 2], losses[losses.len() - 1]);
    assert!(median <= 0.1 && worst <= 0.3, "{losses:?}");
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
            check(products)?;
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
            check(attentions)
        }
    };
}

const PRODUCTS: [[usize; 3]; 7] = [
    [16, 32, 32],
    [32, 32, 64],
    [64, 64, 64],
    [48, 64, 64],
    [128, 64, 96],
    [100, 96, 64],
    [128, 128, 64],
];

const ATTENTIONS: [[usize; 2]; 7] = [
    [16, 16],
    [32, 48],
    [64, 64],
    [64, 100],
    [128, 64],
    [100, 128],
    [160, 160],
];

test!(ampere);
test!(hopper);
