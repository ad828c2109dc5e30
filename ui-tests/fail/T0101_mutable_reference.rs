// Nothing is borrowed: a variable is assigned.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let mut sum = 0.0;
    let place = &mut sum;
    y.store([0], full([1], place));
}

fn main() {}
