// Triton's name for the block.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let i = program_id(0);
    y.store([i], zeros([64]));
}

fn main() {}
