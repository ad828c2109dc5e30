// The counter is a variable.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for (i, k) in (0..n).enumerate() {
        y.store([i], full([1], k as f32));
    }
}

fn main() {}
