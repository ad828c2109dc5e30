// Only an axis of extent 1 is left out.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(m: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let tile = m.load([0, 0], [16, 4]).squeeze(0);
    y.store([0], tile);
}

fn main() {}
