//! A branch is not checked if a constant condition excludes it.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<i32, 1>) {
    let wide = 4 > 8;
    let k = if wide { y.load([0], [3]).sum(0) } else { 7 };
    y.store([0], full([1], k));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [7]);
    Ok(())
}
