// The arguments of a method have one type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = n.max(1.5);
    y.store([0], full([1], k as f32));
}

fn main() {}
