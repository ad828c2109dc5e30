// What is not signed is not negative.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k: u32 = -1;
    y.store([0], full([1], k as f32));
}

fn main() {}
