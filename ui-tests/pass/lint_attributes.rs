//! Lint levels and `#[must_use]` on a kernel are kept.

#![deny(warnings)]

use tile_kernel::prelude::*;

#[allow(non_snake_case)]
#[inline]
#[tile_kernel(grid = 1)]
fn Kernel(y: &mut Tensor<f32, 1>, N: f32) {
    y.store([0], full([1], N));
}

#[allow(dead_code, reason = "for later")]
#[tile_kernel(grid = 1)]
fn later(y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    Kernel(&mut y, 2.0).launch()?;
    assert_eq!(y.to_vec()?, [2.0]);
    Ok(())
}
