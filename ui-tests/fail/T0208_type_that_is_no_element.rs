// A candidate is an element type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, types(T = String))]
fn kernel<T: Element>(y: &mut Tensor<T, 1>) {
    y.store([0], zeros([1]));
}

fn main() {}
