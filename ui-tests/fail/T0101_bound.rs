// The only bound is `Element`: operations are checked for each listed type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, types(T = f32))]
fn kernel<T: Copy>(y: &mut Tensor<T, 1>) {
    y.store([0], zeros([1]));
}

fn main() {}
