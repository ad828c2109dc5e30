// An index counts tiles.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let i = 1.0;
    y.store([i], zeros([64]));
}

fn main() {}
