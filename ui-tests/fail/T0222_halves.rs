// Two blocks store to the same index.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 8)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([block_id(0) / 2], zeros([64]));
}

fn main() {}
