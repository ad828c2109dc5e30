//! A kernel calls an ordinary function, which the macro cannot see.

use tile_kernel::prelude::*;

fn softplus(x: f32) -> f32 {
    (1.0 + x.exp()).ln()
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<f32, 1>, x: f32) {
    c.store([0], full([1], softplus(x)));
}

fn main() {
    let _ = softplus(1.0);
}
