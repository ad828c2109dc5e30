// Two elements could go to one place.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let at = ids.load([0], [64]);
    y.scatter([at], x.load([0], [64]));
}

fn main() {}
