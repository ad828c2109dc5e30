// A kernel runs from its first statement to its last.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let later = async { 1.0 };
    y.store([0], full([1], later));
}

fn main() {}
