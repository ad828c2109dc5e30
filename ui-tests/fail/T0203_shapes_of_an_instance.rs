use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([N]), instances((N = 64), (N = 128)))]
fn add<const N: usize>(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = a.load([i], [N]);
    let y = b.load([i], [64]);
    c.store([i], x + y);
}

fn main() {}
