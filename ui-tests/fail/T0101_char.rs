// A character is a number here.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let first = 'a';
    y.store([0], full([1], first as f32));
}

fn main() {}
