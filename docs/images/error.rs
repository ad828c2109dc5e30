//! The program whose error message is the image in the README; see `error.py`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([128]))]
pub fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = a.load([i], [128]);
    let y = b.load([i], [64]);
    c.store([i], x + y);
}

fn main() {}
