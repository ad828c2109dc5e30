// No float that large.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k: f32 = 1e39;
    y.store([0], full([1], k));
}

fn main() {}
