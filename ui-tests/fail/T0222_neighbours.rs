use tile_kernel::prelude::*;

#[tile_kernel]
fn k(y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], zeros([64]));
    y.store([i + 1], zeros([64]));
}

fn main() {}
