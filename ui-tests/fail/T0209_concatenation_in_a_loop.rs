// A tile does not grow.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let mut tile = x.load([0], [64]);
    while n > 3 {
        tile = tile.reshape([8, 8]);
    }
    y.store([0], tile);
}

fn main() {}
