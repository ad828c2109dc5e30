//! Matmul variants: batched, split-k, and a sparse matrix with a vector.
//!
//! `cargo run --release --example 09_matmul_variants`

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
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

/// Computes `c = a · b` for each matrix of a batch. The shapes are `[batch, M, K]` and `[batch, K, N]`.
#[tile_kernel(grid = c.tiles([1, 32, 32]), types(T = f16 | bf16))]
pub(crate) fn batched<T: Element>(a: &Tensor<T, 3>, b: &Tensor<T, 3>, c: &mut Tensor<f32, 3>) {
    let (batch, m, n) = (block_id(0), block_id(1), block_id(2));
    let a = a.partition([1, 32, 16]);
    let b = b.partition([1, 16, 32]);
    let mut acc = zeros([32, 32]);
    for k in 0..a.num_tiles(2) {
        let left = a.load([batch, m, k]).squeeze(0);
        let right = b.load([batch, k, n]).squeeze(0);
        acc = mma(left, right, acc);
    }
    c.store([batch, m, n], acc.unsqueeze(0));
}

/// Computes `c += a · b` by split-k: the third axis of the grid divides K. Each block accumulates every
/// `num_blocks(2)`th tile along K, and adds its result to `c` atomically.
#[tile_kernel]
fn split_k(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([32, 16]);
    let b = b.partition([16, 32]);
    let mut acc = zeros([32, 32]);
    for k in (block_id(2)..a.num_tiles(1)).step_by(num_blocks(2)) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    let rows = (m * 32 + iota(32)).unsqueeze(1);
    let columns = (n * 32 + iota(32)).unsqueeze(0);
    c.atomic_add([rows, columns], acc);
}

/// Computes `y = a · x` for a sparse matrix `a`: row `i` has the numbers `starts[i]..starts[i + 1]` of
/// `values`, whose columns are in `columns`.
#[tile_kernel(grid = y.shape()[0])]
fn sparse(
    starts: &Tensor<i32, 1>,
    columns: &Tensor<i32, 1>,
    values: &Tensor<f32, 1>,
    x: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 1>,
) {
    let row = block_id(0);
    let (start, end) = (starts.at([row]), starts.at([row + 1]));
    let mut sum = 0.0;
    for start_of_tile in (start..end).step_by(32) {
        let place = start_of_tile + iota(32);
        let value = select(place < end, values.gather([place]), 0.0);
        sum += (value * x.gather([columns.gather([place])])).sum(0);
    }
    y.store([row], full([1], sum));
}

fn half(numbers: &[f32]) -> Vec<f16> {
    numbers.iter().copied().map(f16::from_f32).collect()
}

/// Computes `a · b` in `f64`.
fn product(a: &[f64], b: &[f64], k: usize, n: usize) -> Vec<f64> {
    let mut c = Vec::new();
    for row in a.chunks(k) {
        for column in 0..n {
            c.push((0..k).map(|index| row[index] * b[index * n + column]).sum());
        }
    }
    c
}

fn dense(device: Device, batch: usize, [m, n, k]: [usize; 3]) -> tile_kernel::Result<()> {
    let a = half(&random(1, batch * m * k));
    let b = half(&random(2, batch * k * n));
    let left = Tensor::from_slice(&device, &a, [batch, m, k])?;
    let right = Tensor::from_slice(&device, &b, [batch, k, n])?;
    let mut c = Tensor::zeros(&device, [batch, m, n])?;
    batched(&left, &right, &mut c).launch()?;
    let wide = |x: &[f16]| -> Vec<f64> { x.iter().map(|x| x.to_f64()).collect() };
    let exact: Vec<f64> = wide(&a)
        .chunks(m * k)
        .zip(wide(&b).chunks(k * n))
        .flat_map(|(a, b)| product(a, b, k, n))
        .collect();
    check("batched matmul", device, c.to_vec()?, &exact, 1e-5);

    // The first matmul of the batch again, by split-k.
    let left = left.narrow(0, 0..1)?.reshape([m, k])?;
    let right = right.narrow(0, 0..1)?.reshape([k, n])?;
    let mut c = Tensor::full(&device, [m, n], 1.0)?;
    let grid = [m.div_ceil(32), n.div_ceil(32), 3];
    split_k(&left, &right, &mut c).grid(grid).launch()?;
    let exact: Vec<f64> = exact[..m * n].iter().map(|c| c + 1.0).collect();
    check("split-k matmul", device, c.to_vec()?, &exact, 1e-5);
    Ok(())
}

fn sparse_rows(device: Device, rows: usize, width: usize) -> tile_kernel::Result<()> {
    let mut rng = fastrand::Rng::with_seed(rows as u64);
    let (mut starts, mut columns) = (vec![0], Vec::new());
    for row in 0..rows {
        // Some rows are empty, and others are longer than a tile.
        let len = if row % 4 == 1 {
            0
        } else {
            rng.usize(0..=width)
        };
        columns.extend((0..len).map(|_| rng.i32(0..width as i32)));
        starts.push(columns.len() as i32);
    }
    columns.push(0); // Keeps the tensor from being empty if all rows are.
    let values = random(4, columns.len());
    let x = random(5, width);
    let mut y = Tensor::full(&device, [rows], f32::NAN)?;
    sparse(
        &Tensor::from_slice(&device, &starts, [rows + 1])?,
        &Tensor::from_slice(&device, &columns, [columns.len()])?,
        &Tensor::from_slice(&device, &values, [values.len()])?,
        &Tensor::from_slice(&device, &x, [width])?,
        &mut y,
    )
    .launch()?;
    let exact: Vec<f64> = starts
        .windows(2)
        .map(|ends| {
            let row = ends[0] as usize..ends[1] as usize;
            row.map(|index| f64::from(values[index]) * f64::from(x[columns[index] as usize]))
                .sum()
        })
        .collect();
    check("sparse matmul", device, y.to_vec()?, &exact, 1e-5);
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (batch, shape) in [(1, [1, 1, 1]), (3, [33, 20, 45]), (2, [64, 70, 130])] {
        dense(device, batch, shape)?;
    }
    for (rows, width) in [(1, 1), (20, 50), (13, 200)] {
        sparse_rows(device, rows, width)?;
    }
    Ok(())
}
