// Parts of tuples have numbers.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let pair = (1.0, 2.0);
    y.store([0], full([1], pair.first));
}

fn main() {}
