//! Flash attention: causal, with fewer heads of keys and values than of queries.
//!
//! `cargo run --release --example 06_attention`

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::type_complexity,
    reason = "the numbers are small, and a type is made of what a launch takes"
)]

#[path = "support/mod.rs"]
#[expect(
    dead_code,
    reason = "shared by the examples, and not all of it is used by each"
)]
mod support;

use support::{check, random};
use tile_kernel::prelude::*;

/// Computes `softmax(q · transpose(k) * scale) · v` for each head, without storing the weights in memory.
///
/// All tensors are `[batch, heads, tokens, D]`. Each block processes `BM` queries of one head and iterates
/// over the keys in steps of `BN`. It carries the running maximum of the scores, the sum of weights and the
/// sum of weighted values, and rescales these sums when the maximum rises.
#[tile_kernel(
    grid = [q.shape()[2].div_ceil(BM as usize), q.shape()[1], q.shape()[0]],
    types(T = f16 | bf16),
    instances(
        (BM = 32, BN = 32, D = 32, CAUSAL = true),
        (BM = 32, BN = 32, D = 32, CAUSAL = false),
        (BM = 16, BN = 32, D = 64, CAUSAL = true),
    )
)]
pub(crate) fn attention<
    T: Element,
    const BM: i32,
    const BN: i32,
    const D: usize,
    const CAUSAL: bool,
>(
    q: &Tensor<T, 4>,
    k: &Tensor<T, 4>,
    v: &Tensor<T, 4>,
    out: &mut Tensor<f32, 4>,
    scale: f32,
) {
    let (block, head, batch) = (block_id(0), block_id(1), block_id(2));
    // Several heads of queries share one head of keys and values.
    let shared = head / (q.dim(1) / k.dim(1));
    let query = q
        .load([batch, head, block, 0], [1, 1, BM, D])
        .reshape([BM, D]);
    let keys = k.partition([1, 1, BN, D]);
    let values = v.partition([1, 1, BN, D]);
    let row = (block * BM + iota(BM)).unsqueeze(1);

    let mut max = full([BM], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BM]);
    let mut acc = zeros::<f32>([BM, D]);
    // Keys after the last query of this block are masked, so the loop stops before them.
    let last = ((block + 1) * BM + BN - 1) / BN;
    let tiles = keys.num_tiles(2);
    let tiles = if CAUSAL { tiles.min(last) } else { tiles };
    for tile in 0..tiles {
        let column = (tile * BN + iota(BN)).unsqueeze(0);
        let key = keys.load([batch, shared, tile, 0]).reshape([BN, D]);
        let scores = mma(query, key.t(), zeros([BM, BN])) * scale;
        let visible = if CAUSAL {
            column <= row
        } else {
            column < k.dim(2)
        };
        let scores = select(visible, scores, f32::NEG_INFINITY);

        let higher = max.max(scores.reduce_max(1));
        let weights = (scores - higher.unsqueeze(1)).exp();
        let kept = (max - higher).exp();
        sum = sum * kept + weights.sum(1);
        let value = values.load([batch, shared, tile, 0]).reshape([BN, D]);
        acc = mma(weights.cast::<T>(), value, acc * kept.unsqueeze(1));
        max = higher;
    }
    let result = acc / sum.unsqueeze(1);
    out.store([batch, head, block, 0], result.reshape([1, 1, BM, D]));
}

/// The signature of launches for one element type.
type Attention<T> = fn(
    &Tensor<T, 4>,
    &Tensor<T, 4>,
    &Tensor<T, 4>,
    &mut Tensor<f32, 4>,
    f32,
) -> tile_kernel::Result<()>;

/// The size of a problem.
#[derive(Clone, Copy)]
struct Size {
    batch: usize,
    heads: usize,
    shared: usize,
    queries: usize,
    keys: usize,
    width: usize,
    is_causal: bool,
}

/// Computes the same attention in `f64`.
fn reference(size: Size, q: &[f64], k: &[f64], v: &[f64], scale: f64) -> Vec<f64> {
    let Size {
        batch,
        heads,
        shared,
        queries,
        keys,
        width,
        is_causal,
    } = size;
    let mut out = Vec::new();
    for row_index in 0..batch * heads * queries {
        let (row, head, batch) = (
            row_index % queries,
            row_index / queries % heads,
            row_index / queries / heads,
        );
        let first = (batch * shared + head / (heads / shared)) * keys;
        let query = &q[row_index * width..][..width];
        let visible = if is_causal { keys.min(row + 1) } else { keys };
        let scores: Vec<f64> = (0..visible)
            .map(|key| {
                let key = &k[(first + key) * width..][..width];
                query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() * scale
            })
            .collect();
        let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|score| (score - max).exp()).sum();
        for column in 0..width {
            let weighted = |(key, score): (usize, &f64)| {
                (score - max).exp() / sum * v[(first + key) * width + column]
            };
            out.push(scores.iter().enumerate().map(weighted).sum());
        }
    }
    out
}

fn run<T: Element>(
    device: Device,
    size: Size,
    (to, from): (fn(f32) -> T, fn(T) -> f64),
    tolerance: f64,
    launch: Attention<T>,
) -> tile_kernel::Result<()> {
    let Size {
        batch,
        heads,
        shared,
        queries,
        keys,
        width,
        ..
    } = size;
    let scale = 1.0 / (width as f32).sqrt();
    let numbers = |seed, len| -> Vec<T> { random(seed, len).into_iter().map(to).collect() };
    let q = numbers(1, batch * heads * queries * width);
    let k = numbers(2, batch * shared * keys * width);
    let v = numbers(3, batch * shared * keys * width);
    let mut out = Tensor::zeros(&device, [batch, heads, queries, width])?;
    launch(
        &Tensor::from_slice(&device, &q, [batch, heads, queries, width])?,
        &Tensor::from_slice(&device, &k, [batch, shared, keys, width])?,
        &Tensor::from_slice(&device, &v, [batch, shared, keys, width])?,
        &mut out,
        scale,
    )?;
    let wide = |x: &[T]| -> Vec<f64> { x.iter().copied().map(from).collect() };
    let exact = reference(size, &wide(&q), &wide(&k), &wide(&v), f64::from(scale));
    check("attention", device, out.to_vec()?, &exact, tolerance);
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    let half = (
        f16::from_f32 as fn(f32) -> f16,
        f16::to_f64 as fn(f16) -> f64,
    );
    let brain = (
        bf16::from_f32 as fn(f32) -> bf16,
        bf16::to_f64 as fn(bf16) -> f64,
    );
    let size = Size {
        batch: 2,
        heads: 4,
        shared: 2,
        queries: 45,
        keys: 45,
        width: 32,
        is_causal: true,
    };

    // The weights are rounded to 11 significant bits (`f16`) or 8 (`bf16`) before the weighted sum.
    run(device, size, half, 2e-3, |q, k, v, out, scale| {
        attention::<_, 32, 32, 32, true>(q, k, v, out, scale).launch()
    })?;
    run(device, size, brain, 2e-2, |q, k, v, out, scale| {
        attention::<_, 32, 32, 32, true>(q, k, v, out, scale).launch()
    })?;
    let other = Size {
        queries: 20,
        keys: 77,
        is_causal: false,
        ..size
    };
    run(device, other, half, 2e-3, |q, k, v, out, scale| {
        attention::<_, 32, 32, 32, false>(q, k, v, out, scale).launch()
    })?;
    let wide = Size {
        batch: 1,
        heads: 6,
        shared: 2,
        queries: 33,
        keys: 33,
        width: 64,
        ..size
    };
    run(device, wide, half, 2e-3, |q, k, v, out, scale| {
        attention::<_, 16, 32, 64, true>(q, k, v, out, scale).launch()
    })?;
    Ok(())
}
