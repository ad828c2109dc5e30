//! A parameter whose name starts with `_` may be unused.

#![deny(warnings)]

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(_n: i32, y: &mut Tensor<i32, 1>, _x: &Tensor<f32, 2>) {
    y.store([0], full([1], 1));
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let mut y = Tensor::zeros(&device, [1])?;
    let x = Tensor::zeros(&device, [1, 1])?;
    kernel(3, &mut y, &x).launch()?;
    assert_eq!(y.to_vec()?, [1]);
    Ok(())
}
