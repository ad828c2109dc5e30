use tile_kernel::prelude::*;

#[tile_kernel(grid = x.shape()[0].div_ceil(64))]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let t = x.load([block_id(0)], [64]);
    y.store([0], full([1], t.sum(0)));
}

fn main() {}
