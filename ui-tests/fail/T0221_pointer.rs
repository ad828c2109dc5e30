// A pointer is followed in `unsafe`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let p = y.as_mut_ptr();
    p.store(1.0);
}

fn main() {}
