use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([100]))]
fn clear(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([100]));
}

fn main() {}
