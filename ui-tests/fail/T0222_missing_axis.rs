use tile_kernel::prelude::*;

#[tile_kernel]
fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let t = x.load([block_id(0), block_id(1)], [16, 64]);
    y.store([block_id(0)], t.sum(1));
}

fn main() {}
