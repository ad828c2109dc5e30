//! Two-dimensional grids: a stencil, transposition, and 8-bit quantization.
//!
//! `cargo run --release --example 10_grids`

#[path = "support/mod.rs"]
mod support;

use support::{check, check_equal, random};
use tile_kernel::prelude::*;

/// Computes a step of heat conduction: each point moves towards the mean of its four neighbours. The
/// temperature outside the plate is 0.
#[tile_kernel(grid = new.tiles([16, 32]))]
fn conduct(old: &Tensor<f32, 2>, new: &mut Tensor<f32, 2>, rate: f32) {
    let (i, j) = (block_id(0), block_id(1));
    let row = (i * 16 + iota(16)).unsqueeze(1);
    let column = (j * 32 + iota(32)).unsqueeze(0);
    let here = old.load([i, j], [16, 32]);
    // `gather` loads elements at any indices; those that are out of bounds are 0.
    let vertical = old.gather([row - 1, column]) + old.gather([row + 1, column]);
    let horizontal = old.gather([row, column - 1]) + old.gather([row, column + 1]);
    new.store([i, j], here + rate * (vertical + horizontal - 4.0 * here));
}

/// Transposes `x` to `y`.
#[tile_kernel(grid = x.tiles([32, 32]), types(T = f32 | u8))]
pub(crate) fn transpose<T: Element>(x: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([j, i], x.load([i, j], [32, 32]).t());
}

/// Quantizes each row to 8 bits, with a scale that maps its largest magnitude to that of the type.
#[tile_kernel(grid = x.shape()[0].div_ceil(4))]
fn quantize(x: &Tensor<f32, 2>, y: &mut Tensor<f8e4m3, 2>, scales: &mut Tensor<f32, 1>) {
    let row = block_id(0);
    let (x, y) = (x.partition([4, 64]), y.partition([4, 64]));
    let mut max = zeros([4]);
    for k in 0..x.num_tiles(1) {
        max = max.max(x.load([row, k]).abs().reduce_max(1));
    }
    // 448 is the largest number of the type. For a row of zeros, any scale is correct.
    let scale = select(max > 0.0, max / 448.0, 1.0);
    for k in 0..x.num_tiles(1) {
        y.store(
            [row, k],
            (x.load([row, k]) / scale.unsqueeze(1)).cast::<f8e4m3>(),
        );
    }
    scales.store([row], scale);
}

/// Converts the quantized numbers back to 32 bits.
#[tile_kernel(grid = y.tiles([4, 64]))]
fn expand(x: &Tensor<f8e4m3, 2>, scales: &Tensor<f32, 1>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let scale = scales.load([i], [4]).unsqueeze(1);
    y.store([i, j], x.load([i, j], [4, 64]).cast::<f32>() * scale);
}

fn plates(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    const RATE: f32 = 0.2;
    let x = random(1, rows * columns);
    let mut plate = Tensor::from_slice(&device, &x, [rows, columns])?;
    let mut exact: Vec<f64> = x.iter().copied().map(f64::from).collect();
    for _ in 0..3 {
        let mut next = Tensor::zeros(&device, [rows, columns])?;
        conduct(&plate, &mut next, RATE).launch()?;
        plate = next;

        let old = exact.clone();
        let element = |i: Option<usize>, j: Option<usize>| match (i, j) {
            (Some(i), Some(j)) if i < rows && j < columns => old[i * columns + j],
            _ => 0.0,
        };
        for i in 0..rows {
            for j in 0..columns {
                let neighbours = element(i.checked_sub(1), Some(j))
                    + element(Some(i + 1), Some(j))
                    + element(Some(i), j.checked_sub(1))
                    + element(Some(i), Some(j + 1));
                let here = old[i * columns + j];
                exact[i * columns + j] = here + f64::from(RATE) * (neighbours - 4.0 * here);
            }
        }
    }
    check("heat conduction", device, plate.to_vec()?, &exact, 1e-6);
    Ok(())
}

fn turns(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    let x = random(2, rows * columns);
    let input = Tensor::from_slice(&device, &x, [rows, columns])?;
    let mut y = Tensor::zeros(&device, [columns, rows])?;
    transpose(&input, &mut y).launch()?;
    // The result is expected to equal a transposed view of the input.
    check_equal("transposition", device, &y.to_vec()?, &input.t().to_vec()?);

    let bytes: Vec<u8> = x.iter().map(|x| x.to_bits().to_le_bytes()[1]).collect();
    let input = Tensor::from_slice(&device, &bytes, [rows, columns])?;
    let mut y = Tensor::zeros(&device, [columns, rows])?;
    transpose(&input, &mut y).launch()?;
    check_equal(
        "transposition, u8",
        device,
        &y.to_vec()?,
        &input.t().to_vec()?,
    );
    Ok(())
}

fn bytes(device: Device, rows: usize, columns: usize) -> tile_kernel::Result<()> {
    let mut x = random(3, rows * columns);
    x[..columns].fill(0.0); // A row of zeros must remain zero.
    let input = Tensor::from_slice(&device, &x, [rows, columns])?;
    let mut small = Tensor::zeros(&device, [rows, columns])?;
    let mut scales = Tensor::zeros(&device, [rows])?;
    quantize(&input, &mut small, &mut scales).launch()?;
    let mut y = Tensor::zeros(&device, [rows, columns])?;
    expand(&small, &scales, &mut y).launch()?;

    let scales = scales.to_vec()?;
    let mut exact = Vec::new();
    for (row, scale) in x.chunks(columns).zip(scales) {
        let max = row.iter().fold(0.0_f32, |max, x| max.max(x.abs()));
        assert!(max == 0.0 || (scale - max / 448.0).abs() <= max * 1e-8);
        exact.extend(row.iter().map(|x| f64::from(*x)));
    }
    // The mantissa has three bits, so half an ulp is at most 1/16 of a number. The largest number of a row is
    // at most 1, and subnormal numbers have the spacing of the smallest normal ones.
    check("eight bits", device, y.to_vec()?, &exact, 1.0 / 16.0);
    Ok(())
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (rows, columns) in [(1, 1), (16, 33), (40, 70)] {
        plates(device, rows, columns)?;
        turns(device, rows, columns)?;
        bytes(device, rows, columns)?;
    }
    Ok(())
}
