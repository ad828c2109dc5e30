// A tile of one number.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let zeros = [0.0; 64];
    y.store([0], zeros);
}

fn main() {}
