// A range of a loop has two ends.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    for k in 0.. {
        y.store([k], zeros([64]));
    }
}

fn main() {}
