// Only an axis of extent 1 stretches.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]).broadcast([128]);
    y.store([0], tile);
}

fn main() {}
