//! Values of instances that are no constants, or do not fit.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, instances((N = 64 * M), (N = -1), (N = 2 * 32, FAST = 1)))]
fn kernel<const N: usize, const FAST: bool = true>(c: &mut Tensor<f32, 1>) {
    c.store([0], zeros([N]));
}

fn main() {}
