use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([16, 64]))]
fn copy(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i], [16, 64]));
}

fn main() {}
