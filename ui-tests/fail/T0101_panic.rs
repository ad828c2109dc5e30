// Nothing can be unwound on a GPU.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32, s: f32) {
    if n < 0 {
        panic!("negative");
    }
    y.store([0], full([1], s));
}

fn main() {}
