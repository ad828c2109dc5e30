// The extent of a tensor is known at run time only.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [x.dim(0)]);
    y.store([0], tile);
}

fn main() {}
