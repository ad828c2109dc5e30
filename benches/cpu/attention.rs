//! Attention of `f32`, with heads of 64 elements: causal, and decoding from pages.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, floats, integers, output, tensor};

/// Causal attention. Several heads of queries share a head of keys and values. Each block processes `BQ` queries of a head, beside
/// `BK` keys at a time.
#[tile_kernel(
    grid = [q.shape()[1].div_ceil(BQ), q.shape()[0]],
    instances((BQ = 64, BK = 64), (BQ = 128, BK = 128)),
    arch("cpu")
)]
fn causal<const BQ: usize, const BK: usize>(
    q: &Tensor<f32, 3>,
    k: &Tensor<f32, 3>,
    v: &Tensor<f32, 3>,
    out: &mut Tensor<f32, 3>,
    scale: f32,
) {
    let (block, head) = (block_id(0), block_id(1));
    let shared = head / (q.dim(0) / k.dim(0));
    let (queries, rows) = (BQ as i32, BK as i32);
    let query = q.load([head, block, 0], [1, BQ, 64]).reshape([BQ, 64]) * scale;
    let keys = k.partition([1, BK, 64]);
    let values = v.partition([1, BK, 64]);
    let row = (block * queries + iota(BQ)).unsqueeze(1);
    let mut acc = zeros::<f32>([BQ, 64]);
    let mut max = full([BQ], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BQ]);
    let last = ((block + 1) * queries + rows - 1) / rows;
    for tile in 0..keys.num_tiles(1).min(last) {
        let key = keys.load([shared, tile, 0]).reshape([BK, 64]);
        let scores = mma(query, key.t(), zeros([BQ, BK]));
        let visible = (tile * rows + iota(BK)).unsqueeze(0) <= row;
        let scores = select(visible, scores, f32::NEG_INFINITY);
        let higher = max.max(scores.reduce_max(1));
        let terms = (scores - higher.unsqueeze(1)).exp();
        let shrink = (max - higher).exp();
        sum = sum * shrink + terms.sum(1);
        let value = values.load([shared, tile, 0]).reshape([BK, 64]);
        acc = mma(terms, value, acc * shrink.unsqueeze(1));
        max = higher;
    }
    let result = acc / sum.unsqueeze(1);
    out.store([head, block, 0], result.reshape([1, BQ, 64]));
}

/// Attention of one query per sequence: each block processes the four heads of queries that share a head of keys and values,
/// of one sequence. Its keys and values are in pages of 16 rows, those of `pages`.
#[tile_kernel(grid = [q.shape()[0], q.shape()[1].div_ceil(4)], arch("cpu"))]
fn decode(
    q: &Tensor<f32, 3>,
    keys: &Tensor<f32, 2>,
    values: &Tensor<f32, 2>,
    pages: &Tensor<i32, 2>,
    lengths: &Tensor<i32, 1>,
    out: &mut Tensor<f32, 3>,
    scale: f32,
) {
    let (sequence, head) = (block_id(0), block_id(1));
    let query = q.load([sequence, head, 0], [1, 4, 64]).reshape([4, 64]) * scale;
    let keys = keys.gather_view(0, [64, 64]);
    let values = values.gather_view(0, [64, 64]);
    let len = lengths.at([sequence]);
    let mut acc = zeros::<f32>([4, 64]);
    let mut max = full([4], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([4]);
    for first in (0..len).step_by(64) {
        let token = first + iota(64);
        let exists = token < len;
        // A row that is out of bounds reads as zeros.
        let place = pages.gather([sequence, token / 16]) * 16 + token % 16;
        let place = select(exists, place, -1);
        let key = keys.load([place, head * 64]);
        let scores = mma(query, key.t(), zeros([4, 64]));
        let scores = select(exists.unsqueeze(0), scores, f32::NEG_INFINITY);
        let higher = max.max(scores.reduce_max(1));
        let terms = (scores - higher.unsqueeze(1)).exp();
        let shrink = (max - higher).exp();
        sum = sum * shrink + terms.sum(1);
        acc = mma(
            terms,
            values.load([place, head * 64]),
            acc * shrink.unsqueeze(1),
        );
        max = higher;
    }
    let result = acc / sum.unsqueeze(1);
    out.store([sequence, head, 0], result.reshape([1, 4, 64]));
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("attention", &[heads, tokens]) => {
            let q = floats(1, [heads, tokens, 64])?;
            let k = floats(2, [heads / 4, tokens, 64])?;
            let v = floats(3, [heads / 4, tokens, 64])?;
            let (mut out, read) = output([heads, tokens, 64])?;
            Case::new(move || match tokens {
                ..512 => causal::<64, 64>(&q, &k, &v, &mut out, 0.125).launch(),
                _ => causal::<128, 128>(&q, &k, &v, &mut out, 0.125).launch(),
            })
            .with(read)
        }
        ("paged_decode", &[sequences, tokens]) => {
            let (heads, shared) = (8, 2);
            let per_sequence = tokens.div_ceil(16);
            let count = sequences * per_sequence;
            let q = floats(1, [sequences, heads, 64])?;
            let k = floats(2, [count * 16, shared * 64])?;
            let v = floats(3, [count * 16, shared * 64])?;
            let end = i32::try_from(count).expect("few pages");
            let pages = tensor(&integers(4, count, end), [sequences, per_sequence])?;
            let len = i32::try_from(tokens).expect("few tokens");
            let lengths = tensor(&vec![len; sequences], [sequences])?;
            let (mut out, read) = output([sequences, heads, 64])?;
            Case::new(move || decode(&q, &k, &v, &pages, &lengths, &mut out, 0.125).launch())
                .with(read)
        }
        _ => return Ok(None),
    }))
}
