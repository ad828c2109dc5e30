// A kernel is not declared `async`, since a launch is asynchronous anyway.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
async fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

fn main() {}
