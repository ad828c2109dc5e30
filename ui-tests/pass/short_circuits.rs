//! The right operand of `&&` and `||` is evaluated only if the left one does not decide the result.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let mut trace = 0;
    let guarded = n != 0 && 100 / n > 3;
    let either = guarded || {
        trace += 1;
        n == 0
    };
    if guarded && either {
        trace += 10;
    }
    y.store([0], full([1], trace));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(0, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [1]);
    Ok(())
}
