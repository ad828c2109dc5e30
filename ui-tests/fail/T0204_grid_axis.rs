// A grid has three axes.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([block_id(3)], zeros([64]));
}

fn main() {}
