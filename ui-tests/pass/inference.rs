//! Literals need no suffix where Rust needs none.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i64, y: &mut Tensor<i64, 1>) {
    let mut sum = 0;
    let limit = 5_000_000_000;
    for i in 0..n {
        sum += i * 2;
        if sum > limit {
            sum = 0;
        }
    }
    y.store([0], full([1], sum + limit));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(10, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [5_000_000_090]);
    Ok(())
}
