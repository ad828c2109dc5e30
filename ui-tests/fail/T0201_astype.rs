// NumPy's name for a cast.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = ids.load([0], [64]).astype(0);
    y.store([0], tile);
}

fn main() {}
