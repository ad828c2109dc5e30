// Memory is passed as a tensor.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &[f32], y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

fn main() {}
