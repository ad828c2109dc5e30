// Triton's name for counting.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let i = arange(64);
    y.store([0], i.cast::<f32>());
}

fn main() {}
