// A kernel computes with numbers.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let name = "tile";
    y.store([0], full([1], 1.0));
}

fn main() {}
