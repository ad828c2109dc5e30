//! An error in a function is reported with two calls of the function.

use tile_kernel::prelude::*;

#[tile_fn]
fn shift<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> {
    x + full([64], 1.0)
}

#[tile_kernel(grid = c.tiles([32]))]
fn kernel(c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = shift(c.load([i], [32]));
    c.store([i], shift(x));
}

fn main() {}
