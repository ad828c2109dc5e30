// A tensor is stored to by tiles.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y = zeros([64]);
}

fn main() {}
