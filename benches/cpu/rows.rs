//! Rows: softmax, layer norm with its gradients, RMS norm, cross entropy.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, floats, integers, output, tensor};

/// Each block processes a row of at most `N` columns.
#[tile_kernel(grid = x.shape()[0], instances(N = [128, 512, 1024, 4096]), arch("cpu"))]
fn softmax<const N: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let row = block_id(0);
    let x = x.load_padded([row, 0], [1, N], Padding::NegInf);
    let terms = (x - x.reduce_max(1).unsqueeze(1)).exp();
    y.store([row, 0], terms / terms.sum(1).unsqueeze(1));
}

/// Computes `(x - mean) / sqrt(variance + eps) * weight + bias` of rows of `N` columns, and keeps the mean and `1 /
/// sqrt(variance + eps)`.
#[tile_kernel(grid = x.shape()[0], instances(N = [128, 512, 1024, 4096]), arch("cpu"))]
fn layer_norm<const N: usize>(
    x: &Tensor<f32, 2>,
    weight: &Tensor<f32, 1>,
    bias: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 2>,
    means: &mut Tensor<f32, 1>,
    scales: &mut Tensor<f32, 1>,
) {
    let row = block_id(0);
    let x = x.load([row, 0], [1, N]).reshape([N]);
    let mean = x.sum(0) / N as f32;
    let centered = x - mean;
    let scale = ((centered * centered).sum(0) / N as f32 + 1e-5).rsqrt();
    let result = centered * scale * weight.load([0], [N]) + bias.load([0], [N]);
    y.store([row, 0], result.unsqueeze(0));
    means.store([row], full([1], mean));
    scales.store([row], full([1], scale));
}

/// Computes the gradient with respect to `x`.
#[tile_kernel(grid = x.shape()[0], instances(N = [128, 512, 1024, 4096]), arch("cpu"))]
fn layer_norm_dx<const N: usize>(
    dy: &Tensor<f32, 2>,
    x: &Tensor<f32, 2>,
    means: &Tensor<f32, 1>,
    scales: &Tensor<f32, 1>,
    weight: &Tensor<f32, 1>,
    dx: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    let scale = scales.at([row]);
    let normal = (x.load([row, 0], [1, N]).reshape([N]) - means.at([row])) * scale;
    let d = dy.load([row, 0], [1, N]).reshape([N]) * weight.load([0], [N]);
    let average = d.sum(0) / N as f32;
    let slope = (d * normal).sum(0) / N as f32;
    let result = (d - average - normal * slope) * scale;
    dx.store([row, 0], result.unsqueeze(0));
}

/// Computes the gradients with respect to `weight` and `bias`: each block processes 64 columns.
#[tile_kernel(grid = dweight.tiles([64]), arch("cpu"))]
fn layer_norm_dweight(
    dy: &Tensor<f32, 2>,
    x: &Tensor<f32, 2>,
    means: &Tensor<f32, 1>,
    scales: &Tensor<f32, 1>,
    dweight: &mut Tensor<f32, 1>,
    dbias: &mut Tensor<f32, 1>,
) {
    let column = block_id(0);
    let (x, dy) = (x.partition([16, 64]), dy.partition([16, 64]));
    let (mut weights, mut biases) = (zeros([64]), zeros([64]));
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

/// Computes `sum = x + residual`, and `y`, which is `sum` divided by its root mean square, times `weight`.
#[tile_kernel(grid = x.shape()[0], instances(N = [128, 512, 1024, 4096]), arch("cpu"))]
fn rms_norm<const N: usize>(
    x: &Tensor<f32, 2>,
    residual: &Tensor<f32, 2>,
    weight: &Tensor<f32, 1>,
    sum: &mut Tensor<f32, 2>,
    y: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    let total = x.load([row, 0], [1, N]) + residual.load([row, 0], [1, N]);
    sum.store([row, 0], total);
    let scale = ((total * total).reshape([N]).sum(0) / N as f32 + 1e-5).rsqrt();
    y.store([row, 0], total * scale * weight.load([0], [N]).unsqueeze(0));
}

/// Computes the loss of each row, of any width.
#[tile_kernel(grid = loss.shape()[0], arch("cpu"))]
fn cross_entropy(logits: &Tensor<f32, 2>, labels: &Tensor<i32, 1>, loss: &mut Tensor<f32, 1>) {
    let row = block_id(0);
    let tiles = logits.partition([1, 1024]).with_padding(Padding::NegInf);
    let mut largest = full([1], f32::NEG_INFINITY);
    for k in 0..tiles.num_tiles(1) {
        largest = largest.max(tiles.load([row, k]).reduce_max(1));
    }
    let mut sum = zeros::<f32>([1]);
    for k in 0..tiles.num_tiles(1) {
        sum += (tiles.load([row, k]) - largest.unsqueeze(1)).exp().sum(1);
    }
    let at_label = logits.at([row, labels.at([row])]);
    loss.store([row], largest + sum.ln() - at_label);
}

/// Calls the instance of a kernel with as many columns.
macro_rules! instance {
    ($kernel:ident[$columns:expr]($($argument:expr),*)) => {
        match $columns {
            128 => $kernel::<128>($($argument),*).launch(),
            512 => $kernel::<512>($($argument),*).launch(),
            1024 => $kernel::<1024>($($argument),*).launch(),
            4096 => $kernel::<4096>($($argument),*).launch(),
            other => panic!("no instance has {other} columns"),
        }
    };
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    let &[rows, columns] = sizes else {
        return Ok(None);
    };
    let shape = [rows, columns];
    Ok(Some(match kernel {
        "softmax" => {
            let x = floats(1, shape)?;
            let (mut y, read) = output(shape)?;
            Case::new(move || instance!(softmax[columns](&x, &mut y))).with(read)
        }
        "layer_norm" => {
            let x = floats(1, shape)?;
            let (w, b) = (floats(2, [columns])?, floats(3, [columns])?);
            let (mut y, read) = output(shape)?;
            let (mut means, read_means) = output([rows])?;
            let (mut scales, read_scales) = output([rows])?;
            Case::new(move || {
                instance!(layer_norm[columns](
                    &x,
                    &w,
                    &b,
                    &mut y,
                    &mut means,
                    &mut scales
                ))
            })
            .with(read)
            .with(read_means)
            .with(read_scales)
        }
        "layer_norm_backward" => {
            let (dy, x, w) = (floats(1, shape)?, floats(2, shape)?, floats(3, [columns])?);
            let (means, scales) = (floats(4, [rows])?, floats(5, [rows])?);
            let (mut dx, read) = output(shape)?;
            let (mut dw, read_dw) = output([columns])?;
            let (mut db, read_db) = output([columns])?;
            Case::new(move || {
                instance!(layer_norm_dx[columns](
                    &dy, &x, &means, &scales, &w, &mut dx
                ))?;
                layer_norm_dweight(&dy, &x, &means, &scales, &mut dw, &mut db).launch()
            })
            .with(read)
            .with(read_dw)
            .with(read_db)
        }
        "rms_norm" => {
            let (x, residual) = (floats(1, shape)?, floats(2, shape)?);
            let w = floats(3, [columns])?;
            let (mut sum, read_sum) = output(shape)?;
            let (mut y, read) = output(shape)?;
            Case::new(move || instance!(rms_norm[columns](&x, &residual, &w, &mut sum, &mut y)))
                .with(read_sum)
                .with(read)
        }
        "cross_entropy" => {
            let logits = floats(1, shape)?;
            let classes = i32::try_from(columns).expect("few classes");
            let labels = tensor(&integers(2, rows, classes), [rows])?;
            let (mut loss, read) = output([rows])?;
            Case::new(move || cross_entropy(&logits, &labels, &mut loss).launch()).with(read)
        }
        _ => return Ok(None),
    }))
}
