// A tile is computed on as a whole.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    y.store([0], full([1], tile.iter().sum()));
}

fn main() {}
