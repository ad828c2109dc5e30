// The blocks along an axis store to one place.
use tile_kernel::prelude::*;

#[tile_kernel(grid = [4, 4])]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([block_id(0)], zeros([64]));
}

fn main() {}
