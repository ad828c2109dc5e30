// A const parameter is fixed.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, instances((N = 64)))]
fn kernel<const N: usize>(y: &mut Tensor<f32, 1>) {
    N = 32;
    y.store([0], zeros([N]));
}

fn main() {}
