//! `while`, with `break` and `continue`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let (mut i, mut sum) = (0, 0);
    while i < n {
        i += 1;
        if i % 3 == 0 {
            continue;
        }
        if i == 10 {
            break;
        }
        sum += i;
    }
    y.store([0], full([1], sum));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(100, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [1 + 2 + 4 + 5 + 7 + 8]);
    Ok(())
}
