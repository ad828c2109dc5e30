//! `return` inside loops.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    for i in 0..n {
        for j in 0..n {
            if i * j == 42 {
                y.store([0], full([1], i * 100 + j));
                return;
            }
        }
    }
    y.store([0], full([1], -1));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(20, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [314]);
    Ok(())
}
