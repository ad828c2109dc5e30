//! A variable is declared by `let` and gets its value later.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let (sign, size);
    if n < 0 {
        sign = -1;
        size = -n;
    } else {
        sign = 1;
        size = n;
    }
    let kind;
    match size {
        0 => kind = 0,
        1..=9 => kind = 1,
        _ => kind = 2,
    }
    y.store([0], full([1], sign * kind));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(-12, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [-2]);
    Ok(())
}
