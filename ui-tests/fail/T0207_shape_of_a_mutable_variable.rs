// A `mut` variable is no constant.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let mut extent = 64;
    extent *= 2;
    y.store([0], zeros([extent]));
}

fn main() {}
