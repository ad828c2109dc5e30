use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([N]))]
fn clear<const N: usize>(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([N]));
}

fn main() {}
