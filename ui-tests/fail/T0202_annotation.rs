// An annotation is a claim.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k: f32 = n;
    y.store([0], full([1], k));
}

fn main() {}
