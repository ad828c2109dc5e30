// Operators work on every element.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    y.store([0], tile.map(|v| v * 2.0));
}

fn main() {}
