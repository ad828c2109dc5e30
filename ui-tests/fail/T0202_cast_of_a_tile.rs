// `as` is for single numbers.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = ids.load([0], [64]) as f32;
    y.store([0], tile);
}

fn main() {}
