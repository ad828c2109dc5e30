// There is no `Option`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let best = None;
    y.store([0], full([1], best));
}

fn main() {}
