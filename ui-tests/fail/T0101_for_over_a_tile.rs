// A tile has no elements to walk over: it is computed on as a whole.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    for element in tile {
        y.store([0], full([1], element));
    }
}

fn main() {}
