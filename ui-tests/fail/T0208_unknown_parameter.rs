use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([BLOCK]), instances((BLOK = 64)))]
fn clear<const BLOCK: usize>(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([BLOCK]));
}

fn main() {}
