// A value comes from both branches.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = if n > 0 { 1 };
    y.store([0], full([1], k as f32));
}

fn main() {}
