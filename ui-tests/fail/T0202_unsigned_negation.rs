// What has no negative values is not negated.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, u: usize) {
    let k = -u;
    y.store([0], full([1], k as f32));
}

fn main() {}
