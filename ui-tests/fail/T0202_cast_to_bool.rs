// A comparison gives a `bool`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let flag = n as bool;
    y.store([0], full([1], if flag { 1.0 } else { 0.0 }));
}

fn main() {}
