//! Functions whose value is not what they declare.

use tile_kernel::prelude::*;

#[tile_fn]
fn whole(x: f32) -> i32 {
    if x < 0.0 {
        return x;
    }
    x as i32
}

#[tile_fn]
fn half(x: f32) -> f32 {
    x / 2.0;
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<f32, 1>, x: f32) {
    let n = whole(x);
    c.store([n], full([1], half(x)));
}

fn main() {}
