// Two variables are swapped by a tuple.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let (mut a, mut b) = (1.0, 2.0);
    std::mem::swap(a, b);
    y.store([0], full([1], a - b));
}

fn main() {}
