//! The grid counts tiles of one extent and the kernel stores others: per instance, along each axis.

use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([1024]))]
fn half(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i], [512]));
}

#[tile_kernel(grid = y.tiles([BM, BN]), instances((BM = 16, BN = 64), (BM = 64, BN = 64)))]
fn turned<const BM: usize, const BN: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([j, i], [BN, BM]));
}

#[tile_kernel(grid = y.tiles([8, 128]))]
fn sums(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    y.store([i, 0], x.load([i, 0], [8, 128]).sum(1).unsqueeze(1));
}

fn main() {}
