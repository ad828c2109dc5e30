// A loop or a whole tile does what an iterator does.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let sum = (0..n).map(|i| i * 2).sum();
    y.store([0], full([1], sum as f32));
}

fn main() {}
