// A tensor is loaded first.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    y.store([0], x + 1.0);
}

fn main() {}
