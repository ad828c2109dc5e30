use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn rectify(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let tile = x.load([i], [64]);
    let result = if tile > 0.0 { tile } else { tile * 0.01 };
    x.store([i], result);
}

fn main() {}
