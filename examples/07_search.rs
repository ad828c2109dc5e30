//! Loops with early exits: the largest numbers of rows, Collatz sequences, the Mandelbrot set.
//!
//! `cargo run --release --example 07_search`

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the numbers are small"
)]

#[path = "support/mod.rs"]
#[expect(
    dead_code,
    reason = "shared by the examples, and not all of it is used by each"
)]
mod support;

use support::{check_equal, random};
use tile_kernel::prelude::*;

/// Finds the index of the largest number of each row, the first one among equals.
#[tile_kernel(grid = x.shape()[0].div_ceil(8))]
pub(crate) fn argmax(x: &Tensor<f32, 2>, indices: &mut Tensor<i32, 1>) {
    let row = block_id(0);
    let x = x.partition([8, 64]).with_padding(Padding::NegInf);
    let mut best = full([8], f32::NEG_INFINITY);
    let mut place = zeros([8]);
    for k in 0..x.num_tiles(1) {
        let tile = x.load([row, k]);
        let max = tile.reduce_max(1);
        let is_better = max > best;
        place = select(is_better, k * 64 + tile.argmax(1), place);
        best = select(is_better, max, best);
    }
    indices.store([row], place);
}

/// Finds the largest numbers of each row, in descending order, and their indices. Stops at the first number
/// below `least`, and leaves the other elements of the results unchanged.
#[tile_kernel(grid = x.shape()[0])]
fn top_k(x: &Tensor<f32, 2>, values: &mut Tensor<f32, 2>, places: &mut Tensor<i32, 2>, least: f32) {
    let row = block_id(0);
    let mut rest = x
        .load_padded([row, 0], [1, 256], Padding::NegInf)
        .reshape([256]);
    for i in 0..values.dim(1) {
        let max = rest.reduce_max(0);
        if max < least || max == f32::NEG_INFINITY {
            break;
        }
        let best = rest.argmax(0);
        values.store([row, i], full([1, 1], max));
        places.store([row, i], full([1, 1], best));
        rest = select(iota(256) == best, f32::NEG_INFINITY, rest);
    }
}

/// Counts the steps from each number to 1, where a step halves an even number and maps an odd `n` to `3 * n +
/// 1`. The result is -1 if 1 is not reached in `limit` steps.
#[tile_kernel(grid = starts.shape()[0])]
fn collatz(starts: &Tensor<i64, 1>, steps: &mut Tensor<i32, 1>, limit: i32) {
    let i = block_id(0);
    let mut n = starts.at([i]);
    let mut count = 0;
    let result = loop {
        if n == 1 {
            break count;
        }
        if count == limit {
            break -1;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    };
    steps.store([i], full([1], result));
}

/// Counts which of four samples per pixel stay near 0. Each block processes a row.
#[tile_kernel(grid = picture.shape()[0])]
fn mandelbrot(picture: &mut Tensor<i32, 2>, limit: i32) {
    let row = block_id(0);
    let (height, width) = (picture.dim(0) as f32, picture.dim(1) as f32);
    'pixels: for column in 0..picture.dim(1) {
        let mut inside = 0;
        'samples: for sample in 0..4 {
            let (dx, dy) = ((sample % 2) as f32 / 2.0, (sample / 2) as f32 / 2.0);
            let cx = (column as f32 + dx) / width * 3.0 - 2.25;
            let cy = (row as f32 + dy) / height * 2.5 - 1.25;
            // This far out, no sample of the pixel stays near 0.
            if cx * cx + cy * cy > 4.0 {
                picture.store([row, column], zeros([1, 1]));
                continue 'pixels;
            }
            let (mut x, mut y) = (0.0, 0.0);
            for _ in 0..limit {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                if x * x + y * y > 4.0 {
                    continue 'samples;
                }
            }
            inside += 1;
        }
        picture.store([row, column], full([1, 1], inside));
    }
}

fn searches(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    const K: usize = 5;
    // With few distinct numbers, many are equal.
    let x: Vec<f32> = random(1, rows * columns)
        .iter()
        .map(|x| (x * 20.0).round())
        .collect();
    let input = Tensor::from_slice(&device, &x, [rows, columns])?;
    let mut indices = Tensor::full(&device, [rows], -1)?;
    argmax(&input, &mut indices).launch()?;

    let least = -10.0;
    let mut values = Tensor::full(&device, [rows, K], f32::NEG_INFINITY)?;
    let mut places = Tensor::full(&device, [rows, K], -1)?;
    top_k(&input, &mut values, &mut places, least).launch()?;

    let (mut exact_at, mut exact_values, mut exact_places) = (Vec::new(), Vec::new(), Vec::new());
    for row in x.chunks(columns) {
        // A stable sort keeps the first of equal numbers first.
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
        exact_at.push(order[0] as i32);
        order.retain(|indices| row[*indices] >= least);
        for i in 0..K {
            exact_values.push(
                order
                    .get(i)
                    .map_or(f32::NEG_INFINITY, |indices| row[*indices]),
            );
            exact_places.push(order.get(i).map_or(-1, |indices| *indices as i32));
        }
    }
    check_equal("argmax", device, &indices.to_vec()?, &exact_at);
    check_equal("top-k", device, &values.to_vec()?, &exact_values);
    check_equal("top-k, places", device, &places.to_vec()?, &exact_places);
    Ok(())
}

fn sequences(device: Device, starts: &[i64]) -> tile_kernel::Result<()> {
    const LIMIT: i32 = 200;
    let input = Tensor::from_slice(&device, starts, [starts.len()])?;
    let mut steps = Tensor::zeros(&device, [starts.len()])?;
    collatz(&input, &mut steps, LIMIT).launch()?;
    let exact = starts.iter().map(|start| {
        let (mut n, mut count) = (*start, 0);
        while n != 1 && count < LIMIT {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            count += 1;
        }
        if n == 1 { count } else { -1 }
    });
    let exact: Vec<i32> = exact.collect();
    check_equal("Collatz", device, &steps.to_vec()?, &exact);
    Ok(())
}

fn pictures(device: Device, height: usize, width: usize) -> tile_kernel::Result<()> {
    const LIMIT: i32 = 60;
    let mut picture = Tensor::full(&device, [height, width], -1)?;
    mandelbrot(&mut picture, LIMIT).launch()?;
    let actual = picture.to_vec()?;

    // The same computation in `f32`, so that rounding cannot change the result of a sample at the edge.
    let mut exact = Vec::new();
    for pixel in 0..height * width {
        let (row, column) = ((pixel / width) as f32, (pixel % width) as f32);
        exact.push(samples(row, column, height as f32, width as f32, LIMIT));
    }
    check_equal("Mandelbrot", device, &actual, &exact);
    assert!(actual.contains(&0) && actual.contains(&4));
    Ok(())
}

/// Returns how many of the four samples of a pixel stay near 0.
fn samples(row: f32, column: f32, height: f32, width: f32, limit: i32) -> i32 {
    let mut inside = 0;
    for (dx, dy) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)] {
        let cx = (column + dx) / width * 3.0 - 2.25;
        let cy = (row + dy) / height * 2.5 - 1.25;
        if cx * cx + cy * cy > 4.0 {
            return 0;
        }
        let (mut x, mut y) = (0.0, 0.0);
        let stays = (0..limit).all(|_| {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            x * x + y * y <= 4.0
        });
        inside += i32::from(stays);
    }
    inside
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (rows, columns) in [(1, 3), (9, 64), (20, 150), (3, 256)] {
        searches(device, rows, columns)?;
    }
    sequences(device, &[1])?;
    sequences(device, &[27, 97])?;
    sequences(device, &[1, 2, 7, 837_799, 1 << 40])?;
    pictures(device, 24, 36)?;
    pictures(device, 13, 50)?;
    pictures(device, 30, 17)?;
    Ok(())
}
