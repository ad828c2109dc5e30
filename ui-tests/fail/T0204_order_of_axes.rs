use tile_kernel::prelude::*;

#[tile_kernel]
fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.partition([16, 16]).with_order([1, 1]).load([i, j]));
}

fn main() {}
