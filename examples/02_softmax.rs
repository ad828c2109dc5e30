//! Reductions, loops and padding: the softmax of every row of a matrix.
//!
//! `cargo run --release --example 02_softmax`

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(clippy::cast_precision_loss, reason = "the numbers are small")]

use tile_kernel::prelude::*;

/// Each block processes `ROWS` rows of any width. It iterates over them twice, in tiles of `COLS`
/// columns.
///
/// `ROWS` and `COLS` are known at compile time, so each combination is a separate kernel.
/// `instances` lists the combinations to compile. Using another one is a compile error that says
/// what to add.
#[tile_kernel(
    grid = x.shape()[0].div_ceil(ROWS),
    instances((ROWS = 4, COLS = 256))
)]
pub(crate) fn softmax<const ROWS: usize, const COLS: usize>(
    x: &Tensor<f32, 2>,
    y: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    // The padding beyond the right edge is minus infinity, which changes neither a maximum nor a
    // sum of exponentials.
    let x = x.partition([ROWS, COLS]).with_padding(Padding::NegInf);

    // The first loop finds each row's maximum and the sum of `exp(x - max)`. Variables that a loop
    // assigns are carried to the next iteration. When the maximum rises, the partial sum is
    // rescaled.
    let mut max = full([ROWS], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([ROWS]);
    for column in 0..x.num_tiles(1) {
        let tile = x.load([row, column]);
        // A reduction removes its axis: [ROWS, COLS] becomes [ROWS].
        let higher = max.max(tile.reduce_max(1));
        // `unsqueeze` adds an axis of extent 1, which broadcasts: [ROWS, 1].
        let terms = (tile - higher.unsqueeze(1)).exp();
        sum = sum * (max - higher).exp() + terms.sum(1);
        max = higher;
    }

    // The second loop writes the result.
    for column in 0..x.num_tiles(1) {
        let terms = (x.load([row, column]) - max.unsqueeze(1)).exp();
        y.store([row, column], terms / sum.unsqueeze(1));
    }
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    const ROWS: usize = 123;
    const COLS: usize = 1000;
    let host: Vec<f32> = (0..ROWS * COLS)
        .map(|i| (i % 611) as f32 * 0.05 - 15.0)
        .collect();

    let device = Device::best();
    let x = Tensor::from_slice(&device, &host, [ROWS, COLS])?;
    let mut y = Tensor::zeros(&device, [ROWS, COLS])?;
    softmax::<4, 256>(&x, &mut y).launch()?;
    let actual = y.to_vec()?;

    let mut error: f64 = 0.0;
    for (x, y) in host.chunks(COLS).zip(actual.chunks(COLS)) {
        let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let terms: Vec<f64> = x.iter().map(|&x| f64::from(x - max).exp()).collect();
        let sum: f64 = terms.iter().sum();
        for (term, &y) in terms.iter().zip(y) {
            error = error.max((term / sum - f64::from(y)).abs());
        }
    }
    println!("softmax: {ROWS} rows of {COLS} on {device}, max error {error:.1e}");
    assert!(
        error < 1e-6,
        "the results are at most 1, and exact to six digits"
    );
    Ok(())
}
