// A parameter that is assigned is `mut`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    n = 3;
    y.store([0], full([1], n as f32));
}

fn main() {}
