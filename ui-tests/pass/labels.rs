//! `break` and `continue` to labels.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let mut count = 0;
    'rows: for i in 0..n {
        for j in 0.. n {
            if j > i {
                continue 'rows;
            }
            if i + j > 7 {
                break 'rows;
            }
            count += 1;
        }
    }
    y.store([0], full([1], count));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(100, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [10 + 4]);
    Ok(())
}
