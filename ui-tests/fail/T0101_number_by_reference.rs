// A number is passed by value.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: &i32, y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

fn main() {}
