//! Const parameters that nothing gives, or that are not known.

use tile_kernel::prelude::*;

#[tile_fn]
fn ramp<const N: usize>() -> Tile<i32, { [N] }> {
    iota::<i32>(N)
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<i32, 1>, n: usize) {
    c.store([0], ramp());
    c.store([0], ramp::<n>());
    c.store([0], ramp::<f32>());
}

fn main() {}
