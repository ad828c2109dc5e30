// A type counts so far.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let tile = iota::<i8>(256);
    y.store([0], tile.cast::<f32>());
}

fn main() {}
