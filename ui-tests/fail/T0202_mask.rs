// A mask is made of `bool`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = ids.load([0], [64]);
    y.store([0], select(tile, 1.0, 0.0));
}

fn main() {}
