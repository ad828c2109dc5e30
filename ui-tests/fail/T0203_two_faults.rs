// Both errors are reported: the first does not hide the second.
use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([128]))]
fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let sum = a.load([i], [128]) + b.load([i], [64]);
    // The error about `sum` is already reported, so this use adds none.
    c.store([i], sum);
    c.store([j], a.load([i], [128]));
}

fn main() {}
