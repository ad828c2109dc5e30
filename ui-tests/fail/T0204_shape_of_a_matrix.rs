// One extent per axis.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(m: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let tile = m.load([0, 0], [64]);
    y.store([0], tile.reshape([64]));
}

fn main() {}
