// A kernel outside a module does not know structs.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let p = Point { x: 1.0, y: 2.0 };
    y.store([0], full([1], 1.0));
}

fn main() {}
