use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn grow(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let tile = x.load([i], [64]);
    x.store([i], exp(tile));
}

fn main() {}
