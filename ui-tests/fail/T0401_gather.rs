use tile_kernel::prelude::*;

#[tile_kernel]
fn k(x: &Tensor<f32, 1>, ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.gather([ids.load([i], [64])]));
}

fn main() {}
