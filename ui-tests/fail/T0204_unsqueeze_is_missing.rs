// Axes are not added silently.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, m: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let tile = m.load([0, 0], [64, 64]) - x.load([0], [64]);
    y.store([0], tile.sum(1));
}

fn main() {}
