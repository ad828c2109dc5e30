use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn first_blocks(x: &mut Tensor<f32, 1>, blocks: i32) {
    let i = block_id(0);
    if i >= blocks {
        return;
    }
    x.store([i], x.load([i], [64]).sqrt());
}

fn main() {}
