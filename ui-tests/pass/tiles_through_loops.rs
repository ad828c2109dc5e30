//! Loops and branches carry tiles.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn kernel(y: &mut Tensor<i32, 1>) {
    let mut tile = iota::<i32>(4);
    let mut i = 0;
    while i < 3 {
        tile = if i == 1 { tile * 2 } else { tile + 1 };
        i += 1;
    }
    y.store([0], tile);
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [4])?;
    kernel(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [3, 5, 7, 9]);
    Ok(())
}
