use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn apply(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let twice = |tile| tile * 2.0;
    x.store([i], twice(x.load([i], [64])));
}

fn main() {}
