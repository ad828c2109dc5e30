// Each option may be given once.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, grid = 2)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([0], zeros([1]));
}

fn main() {}
