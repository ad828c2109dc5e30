// `zeros` has two type arguments instead of one.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([0], zeros::<f32, f32>([64]));
}

fn main() {}
