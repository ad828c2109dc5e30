// CUDA's name for the block.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = blockIdx.x;
    y.store([i], zeros([64]));
}

fn main() {}
