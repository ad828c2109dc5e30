// A tuple is no number.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k = (1.0, 2.0) + 1.0;
    y.store([0], full([1], k));
}

fn main() {}
