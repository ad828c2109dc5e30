// Code behind a `break`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for i in 0..n {
        break;
        y.store([i], zeros([64]));
    }
}

fn main() {}
