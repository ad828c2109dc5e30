use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([8, 64]))]
fn matmul(a: &Tensor<bf16, 2>, b: &Tensor<bf16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.load([m, 0], [8, 32]);
    let b = b.load([0, n], [32, 64]);
    c.store([m, n], mma(a, b, zeros([8, 64])));
}

fn main() {}
