// A tensor states its element type and its rank.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32>) {
    y.store([0], zeros([1]));
}

fn main() {}
