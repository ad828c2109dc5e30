// Dropping an attribute could change the meaning.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    #[cfg(debug_assertions)]
    let factor = 2.0;
    y.store([0], full([1], factor * s));
}

fn main() {}
