// A counter is `mut`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let i = 0;
    while i < n {
        i += 1;
    }
    y.store([0], full([1], i as f32));
}

fn main() {}
