//! Pictures and matrices as memory: a 2-D stencil, transposition, a histogram.
//!
//! `cargo run --release --example 10_grids`

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]

#[path = "support/mod.rs"]
mod support;

use support::{check, check_equal, random};
use tile_kernel::prelude::*;

/// A step of heat conduction: each point moves towards the mean of its four neighbours. Around the
/// plate it is 0 degrees.
// No GPU code yet for elements at computed places.
#[tile_kernel(grid = new.tiles([16, 32]), arch("cpu"))]
fn conduct(old: &Tensor<f32, 2>, new: &mut Tensor<f32, 2>, rate: f32) {
    let (i, j) = (block_id(0), block_id(1));
    let row = (i * 16 + iota(16)).unsqueeze(1);
    let column = (j * 32 + iota(32)).unsqueeze(0);
    let here = old.load([i, j], [16, 32]);
    // Elements at any indices; out of range they are 0.
    let vertical = old.gather([row - 1, column]) + old.gather([row + 1, column]);
    let horizontal = old.gather([row, column - 1]) + old.gather([row, column + 1]);
    new.store([i, j], here + rate * (vertical + horizontal - 4.0 * here));
}

/// `y` is `x` with rows for columns.
#[tile_kernel(grid = x.tiles([32, 32]), types(T = f32 | u8))]
fn transpose<T: Element>(x: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([j, i], x.load([i, j], [32, 32]).t());
}

/// How often each number from 0 to 255 occurs: all blocks add to the same counters.
// No GPU code yet for atomic operations.
#[tile_kernel(grid = levels.tiles([256]), arch("cpu"))]
fn histogram(levels: &Tensor<u8, 1>, counts: &mut Tensor<i32, 1>) {
    let at = block_id(0) * 256 + iota(256);
    let exists = at < levels.dim(0);
    let level = levels.load([block_id(0)], [256]).cast::<i32>();
    // What lies beyond the edge is sent out of range, where it is dropped.
    counts.atomic_add([select(exists, level, -1)], full([256], 1));
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
        let at = |i: Option<usize>, j: Option<usize>| match (i, j) {
            (Some(i), Some(j)) if i < rows && j < columns => old[i * columns + j],
            _ => 0.0,
        };
        for i in 0..rows {
            for j in 0..columns {
                let neighbours = at(i.checked_sub(1), Some(j))
                    + at(Some(i + 1), Some(j))
                    + at(Some(i), j.checked_sub(1))
                    + at(Some(i), Some(j + 1));
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
    // A view of the same memory with its axes exchanged says what is right.
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

fn counts(device: Device, len: usize) -> tile_kernel::Result<()> {
    let levels: Vec<u8> = random(3, len)
        .iter()
        .map(|x| (x * x * 255.0) as u8)
        .collect();
    let input = Tensor::from_slice(&device, &levels, [len])?;
    let mut found = Tensor::zeros(&device, [256])?;
    histogram(&input, &mut found).launch()?;
    let mut exact = vec![0; 256];
    for level in levels {
        exact[usize::from(level)] += 1;
    }
    check_equal("histogram", device, &found.to_vec()?, &exact);
    Ok(())
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    for (rows, columns) in [(1, 1), (16, 33), (40, 70)] {
        plates(device, rows, columns)?;
        turns(device, rows, columns)?;
        counts(device, 10 * rows * columns)?;
    }
    Ok(())
}
