// As many names as parts.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let (a, b, _) = (1.0, 2.0);
    y.store([0], full([1], a + b));
}

fn main() {}
