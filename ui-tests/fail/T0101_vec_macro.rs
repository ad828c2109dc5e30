// A list of numbers is a tile here.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let zeros = vec![0.0; 64];
    y.store([0], zeros);
}

fn main() {}
