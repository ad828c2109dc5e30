use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([64, 64]))]
fn matmul(a: &Tensor<f32, 2>, b: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([64, 32]);
    let b = b.partition([32, 64]);
    let mut acc = zeros::<f32>([64, 64]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

fn main() {}
