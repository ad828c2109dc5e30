//! The expansion causes no warning, even if all these lints are denied.

#![deny(warnings, missing_docs, unused, nonstandard_style, future_incompatible, rust_2024_compatibility, unreachable_pub)]

use tile_kernel::prelude::*;

/// Doubles every element.
#[tile_kernel(grid = y.tiles([64]))]
pub(crate) fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    y.store([block_id(0)], x.load([block_id(0)], [64]) * 2.0);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [100], 1.5)?;
    let mut y = Tensor::zeros(&device, [100])?;
    double(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [3.0; 100]);
    Ok(())
}
