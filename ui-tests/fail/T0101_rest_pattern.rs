// Each part of a tuple is named.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let (first, ..) = (1.0, 2.0, 3.0);
    y.store([0], full([1], first));
}

fn main() {}
