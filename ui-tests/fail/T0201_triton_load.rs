// Triton loads through pointers.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = load(x);
    y.store([0], tile);
}

fn main() {}
