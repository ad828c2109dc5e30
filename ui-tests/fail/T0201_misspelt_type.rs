// The nearest type is offered.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = n as f23;
    y.store([0], full([1], k));
}

fn main() {}
