use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn double(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) * 2);
}

fn main() {}
