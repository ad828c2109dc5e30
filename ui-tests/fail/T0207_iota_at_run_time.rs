// The length of a tile is known at compile time.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let tile = iota::<i32>(n);
    y.store([0], tile.cast::<f32>());
}

fn main() {}
