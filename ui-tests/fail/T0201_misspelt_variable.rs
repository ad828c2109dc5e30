// The nearest name is offered.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let total = 1.0;
    y.store([0], full([1], totl));
}

fn main() {}
