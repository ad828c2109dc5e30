// An arm that the arms before it leave nothing.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    match n {
        _ => y.store([0], zeros([64])),
        1 => y.store([1], zeros([64])),
    }
}

fn main() {}
