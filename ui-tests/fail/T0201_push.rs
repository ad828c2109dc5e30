// Nothing grows.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let mut tile = x.load([0], [64]);
    tile.push(1.0);
    y.store([0], tile);
}

fn main() {}
