use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.strided([64], [0]).load([i]));
}

fn main() {}
