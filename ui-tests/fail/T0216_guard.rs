// An arm with a guard may not match.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    match n {
        k if k > 0 => y.store([0], zeros([64])),
        ..=0 if n < 3 => y.store([1], zeros([64])),
    }
}

fn main() {}
