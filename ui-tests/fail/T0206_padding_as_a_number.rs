// A padding is an argument of a load.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let low = Padding::NegInf;
    y.store([0], full([1], low));
}

fn main() {}
