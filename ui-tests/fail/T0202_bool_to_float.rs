// As in Rust, a `bool` is no float.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = (n > 0) as f32;
    y.store([0], full([1], k));
}

fn main() {}
