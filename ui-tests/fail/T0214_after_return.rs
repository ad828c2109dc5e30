// Code behind a `return`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([0], zeros([64]));
    return;
    y.store([0], full([64], 1.0));
}

fn main() {}
