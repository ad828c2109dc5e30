// A loop variable is assigned by its loop.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for i in 0..n {
        i += 1;
        y.store([i], zeros([1]));
    }
}

fn main() {}
