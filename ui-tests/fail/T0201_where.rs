// NumPy's name for `select`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    y.store([0], where_(tile > 0.0, tile, 0.0));
}

fn main() {}
