use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([M, N]), instances((M = 16)))]
fn clear<const M: usize, const N: usize>(x: &mut Tensor<f32, 2>) {
    x.store([block_id(0), block_id(1)], zeros([M, N]));
}

fn main() {}
