// The shape of a tile is known from its value.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile: [f32; 64] = x.load([0], [64]);
    y.store([0], tile);
}

fn main() {}
