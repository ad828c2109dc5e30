// A tensor is read tile by tile.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    for element in x.iter() {
        y.store([0], full([1], element));
    }
}

fn main() {}
