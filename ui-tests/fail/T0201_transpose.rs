// The transposition has a short name.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(m: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let tile = m.load([0, 0], [16, 32]).transpose();
    y.store([0], tile.reshape([512]));
}

fn main() {}
