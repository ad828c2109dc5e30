// Functions of numbers are methods.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    y.store([0], full([1], sqrt(s)));
}

fn main() {}
