//! `loop` with a value.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(n: u64, y: &mut Tensor<i32, 1>) {
    let (mut k, mut steps) = (n, 0);
    let length = loop {
        if k == 1 {
            break steps;
        }
        k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
        steps += 1;
    };
    y.store([0], full([1], length));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(27, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [111]);
    Ok(())
}
