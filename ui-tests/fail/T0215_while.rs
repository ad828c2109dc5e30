// Nothing in the loop changes the condition.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    while true {
        y.store([0], zeros([64]));
    }
}

fn main() {}
