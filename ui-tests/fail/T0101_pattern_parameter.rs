// A parameter has a name.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel((a, b): (i32, i32), y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

fn main() {}
