// Both ways out have one shape.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let mut tile = x.load([0], [64]);
    if n > 0 {
        tile = x.load([0], [32]);
    }
    y.store([0], tile);
}

fn main() {}
