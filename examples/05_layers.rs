//! Layers of a language model: rotary embedding, `SwiGLU`, cross entropy with ignored labels, and
//! dropout.
//!
//! `cargo run --release --example 05_layers`

#![expect(clippy::cast_precision_loss, reason = "the numbers are small")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "indices are small"
)]

#[path = "support/mod.rs"]
#[expect(
    dead_code,
    reason = "shared by the examples, and not all of it is used by each"
)]
mod support;

use support::{check, random};
use tile_kernel::prelude::*;

/// Rotates each pair of corresponding elements in the halves of a head by an angle proportional to the
/// token's position. Each block processes one head of 16 tokens of `[tokens, heads, 2 * HALF]`.
#[tile_kernel(grid = [x.shape()[0].div_ceil(16), x.shape()[1]], instances((HALF = 16), (HALF = 32)))]
pub(crate) fn rotate<const HALF: usize>(
    x: &Tensor<f32, 3>,
    y: &mut Tensor<f32, 3>,
    first_position: i32,
) {
    let (token, head) = (block_id(0), block_id(1));
    // 10000^(-i / HALF)
    let rate = -(10000.0_f32.ln()) / HALF as f32;
    let frequency = (iota::<i32>(HALF).cast::<f32>() * rate).exp();
    let position = (first_position + token * 16 + iota(16)).cast::<f32>();
    let angle = position.unsqueeze(1) * frequency.unsqueeze(0);
    let (sin, cos) = (angle.sin().unsqueeze(1), angle.cos().unsqueeze(1));

    let left = x.load([token, head, 0], [16, 1, HALF]);
    let right = x.load([token, head, 1], [16, 1, HALF]);
    y.store([token, head, 0], left * cos - right * sin);
    y.store([token, head, 1], left * sin + right * cos);
}

/// Computes `silu(gate) * up`.
#[tile_kernel(grid = y.tiles([8, 64]), types(T = f32 | bf16))]
pub(crate) fn swiglu<T: Element>(gate: &Tensor<T, 2>, up: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
    let position = (block_id(0), block_id(1));
    let gate = gate.load([position.0, position.1], [8, 64]).cast::<f32>();
    let up = up.load([position.0, position.1], [8, 64]).cast::<f32>();
    let silu = gate / (1.0 + (-gate).exp());
    y.store([position.0, position.1], (silu * up).cast::<T>());
}

/// Computes the loss of each row of `logits`, and replaces the row by its gradient: the softmax, minus 1 at
/// the label. A row whose label is `ignored` has zero loss and zero gradients.
#[tile_kernel(grid = loss.shape()[0])]
fn cross_entropy(
    logits: &mut Tensor<f32, 2>,
    labels: &Tensor<i32, 1>,
    loss: &mut Tensor<f32, 1>,
    ignored: i32,
) {
    let row = block_id(0);
    let logits = logits.partition([1, 128]).with_padding(Padding::NegInf);
    let label = labels.at([row]);
    if label == ignored {
        for k in 0..logits.num_tiles(1) {
            logits.store([row, k], zeros([1, 128]));
        }
        loss.store([row], zeros([1]));
        return;
    }

    let mut max = f32::NEG_INFINITY;
    let mut sum = 0.0;
    let mut at_label = 0.0;
    for k in 0..logits.num_tiles(1) {
        let z = logits.load([row, k]).reshape([128]);
        let higher = max.max(z.reduce_max(0));
        sum = sum * (max - higher).exp() + (z - higher).exp().sum(0);
        max = higher;
        at_label += select(k * 128 + iota(128) == label, z, 0.0).sum(0);
    }
    loss.store([row], full([1], max + sum.ln() - at_label));

    for k in 0..logits.num_tiles(1) {
        let softmax = (logits.load([row, k]) - max).exp() / sum;
        let target = select((k * 128 + iota(128) == label).unsqueeze(0), 1.0, 0.0);
        logits.store([row, k], softmax - target);
    }
}

/// Keeps each number with probability `keep`, scaled to preserve the mean, and sets the others to 0. The
/// choice depends only on `seed`, so the backward pass makes the same choice.
#[tile_kernel(grid = y.tiles([256]))]
pub(crate) fn dropout(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, keep: f32, seed: u64) {
    let i = block_id(0);
    let kept = rand_uniform(seed, i * 256 + iota(256)) < keep;
    y.store([i], select(kept, x.load([i], [256]) / keep, 0.0));
}

fn rotations(device: Device, tokens: usize, heads: usize, half: usize) -> tile_kernel::Result<()> {
    const FIRST: usize = 3;
    let shape = [tokens, heads, 2 * half];
    let x = random(1, tokens * heads * 2 * half);
    let input = Tensor::from_slice(&device, &x, shape)?;
    let mut y = Tensor::zeros(&device, shape)?;
    match half {
        16 => rotate::<16>(&input, &mut y, FIRST as i32).launch()?,
        _ => rotate::<32>(&input, &mut y, FIRST as i32).launch()?,
    }
    let mut exact = Vec::new();
    for (head_index, head) in x.chunks(2 * half).enumerate() {
        let position = (FIRST + head_index / heads) as f64;
        let (left, right) = head.split_at(half);
        let turned = |sign: f64, a: &[f32], b: &[f32]| -> Vec<f64> {
            let turn = |i: usize| {
                let angle = position * 10000_f64.powf(-(i as f64) / half as f64);
                f64::from(a[i]) * angle.cos() + sign * f64::from(b[i]) * angle.sin()
            };
            (0..half).map(turn).collect()
        };
        exact.extend(turned(-1.0, left, right));
        exact.extend(turned(1.0, right, left));
    }
    check("rotary embedding", device, y.to_vec()?, &exact, 1e-4);
    Ok(())
}

fn gates(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    // Numbers that `bf16` can represent, so that one exact result fits both types.
    let numbers = |seed| -> Vec<bf16> {
        random(seed, rows * columns)
            .iter()
            .map(|x| bf16::from_f32(x * 4.0))
            .collect()
    };
    let (gate, up) = (numbers(1), numbers(2));
    let exact: Vec<f64> = gate
        .iter()
        .zip(&up)
        .map(|(gate, up)| gate.to_f64() / (1.0 + (-gate.to_f64()).exp()) * up.to_f64())
        .collect();
    let shape = [rows, columns];
    let wide = |x: &[bf16]| -> Vec<f32> { x.iter().map(|x| x.to_f32()).collect() };

    let mut y = Tensor::zeros(&device, shape)?;
    let left = Tensor::from_slice(&device, &wide(&gate), shape)?;
    let right = Tensor::from_slice(&device, &wide(&up), shape)?;
    swiglu(&left, &right, &mut y).launch()?;
    check("SwiGLU", device, y.to_vec()?, &exact, 1e-6);

    let mut y = Tensor::zeros(&device, shape)?;
    let left = Tensor::from_slice(&device, &gate, shape)?;
    let right = Tensor::from_slice(&device, &up, shape)?;
    swiglu(&left, &right, &mut y).launch()?;
    let actual = y.to_vec()?.into_iter().map(bf16::to_f32);
    check("SwiGLU, bf16", device, actual, &exact, 1.0 / 256.0);
    Ok(())
}

fn losses(device: Device, rows: usize, classes: usize) -> tile_kernel::Result<()> {
    const IGNORED: i32 = -100;
    let x: Vec<f32> = random(3, rows * classes).iter().map(|x| x * 5.0).collect();
    let label = |row: usize| match row % 3 {
        1 => IGNORED,
        _ => (row * 7 % classes) as i32,
    };
    let labels: Vec<i32> = (0..rows).map(label).collect();
    let mut logits = Tensor::from_slice(&device, &x, [rows, classes])?;
    let on_device = Tensor::from_slice(&device, &labels, [rows])?;
    let mut loss = Tensor::full(&device, [rows], f32::NAN)?;
    cross_entropy(&mut logits, &on_device, &mut loss, IGNORED).launch()?;

    let (mut exact_loss, mut exact_gradient) = (Vec::new(), Vec::new());
    for (row, &label) in x.chunks(classes).zip(&labels) {
        if label == IGNORED {
            exact_loss.push(0.0);
            exact_gradient.extend(vec![0.0; classes]);
            continue;
        }
        let sum: f64 = row.iter().map(|z| f64::from(*z).exp()).sum();
        exact_loss.push(sum.ln() - f64::from(row[label as usize]));
        exact_gradient.extend(row.iter().enumerate().map(|(index, z)| {
            let target = if index == label as usize { 1.0 } else { 0.0 };
            f64::from(*z).exp() / sum - target
        }));
    }
    check("cross entropy", device, loss.to_vec()?, &exact_loss, 1e-5);
    check(
        "cross entropy, gradient",
        device,
        logits.to_vec()?,
        &exact_gradient,
        1e-5,
    );
    Ok(())
}

fn drops(device: Device, len: usize) -> tile_kernel::Result<()> {
    const KEEP: f32 = 0.75;
    let x: Vec<f32> = random(4, len).iter().map(|x| x + 2.0).collect();
    let input = Tensor::from_slice(&device, &x, [len])?;
    let mut y = Tensor::zeros(&device, [len])?;
    dropout(&input, &mut y, KEEP, 42).launch()?;
    let actual = y.to_vec()?;
    let exact: Vec<f64> = x
        .iter()
        .zip(&actual)
        .map(|(x, y)| {
            if *y == 0.0 {
                0.0
            } else {
                f64::from(*x) / f64::from(KEEP)
            }
        })
        .collect();
    check("dropout", device, actual.clone(), &exact, 1e-6);

    // The number of kept elements, within five standard deviations.
    let kept = actual.iter().filter(|y| **y != 0.0).count() as f64;
    let (mean, keep) = (len as f64 * f64::from(KEEP), f64::from(KEEP));
    let deviation = (len as f64 * keep * (1.0 - keep)).sqrt();
    assert!(
        (kept - mean).abs() <= 5.0 * deviation,
        "{kept} of {len} kept"
    );

    // The same seed makes the same choice, another seed does not.
    let mut again = Tensor::zeros(&device, [len])?;
    dropout(&input, &mut again, KEEP, 42).launch()?;
    assert_eq!(again.to_vec()?, actual);
    dropout(&input, &mut again, KEEP, 43).launch()?;
    assert!(len < 50 || again.to_vec()? != actual);
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (tokens, heads, half) in [(1, 1, 16), (19, 3, 16), (40, 2, 32)] {
        rotations(device, tokens, heads, half)?;
    }
    for (rows, columns) in [(1, 1), (9, 70), (16, 200)] {
        gates(device, rows, columns)?;
    }
    for (rows, classes) in [(1, 3), (7, 128), (10, 300)] {
        losses(device, rows, classes)?;
    }
    for len in [1, 300, 5000] {
        drops(device, len)?;
    }
    Ok(())
}
