// The widest integers have 64 bits.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let wide = n as i128;
    y.store([0], full([1], wide as f32));
}

fn main() {}
