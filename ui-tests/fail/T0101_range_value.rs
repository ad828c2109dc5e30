// A range stands in the head of a loop.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let range = 0..n;
    for i in range {
        y.store([i], full([1], 1.0));
    }
}

fn main() {}
