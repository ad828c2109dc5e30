// The result of a comparison cannot be compared with a number.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let inside = (0 < n) < 10;
    y.store([0], full([1], if inside { 1.0 } else { 0.0 }));
}

fn main() {}
