//! `#[cfg]` selects the kernel, as it selects any function.

use tile_kernel::prelude::*;

#[cfg(any())]
#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    no_function_of_anybody(y)
}

#[cfg(not(any()))]
#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 1.0));
}

#[cfg_attr(all(), tile_kernel(grid = 1))]
fn conditional(y: &mut Tensor<f32, 1>) {
    y.store([0], full([1], 2.0));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0]);
    conditional(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [2.0]);
    Ok(())
}
