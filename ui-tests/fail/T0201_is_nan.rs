// NaN differs from itself.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    let nan = s.is_nan();
    y.store([0], full([1], if nan { 1.0 } else { 0.0 }));
}

fn main() {}
