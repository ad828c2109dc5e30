//! Arguments that do not fit, and too few of them.

use tile_kernel::prelude::*;

#[tile_fn]
fn scale<const N: usize>(x: Tile<f32, { [N] }>, by: f32) -> Tile<f32, { [N] }> {
    x * by
}

#[tile_kernel(grid = c.tiles([32]))]
fn kernel(c: &mut Tensor<f32, 1>, n: i32) {
    let i = block_id(0);
    let x = scale(c.load([i], [32]), n);
    c.store([i], scale(x));
}

fn main() {}
