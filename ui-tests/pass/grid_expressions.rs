//! `grid` is any host expression over the parameters.

use tile_kernel::prelude::*;

const WIDTH: usize = 4;

fn blocks(n: i32) -> usize {
    n as usize
}

#[tile_kernel(grid = [y.shape()[0].div_ceil(WIDTH), blocks(n)])]
fn kernel(y: &mut Tensor<i32, 2>, n: i32) {
    y.store([block_id(0), block_id(1)], full([4, 1], block_id(1) * 10 + n));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [5, 2])?;
    kernel(&mut y, 2).launch()?;
    assert_eq!(y.to_vec()?, [2, 12, 2, 12, 2, 12, 2, 12, 2, 12]);
    Ok(())
}
