// `&` binds tighter than `<`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let both = n > 0 & n < 10;
    y.store([0], full([1], if both { 1.0 } else { 0.0 }));
}

fn main() {}
