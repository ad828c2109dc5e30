//! Names that generated code might use are free for the author.

#![deny(warnings)]

use tile_kernel::prelude::*;

#[tile_kernel(grid = launch.tiles([64]))]
fn kernel(args: i32, launch: &mut Tensor<i32, 1>, grid: i32, stream: i32, device: i32, this: i32) {
    let sum = args + grid + stream + device + this;
    launch.store([block_id(0)], full([64], sum));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(1, &mut y, 2, 3, 4, 5).launch()?;
    assert_eq!(y.to_vec()?, [15]);
    Ok(())
}
