// Both are reported: one fault does not hide the next.
use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([128]))]
fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let sum = a.load([i], [128]) + b.load([i], [64]);
    // `sum` is already reported, so its use is not.
    c.store([i], sum);
    c.store([j], a.load([i], [128]));
}

fn main() {}
