// Nothing leaves the loop.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let mut k = 0;
    loop {
        k += 1;
        y.store([k], zeros([64]));
    }
}

fn main() {}
