// An axis is known at compile time.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(m: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, n: i32) {
    let tile = m.load([0, 0], [16, 16]);
    y.store([0], tile.sum(n));
}

fn main() {}
