// Every block stores to one place.
use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    y.store([0], x.load([block_id(0)], [64]));
}

fn main() {}
