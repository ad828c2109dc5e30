// A carried variable keeps its type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let mut sum = 0;
    for _ in 0..n {
        sum = sum as f32 + 1.0;
    }
    y.store([0], full([1], sum as f32));
}

fn main() {}
