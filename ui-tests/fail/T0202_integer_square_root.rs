// Roots are of floats.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let root = n.sqrt();
    y.store([0], full([1], root));
}

fn main() {}
