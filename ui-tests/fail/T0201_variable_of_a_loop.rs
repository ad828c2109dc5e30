// A variable lives to the end of its block.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for i in 0..n {
        let last = i;
    }
    y.store([0], full([1], last as f32));
}

fn main() {}
