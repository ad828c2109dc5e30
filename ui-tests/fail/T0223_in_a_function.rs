use tile_kernel::prelude::*;

#[tile_fn]
fn half(n: i32) -> i32 {
    assume(n % 2 == 0);
    n / 2
}

#[tile_kernel(grid = 1, arch("cpu"))]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    y.store([0], x.load([half(n)], [16]));
}

fn main() {}
