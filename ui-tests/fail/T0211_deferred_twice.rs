// What is not `mut` gets its value once.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k;
    k = 1;
    k = 2;
    y.store([0], full([1], k as f32));
}

fn main() {}
