// A range counts integers.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    for i in 0..s {
        y.store([0], full([64], i as f32));
    }
}

fn main() {}
