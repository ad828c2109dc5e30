// rustc refuses it too.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let k = 200_u8 + 100;
    y.store([0], full([1], k as f32));
}

fn main() {}
