//! A function stores to a tensor that it takes by shared reference.

use tile_kernel::prelude::*;

#[tile_fn]
fn clear(y: &Tensor<f32, 1>) {
    y.store([0], zeros([4]));
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<f32, 1>) {
    clear(c);
}

fn main() {}
