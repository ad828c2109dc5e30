// The body decides.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for k in (0..n).filter(|i| i % 2 == 0) {
        y.store([k], zeros([64]));
    }
}

fn main() {}
