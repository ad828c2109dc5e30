// A list in brackets is only allowed as a shape or an index.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let list = [1.0, 2.0];
    y.store([0], list);
}

fn main() {}
