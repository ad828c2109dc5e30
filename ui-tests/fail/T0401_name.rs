use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn größe(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i], [64]));
}

fn main() {}
