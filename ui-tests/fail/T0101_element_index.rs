use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn add_first(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], y.load([i], [64]) + x[0]);
}

fn main() {}
