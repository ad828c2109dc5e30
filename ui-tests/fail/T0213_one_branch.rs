// Only one branch assigns a value to `k`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k;
    if n > 0 {
        k = 1.0;
    }
    y.store([0], full([1], k));
}

fn main() {}
