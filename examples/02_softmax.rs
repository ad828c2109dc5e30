//! Reductions, loops and padding: the softmax of every row of a matrix.
//!
//! `cargo run --release --example 02_softmax`

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(clippy::cast_precision_loss, reason = "the numbers are small")]

use tile_kernel::prelude::*;

/// Each block does `ROWS` rows, which are as wide as they like: it walks along
/// them in tiles of `COLS` columns, twice.
///
/// `ROWS` and `COLS` are known at compile time, so each combination is a kernel
/// of its own. `instances` lists those to compile; asking for another is a
/// compile error that says what to add.
#[tile_kernel(
    grid = x.shape()[0].div_ceil(ROWS),
    instances((ROWS = 4, COLS = 256))
)]
pub(crate) fn softmax<const ROWS: usize, const COLS: usize>(
    x: &Tensor<f32, 2>,
    y: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    // Beyond the right edge there is no number: minus infinity neither raises a
    // maximum nor adds to a sum of exponentials.
    let x = x.partition([ROWS, COLS]).with_padding(Padding::NegInf);

    // The first walk finds each row's maximum and the sum of `exp(x - max)`. The
    // variables that a loop assigns are carried from one round to the next. When
    // the maximum rises, the sum so far is scaled down to it.
    let mut max = full([ROWS], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([ROWS]);
    for column in 0..x.num_tiles(1) {
        let tile = x.load([row, column]);
        // A reduction takes its axis away: [ROWS, COLS] becomes [ROWS].
        let higher = max.max(tile.reduce_max(1));
        // `unsqueeze` adds an axis of extent 1, which stretches: [ROWS, 1].
        let terms = (tile - higher.unsqueeze(1)).exp();
        sum = sum * (max - higher).exp() + terms.sum(1);
        max = higher;
    }

    // The second walk has what it needs to write the result.
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
