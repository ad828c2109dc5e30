use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn brighten(x: &mut Tensor<u8, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) + 256);
}

fn main() {}
