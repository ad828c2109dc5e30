//! A lifetime that nothing declares.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel<'a>(x: &'a Tensor<f32, 1>, c: &'b mut Tensor<f32, 1>) {
    c.store([0], x.load([0], [4]));
}

fn main() {}
