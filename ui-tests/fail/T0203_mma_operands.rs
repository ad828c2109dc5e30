use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([64, 32]))]
fn matmul(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let mut acc = zeros::<f32>([64, 32]);
    for k in 0..a.partition([64, 16]).num_tiles(1) {
        // `b` is stored transposed.
        acc = mma(a.load([m, k], [64, 16]), b.load([n, k], [32, 16]), acc);
    }
    c.store([m, n], acc);
}

fn main() {}
