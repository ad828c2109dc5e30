//! A launch can be kept, passed on and changed before it starts.

#![deny(warnings)]

use tile_kernel::prelude::*;

#[tile_kernel]
fn kernel(y: &mut Tensor<i32, 1>) {
    y.store([block_id(0)], full([2], num_blocks(0)));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [4])?;
    let launch = kernel(&mut y);
    launch.grid(2).launch()?;
    assert_eq!(y.to_vec()?, [2; 4]);
    Ok(())
}
