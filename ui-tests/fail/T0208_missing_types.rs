use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn clear<T: Element>(x: &mut Tensor<T, 1>) {
    x.store([block_id(0)], zeros([64]));
}

fn main() {}
