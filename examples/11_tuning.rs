//! Tunes attention for several lengths, and draws how much faster it is than with one tile for all.
//!
//! ```console
//! $ cargo run --release --features report --example 11_tuning
//! ```

#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "an example"
)]

use std::time::Duration;

use tile_kernel::bench::Bench;
#[cfg(feature = "report")]
use tile_kernel::bench::{Plot, Progress};
use tile_kernel::prelude::*;
use tile_kernel::tuning::Tuner;

/// Attention of heads of 64 elements: each block computes `BQ` queries, with tiles of `BK` keys.
#[tile_kernel(
    grid = [q.shape()[1].div_ceil(BQ), q.shape()[0]],
    instances(BQ = [16, 64], BK = [32, 64]),
    tune(BQ, BK, key(bucket(q.dim(0)), exact(q.dim(1)), exact(k.dim(1)))),
)]
fn attention<const BQ: usize, const BK: usize>(
    q: &Tensor<f16, 3>,
    k: &Tensor<f16, 3>,
    v: &Tensor<f16, 3>,
    out: &mut Tensor<f32, 3>,
) {
    let (block, head) = (block_id(0), block_id(1));
    let query = q.load([head, block, 0], [1, BQ, 64]).reshape([BQ, 64]);
    let (keys, values) = (k.partition([1, BK, 64]), v.partition([1, BK, 64]));
    let mut acc = zeros::<f32>([BQ, 64]);
    let mut max = full([BQ], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BQ]);
    for tile in 0..keys.num_tiles(1) {
        let key = keys.load([head, tile, 0]).reshape([BK, 64]);
        let scores = mma(query, key.t(), zeros([BQ, BK])) * 0.125;
        let exists = (tile * BK as i32 + iota(BK)).unsqueeze(0) < k.dim(1);
        let scores = select(exists, scores, f32::NEG_INFINITY);
        let higher = max.max(scores.reduce_max(1));
        let terms = (scores - higher.unsqueeze(1)).exp();
        let shrink = (max - higher).exp();
        sum = sum * shrink + terms.sum(1);
        let value = values.load([head, tile, 0]).reshape([BK, 64]);
        acc = mma(terms.cast::<f16>(), value, acc * shrink.unsqueeze(1));
        max = higher;
    }
    let result = acc / sum.unsqueeze(1);
    out.store([head, block, 0], result.reshape([1, BQ, 64]));
}

/// The candidate that is compared with the tuned ones.
const FIXED: &str = "BQ = 64, BK = 64";

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    // A simulated device takes long for little.
    let is_small = std::env::args().any(|arg| arg == "--small");
    let lengths: &[usize] = if is_small {
        &[16, 40]
    } else {
        &[32, 64, 128, 200, 256, 384, 512]
    };
    let time = Duration::from_millis(if is_small { 1 } else { 100 });
    let tuner = Tuner::from_environment().time(time);
    let bench = if is_small {
        Bench::new()
            .warm_up(Duration::ZERO)
            .duration(Duration::ZERO)
    } else {
        Bench::new()
    };
    #[cfg(feature = "report")]
    let progress = Progress::new(lengths.len());
    let (mut tuned_times, mut fixed_times) = (Vec::new(), Vec::new());
    println!("device: {device}");
    for &tokens in lengths {
        #[cfg(feature = "report")]
        progress.begin(format!("attention of {tokens} tokens"));
        let shape = [4, tokens, 64];
        let elements: Vec<f16> = (0..4 * tokens * 64)
            .map(|i| f16::from_f32((i % 97) as f32 / 97.0 - 0.5))
            .collect();
        let [q, k, v] = [0, 1, 2].map(|_| Tensor::from_slice(&device, &elements, shape));
        let (q, k, v) = (q?, k?, v?);
        let mut out = Tensor::zeros(&device, shape)?;

        let tuned = tuner.tune(&attention_tuned(&q, &k, &v, &mut out))?;
        let chosen = bench.run(&device, |stream| {
            attention_tuned(&q, &k, &v, &mut out).on(stream).launch()
        })?;
        let fixed = bench.run(&device, |stream| {
            attention_tuned(&q, &k, &v, &mut out)
                .candidate(FIXED)?
                .on(stream)
                .launch()
        })?;
        println!(
            "{tokens:5} tokens: `{}` {:.1} us, `{FIXED}` {:.1} us, tuned in {:.0?}",
            tuned.winner(),
            chosen.median() * 1e6,
            fixed.median() * 1e6,
            tuned.spent(),
        );
        tuned_times.push((tokens as f64, chosen));
        fixed_times.push((tokens as f64, fixed));
    }
    #[cfg(feature = "report")]
    {
        progress.finish();
        let path = std::env::temp_dir().join("attention.svg");
        // Each token of each of 4 heads meets every other one in two products of 64.
        Plot::rates("Attention of 4 heads of 64", "GFLOP/s", |n| {
            4e-9 * 4.0 * n * n * 64.0
        })
        .x_label("tokens")
        .series("tuned", tuned_times)
        .series(FIXED, fixed_times)
        .save(&path)?;
        println!("the plot is in {}", path.display());
    }
    Ok(())
}
