// The body is not read: what `k` would be is not known.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    if let Some(k) = n {
        y.store([0], full([64], k as f32));
    }
}

fn main() {}
