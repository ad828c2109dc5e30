//! A tensor that is stored to and read over another name.

use tile_kernel::prelude::*;

#[tile_fn]
fn copy(from: &Tensor<f32, 1>, to: &mut Tensor<f32, 1>) {
    to.store([0], from.load([0], [4]));
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<f32, 1>) {
    copy(c, c);
}

fn main() {}
