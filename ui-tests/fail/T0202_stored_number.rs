// What is stored is a tile.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    y.store([0], s);
}

fn main() {}
