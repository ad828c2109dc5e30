use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([16, 64]))]
fn center(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let tile = x.load([i, j], [16, 64]);
    let mean = tile.sum(1) / 64.0;
    y.store([i, j], tile - mean);
}

fn main() {}
