//! A name may denote several variables, one after another.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let n = n as f32 * 0.5;
    let n = n > 1.0;
    let n = if n { 5 } else { 6 };
    {
        let n = n * 100;
        y.store([0], full([1], n));
    }
    y.store([1], full([1], n));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [2])?;
    kernel(4, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [500, 5]);
    Ok(())
}
