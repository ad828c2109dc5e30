//! Two functions call each other.

use tile_kernel::prelude::*;

#[tile_fn]
fn even(n: i32) -> bool {
    if n == 0 { true } else { odd(n - 1) }
}

#[tile_fn]
fn odd(n: i32) -> bool {
    if n == 0 { false } else { even(n - 1) }
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<i32, 1>, n: i32) {
    let x = if even(n) { 1 } else { 0 };
    c.store([0], full([1], x));
}

fn main() {}
