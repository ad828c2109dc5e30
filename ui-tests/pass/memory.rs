//! Accesses that the checks must accept.
#![deny(warnings)]

use tile_kernel::prelude::*;

/// Stores blocks in groups of rows, in the order in which matmuls visit them for the cache.
#[tile_kernel]
pub fn grouped(y: &mut Tensor<f32, 2>) {
    let p = y.partition([16, 16]);
    let (rows, columns) = (p.num_tiles(0), p.num_tiles(1));
    let in_group = 8 * columns;
    let first = block_id(0) / in_group * 8;
    let height = (rows - first).min(8);
    let rest = block_id(0) % in_group;
    p.store([first + rest % height, rest / height], zeros([16, 16]));
}

/// Stores in a grid-stride loop.
#[tile_kernel(arch("cpu"))]
pub fn strided_loop(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let mut i = block_id(0);
    while i < n {
        y.store([i], x.load([i], [64]));
        i += num_blocks(0);
    }
}

/// Stores to tiles that only the author knows to be disjoint.
#[tile_kernel]
pub fn vouched(ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let i = ids.load([block_id(0)], [1]).sum(0);
    // `ids` contains no tile index twice.
    unsafe { y.store([i], zeros([64])) };
}

/// # Safety
/// `y` must point to 64 elements for each block.
#[tile_kernel(arch("cpu"))]
pub unsafe fn pointers(y: *mut f32) {
    let i = block_id(0) * 64 + iota::<i32>(64);
    unsafe { y.offset(i).store(1.0) };
}

#[tile_kernel]
pub fn parallel_loop(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    for i in parallel(0..n) {
        y.store([i], x.load([i], [64]) * 2.0);
    }
}

fn main() {}
