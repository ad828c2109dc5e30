//! Layer norm, forward and backward, and RMS norm with a residual: rows of any width.
//!
//! `cargo run --release --example 04_normalization`

#![expect(
    clippy::cast_precision_loss,
    clippy::many_single_char_names,
    reason = "the numbers are small, and have the names of textbooks"
)]

#[path = "support/mod.rs"]
#[expect(
    dead_code,
    reason = "shared by the examples, and not all of it is used by each"
)]
mod support;

use support::{check, random};
use tile_kernel::prelude::*;

/// Computes `y = (x - mean) / sqrt(variance + eps) * weight + bias`, row by row.
///
/// Each block processes four rows, in tiles of 64 columns. The mean and the scale of each row, `1 /
/// sqrt(variance + eps)`, are kept for the backward pass.
#[tile_kernel(grid = x.shape()[0].div_ceil(4), types(T = f32 | f16))]
pub(crate) fn layer_norm<T: Element>(
    x: &Tensor<T, 2>,
    weight: &Tensor<f32, 1>,
    bias: &Tensor<f32, 1>,
    y: &mut Tensor<T, 2>,
    means: &mut Tensor<f32, 1>,
    scales: &mut Tensor<f32, 1>,
    eps: f32,
) {
    let row = block_id(0);
    let columns = x.dim(1);
    let x = x.partition([4, 64]);

    let mut sum = zeros([4]);
    for k in 0..x.num_tiles(1) {
        sum += x.load([row, k]).cast::<f32>().sum(1);
    }
    let mean = sum / columns as f32;

    let mut squares = zeros([4]);
    for k in 0..x.num_tiles(1) {
        // A load returns 0 beyond the edge, which is not the mean.
        let exists = (k * 64 + iota(64) < columns).unsqueeze(0);
        let centered = x.load([row, k]).cast::<f32>() - mean.unsqueeze(1);
        let centered = select(exists, centered, 0.0);
        squares += (centered * centered).sum(1);
    }
    let scale = (squares / columns as f32 + eps).rsqrt();

    for k in 0..x.num_tiles(1) {
        let normal = (x.load([row, k]).cast::<f32>() - mean.unsqueeze(1)) * scale.unsqueeze(1);
        let weight = weight.load([k], [64]).unsqueeze(0);
        let bias = bias.load([k], [64]).unsqueeze(0);
        y.store([row, k], (normal * weight + bias).cast::<T>());
    }
    means.store([row], mean);
    scales.store([row], scale);
}

/// Computes the gradient with respect to `x`.
#[tile_kernel(grid = x.shape()[0].div_ceil(4))]
pub(crate) fn layer_norm_dx(
    x: &Tensor<f32, 2>,
    weight: &Tensor<f32, 1>,
    means: &Tensor<f32, 1>,
    scales: &Tensor<f32, 1>,
    dy: &Tensor<f32, 2>,
    dx: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    let columns = x.dim(1) as f32;
    let (x, dy) = (x.partition([4, 64]), dy.partition([4, 64]));
    let mean = means.load([row], [4]).unsqueeze(1);
    let scale = scales.load([row], [4]).unsqueeze(1);

    let mut sum = zeros::<f32>([4]);
    let mut sum_of_products = zeros::<f32>([4]);
    for k in 0..x.num_tiles(1) {
        let normal = (x.load([row, k]) - mean) * scale;
        // Beyond the edge, `dy` and therefore the term are 0.
        let d = dy.load([row, k]) * weight.load([k], [64]).unsqueeze(0);
        sum += d.sum(1);
        sum_of_products += (d * normal).sum(1);
    }
    let average = (sum / columns).unsqueeze(1);
    let slope = (sum_of_products / columns).unsqueeze(1);

    for k in 0..x.num_tiles(1) {
        let normal = (x.load([row, k]) - mean) * scale;
        let d = dy.load([row, k]) * weight.load([k], [64]).unsqueeze(0);
        dx.store([row, k], (d - average - normal * slope) * scale);
    }
}

/// Computes the gradients with respect to `weight` and `bias`: each block processes 32 columns.
#[tile_kernel(grid = dweight.tiles([32]))]
pub(crate) fn layer_norm_dweight(
    x: &Tensor<f32, 2>,
    means: &Tensor<f32, 1>,
    scales: &Tensor<f32, 1>,
    dy: &Tensor<f32, 2>,
    dweight: &mut Tensor<f32, 1>,
    dbias: &mut Tensor<f32, 1>,
) {
    let column = block_id(0);
    let (x, dy) = (x.partition([16, 32]), dy.partition([16, 32]));
    let (mut weights, mut biases) = (zeros([32]), zeros([32]));
    for i in 0..x.num_tiles(0) {
        let mean = means.load([i], [16]).unsqueeze(1);
        let scale = scales.load([i], [16]).unsqueeze(1);
        let d = dy.load([i, column]);
        weights += (d * (x.load([i, column]) - mean) * scale).sum(0);
        biases += d.sum(0);
    }
    dweight.store([column], weights);
    dbias.store([column], biases);
}

/// Computes `residual += x`; then `y` is `residual` divided by its root mean square, times `weight`.
#[tile_kernel(grid = x.shape()[0], instances((N = 64), (N = 256)))]
pub(crate) fn rms_norm<const N: usize>(
    x: &Tensor<f32, 2>,
    residual: &mut Tensor<f32, 2>,
    weight: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 2>,
    eps: f32,
) {
    let row = block_id(0);
    let columns = x.dim(1) as f32;
    let tiles = x.partition([1, N]).num_tiles(1);
    let mut squares = 0.0;
    for k in 0..tiles {
        let sum = x.load([row, k], [1, N]) + residual.load([row, k], [1, N]);
        residual.store([row, k], sum);
        squares += (sum * sum).reshape([N]).sum(0);
    }
    let scale = (squares / columns + eps).rsqrt();
    for k in 0..tiles {
        let sum = residual.load([row, k], [1, N]);
        y.store([row, k], sum * scale * weight.load([k], [N]).unsqueeze(0));
    }
}

/// Returns the mean of a row and the reciprocal of its standard deviation.
fn moments(row: &[f64], eps: f64) -> (f64, f64) {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
    (mean, 1.0 / (variance + eps).sqrt())
}

fn exact(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().copied().map(f64::from).collect()
}

fn layer_norms(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    const EPS: f32 = 1e-5;
    let shape = [rows, columns];
    let x: Vec<f32> = random(1, rows * columns)
        .iter()
        .map(|x| x * 2.0 + 0.5)
        .collect();
    let (w, b) = (random(2, columns), random(3, columns));
    let dy = random(4, rows * columns);

    let weight = Tensor::from_slice(&device, &w, [columns])?;
    let bias = Tensor::from_slice(&device, &b, [columns])?;
    let on_device = Tensor::from_slice(&device, &x, shape)?;
    let mut y = Tensor::zeros(&device, shape)?;
    let mut means = Tensor::zeros(&device, [rows])?;
    let mut scales = Tensor::zeros(&device, [rows])?;
    layer_norm(
        &on_device,
        &weight,
        &bias,
        &mut y,
        &mut means,
        &mut scales,
        EPS,
    )
    .launch()?;

    let given = Tensor::from_slice(&device, &dy, shape)?;
    let mut dx = Tensor::zeros(&device, shape)?;
    layer_norm_dx(&on_device, &weight, &means, &scales, &given, &mut dx).launch()?;
    let mut dweight = Tensor::zeros(&device, [columns])?;
    let mut dbias = Tensor::zeros(&device, [columns])?;
    layer_norm_dweight(
        &on_device,
        &means,
        &scales,
        &given,
        &mut dweight,
        &mut dbias,
    )
    .launch()?;

    let (x, w, b, dy) = (exact(&x), exact(&w), exact(&b), exact(&dy));
    let mut exact_y = Vec::new();
    let mut exact_dx = Vec::new();
    let (mut exact_dw, mut exact_db) = (vec![0.0; columns], vec![0.0; columns]);
    for (x, dy) in x.chunks(columns).zip(dy.chunks(columns)) {
        let (mean, scale) = moments(x, f64::from(EPS));
        let normal: Vec<f64> = x.iter().map(|x| (x - mean) * scale).collect();
        let d: Vec<f64> = dy.iter().zip(&w).map(|(dy, w)| dy * w).collect();
        let average = d.iter().sum::<f64>() / columns as f64;
        let slope = d.iter().zip(&normal).map(|(d, n)| d * n).sum::<f64>() / columns as f64;
        for j in 0..columns {
            exact_y.push(normal[j] * w[j] + b[j]);
            exact_dx.push((d[j] - average - normal[j] * slope) * scale);
            exact_dw[j] += dy[j] * normal[j];
            exact_db[j] += dy[j];
        }
    }
    check("layer norm", device, y.to_vec()?, &exact_y, 1e-5);
    check("layer norm, dx", device, dx.to_vec()?, &exact_dx, 1e-5);
    check(
        "layer norm, dweight",
        device,
        dweight.to_vec()?,
        &exact_dw,
        1e-5,
    );
    check(
        "layer norm, dbias",
        device,
        dbias.to_vec()?,
        &exact_db,
        1e-5,
    );

    // The same forward pass in 16 bits: the input and the result are rounded.
    let half: Vec<f16> = x.iter().copied().map(f16::from_f64).collect();
    let on_device = Tensor::from_slice(&device, &half, shape)?;
    let mut y = Tensor::zeros(&device, shape)?;
    layer_norm(
        &on_device,
        &weight,
        &bias,
        &mut y,
        &mut means,
        &mut scales,
        EPS,
    )
    .launch()?;
    let actual = y.to_vec()?.into_iter().map(f16::to_f32);
    check("layer norm, f16", device, actual, &exact_y, 8e-3);
    Ok(())
}

fn rms_norms(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    let shape = [rows, columns];
    let (x, r) = (random(5, rows * columns), random(6, rows * columns));
    let w = random(7, columns);
    let input = Tensor::from_slice(&device, &x, shape)?;
    let mut residual = Tensor::from_slice(&device, &r, shape)?;
    let weight = Tensor::from_slice(&device, &w, [columns])?;
    let mut y = Tensor::zeros(&device, shape)?;
    if columns > 64 {
        rms_norm::<256>(&input, &mut residual, &weight, &mut y, 1e-6).launch()?;
    } else {
        rms_norm::<64>(&input, &mut residual, &weight, &mut y, 1e-6).launch()?;
    }

    let sums: Vec<f64> = x.iter().zip(&r).map(|(x, r)| f64::from(x + r)).collect();
    let mut exact_y = Vec::new();
    for row in sums.chunks(columns) {
        let squares = row.iter().map(|x| x * x).sum::<f64>() / columns as f64;
        let scale = 1.0 / (squares + 1e-6).sqrt();
        exact_y.extend(row.iter().zip(&w).map(|(x, w)| x * scale * f64::from(*w)));
    }
    check("RMS norm", device, y.to_vec()?, &exact_y, 1e-5);
    check(
        "RMS norm, residual",
        device,
        residual.to_vec()?,
        &sums,
        1e-6,
    );
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (rows, columns) in [(1, 1), (5, 64), (7, 100), (33, 205)] {
        layer_norms(device, rows, columns)?;
        rms_norms(device, rows, columns)?;
    }
    Ok(())
}
