// A partition is stored to in its own shape.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let p = y.partition([64]);
    p.store([0], zeros([128]));
}

fn main() {}
