// Memory comes from the host.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let list = Vec::new();
    y.store([0], list);
}

fn main() {}
