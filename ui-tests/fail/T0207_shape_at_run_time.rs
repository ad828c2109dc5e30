use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn clear(x: &mut Tensor<f32, 1>, width: usize) {
    x.store([block_id(0)], zeros([width]));
}

fn main() {}
