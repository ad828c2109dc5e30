//! Normalizes the rows of a view of an array, in place.
//!
//! `cargo run --example rows`

use ndarray::{Array2, Axis, s};
use tile_kernel::{foreign, prelude::*};
use tile_kernel_ndarray::BorrowArrays;

/// Divides each row by its largest element.
#[tile_kernel(grid = x.shape()[0].div_ceil(16), arch("cpu"))]
fn scale_rows(x: &mut Tensor<f64, 2>) {
    let row = block_id(0);
    let mut largest = full([16], f64::NEG_INFINITY);
    let tiles = x.partition([16, 32]).num_tiles(1);
    for k in 0..tiles {
        let tile = x.load_padded([row, k], [16, 32], Padding::NegInf);
        largest = largest.max(tile.reduce_max(1));
    }
    for k in 0..tiles {
        let tile = x.load([row, k], [16, 32]) / largest.unsqueeze(1);
        x.store([row, k], tile);
    }
}

#[expect(clippy::print_stdout, reason = "an example says what it did")]
fn main() -> tile_kernel::Result<()> {
    let mut table =
        Array2::from_shape_fn((100, 60), |(i, j)| 1.0 + ((i * 31 + j * 17) % 101) as f64);
    let before = table.clone();
    foreign::scope(|scope| {
        // Every second column of the lower half, and nothing else.
        let mut part = scope.array_mut(table.slice_mut(s![50.., ..;2]))?;
        scale_rows(&mut part).launch()
    })?;
    let part = table.slice(s![50.., ..;2]);
    for row in part.axis_iter(Axis(0)) {
        assert_eq!(row.fold(0.0, |max: f64, &x| max.max(x)), 1.0);
    }
    assert_eq!(table.slice(s![..50, ..]), before.slice(s![..50, ..]));
    assert_eq!(table.slice(s![.., 1..;2]), before.slice(s![.., 1..;2]));
    println!(
        "{} rows of {} elements, in place",
        part.nrows(),
        part.ncols()
    );
    Ok(())
}
