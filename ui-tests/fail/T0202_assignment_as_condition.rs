// `=` assigns, `==` compares.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let mut k = n;
    if k = 3 {
        k += 1;
        y.store([0], full([1], k as f32));
    }
}

fn main() {}
