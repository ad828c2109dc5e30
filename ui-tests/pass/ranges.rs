//! `..=`, `rev` and `step_by`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let mut trace = 0;
    for i in (0..n).step_by(3).rev() {
        trace = trace * 10 + i;
    }
    for i in (1..=3).rev() {
        trace = trace * 10 + i;
    }
    y.store([0], full([1], trace));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(8, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [630321]);
    Ok(())
}
