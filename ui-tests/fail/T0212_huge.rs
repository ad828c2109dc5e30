// No integer that large.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k = 99999999999999999999999999999999999999999;
    y.store([0], full([1], k as f32));
}

fn main() {}
