// A pair of values is missing.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    match (n > 0, n > 9) {
        (true, _) => y.store([0], zeros([64])),
        (false, true) => y.store([1], zeros([64])),
    }
}

fn main() {}
