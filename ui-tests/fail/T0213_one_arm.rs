// One arm gives it no value.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k;
    match n {
        0 => k = 1.0,
        1 => {}
        _ => k = 2.0,
    }
    y.store([0], full([1], k));
}

fn main() {}
