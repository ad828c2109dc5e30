//! Tuples as inputs and as outputs, nested and swapped.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let (mut a, mut b) = (n, n + 1);
    let pair = ((a, b), (a > b, a * 2));
    (a, b) = (b, a);
    let ((c, _), (less, d)) = pair;
    let sign = if less { 1 } else { -1 };
    y.store([0], full([1], a * 1000 + b * 100 + c * 10 + d * sign));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(3, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [4000 + 300 + 30 - 6]);
    Ok(())
}
