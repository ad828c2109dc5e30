//! A labelled block with a value.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let kind = 'found: {
        for k in 2..n {
            if n % k == 0 {
                break 'found k;
            }
        }
        0
    };
    y.store([0], full([1], kind));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(91, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [7]);
    Ok(())
}
