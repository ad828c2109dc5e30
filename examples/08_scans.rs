//! Prefix and suffix sums of rows, segmented sums, and a histogram.
//!
//! `cargo run --release --example 08_scans`

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]

#[path = "support/mod.rs"]
mod support;

use support::{check, check_equal, random};
use tile_kernel::prelude::*;

/// Computes inclusive prefix sums of each row. Each block processes four rows.
#[tile_kernel(grid = x.shape()[0].div_ceil(4))]
fn prefix_sums(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let row = block_id(0);
    let (x, y) = (x.partition([4, 64]), y.partition([4, 64]));
    let mut before = zeros([4]);
    for k in 0..x.num_tiles(1) {
        let tile = x.load([row, k]);
        y.store([row, k], tile.cumsum(1) + before.unsqueeze(1));
        before += tile.sum(1);
    }
}

/// Computes inclusive suffix sums of each row.
#[tile_kernel(grid = x.shape()[0].div_ceil(4))]
fn suffix_sums(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let row = block_id(0);
    let (x, y) = (x.partition([4, 64]), y.partition([4, 64]));
    let mut behind = zeros([4]);
    for k in (0..x.num_tiles(1)).rev() {
        let tile = x.load([row, k]);
        y.store(
            [row, k],
            tile.scan_rev(1, 0.0, |a, b| a + b) + behind.unsqueeze(1),
        );
        behind += tile.sum(1);
    }
}

/// Computes inclusive prefix sums that restart where `starts` is not 0.
#[tile_kernel(grid = 1)]
fn segment_sums(x: &Tensor<f32, 1>, starts: &Tensor<u8, 1>, y: &mut Tensor<f32, 1>) {
    let (x, starts, y) = (x.partition([64]), starts.partition([64]), y.partition([64]));
    let mut before = 0.0;
    for k in 0..x.num_tiles(0) {
        let begins = starts.load([k]).cast::<i32>();
        // Each element is a pair of a sum and a flag, which is set if a segment begins in the range
        // of the sum. Combining two pairs drops the first sum if the flag of the second is set.
        let (sums, begun) = scan((x.load([k]), begins), 0, (0.0, 0), |(a, f), (b, g)| {
            (if g != 0 { b } else { a + b }, f | g)
        });
        let sums = select(begun == 0, sums + before, sums);
        y.store([k], sums);
        before = select(iota(64) == 63, sums, 0.0).sum(0);
    }
}

/// Counts how often each number from 0 to 255 occurs. All blocks add to the same counters.
#[tile_kernel(grid = levels.tiles([256]))]
fn histogram(levels: &Tensor<u8, 1>, counts: &mut Tensor<i32, 1>) {
    let indices = block_id(0) * 256 + iota(256);
    let exists = indices < levels.dim(0);
    let level = levels.load([block_id(0)], [256]).cast::<i32>();
    // Elements beyond the edge get an index that is out of bounds, where additions have no effect.
    counts.atomic_add([select(exists, level, -1)], full([256], 1));
}

fn sums(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    let shape = [rows, columns];
    let x = random(1, rows * columns);
    let input = Tensor::from_slice(&device, &x, shape)?;
    let mut y = Tensor::zeros(&device, shape)?;
    prefix_sums(&input, &mut y).launch()?;
    let exact: Vec<f64> = x.chunks(columns).flat_map(running).collect();
    check("prefix sums", device, y.to_vec()?, &exact, 1e-5);

    suffix_sums(&input, &mut y).launch()?;
    let suffixes = |row: &[f32]| {
        let turned: Vec<f32> = row.iter().rev().copied().collect();
        let mut sums = running(&turned);
        sums.reverse();
        sums
    };
    let exact: Vec<f64> = x.chunks(columns).flat_map(suffixes).collect();
    check("suffix sums", device, y.to_vec()?, &exact, 1e-5);
    Ok(())
}

fn running(numbers: &[f32]) -> Vec<f64> {
    let add = |sum: &mut f64, x: &f32| {
        *sum += f64::from(*x);
        Some(*sum)
    };
    numbers.iter().scan(0.0, add).collect()
}

fn segments(device: Device, len: usize) -> tile_kernel::Result<()> {
    let x = random(2, len);
    let starts: Vec<u8> = (0..len)
        .map(|i| u8::from(i % 23 == 5 || i % 90 == 64))
        .collect();
    let mut y = Tensor::zeros(&device, [len])?;
    segment_sums(
        &Tensor::from_slice(&device, &x, [len])?,
        &Tensor::from_slice(&device, &starts, [len])?,
        &mut y,
    )
    .launch()?;
    let mut exact: Vec<f64> = Vec::new();
    for (x, start) in x.iter().zip(&starts) {
        let before = exact.last().filter(|_| *start == 0).copied().unwrap_or(0.0);
        exact.push(before + f64::from(*x));
    }
    check("segment sums", device, y.to_vec()?, &exact, 1e-5);
    Ok(())
}

fn counts(device: Device, len: usize) -> tile_kernel::Result<()> {
    let levels: Vec<u8> = random(3, len)
        .iter()
        .map(|x| (x * x * 255.0) as u8)
        .collect();
    let input = Tensor::from_slice(&device, &levels, [len])?;
    let mut actual = Tensor::zeros(&device, [256])?;
    histogram(&input, &mut actual).launch()?;
    let mut exact = vec![0; 256];
    for level in levels {
        exact[usize::from(level)] += 1;
    }
    check_equal("histogram", device, &actual.to_vec()?, &exact);
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (rows, columns) in [(1, 1), (5, 64), (10, 150)] {
        sums(device, rows, columns)?;
    }
    for len in [1, 64, 300] {
        segments(device, len)?;
        counts(device, 10 * len)?;
    }
    Ok(())
}
