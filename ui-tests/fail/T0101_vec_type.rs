// Memory comes from the host.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, s: f32) {
    let list: Vec<f32> = Vec::new();
    y.store([0], full([1], s));
}

fn main() {}
