// All of `select` stretches to one shape.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    y.store([0], select(tile > 0.0, x.load([0], [32]), 0.0));
}

fn main() {}
