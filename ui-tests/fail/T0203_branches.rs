// Both branches have one shape.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let tile = if n > 0 { x.load([0], [64]) } else { x.load([0], [128]) };
    y.store([0], tile);
}

fn main() {}
