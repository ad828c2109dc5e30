// The shape of a tile is known where it is written.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    y.store([0], tile / tile.len() as f32);
}

fn main() {}
