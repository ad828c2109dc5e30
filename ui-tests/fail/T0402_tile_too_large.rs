use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([4096, 8192]))]
fn clear(x: &mut Tensor<f32, 2>) {
    x.store([block_id(0), block_id(1)], zeros([4096, 8192]));
}

fn main() {}
