// All arms have one type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = match n {
        0 => 1.0,
        _ => 2,
    };
    y.store([0], full([1], k));
}

fn main() {}
