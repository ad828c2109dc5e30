use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([64]))]
fn add(a: &Tensor<f16, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = a.load([i], [64]);
    let y = b.load([i], [64]);
    c.store([i], x + y);
}

fn main() {}
