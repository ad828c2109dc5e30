// A literal of floats has a point.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k: f32 = 1;
    y.store([0], full([1], k));
}

fn main() {}
