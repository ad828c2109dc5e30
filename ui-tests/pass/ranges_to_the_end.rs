//! Loop variables that reach the bounds of their types.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: u32, y: &mut Tensor<u64, 1>) {
    let mut count = 0_u64;
    for i in n..=u32::MAX {
        count = count * 3 + (i as u64 - 0xffff_fff0);
    }
    for i in 250_u8..=255 {
        count += i as u64;
    }
    y.store([0], full([1], count));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(0xffff_fffe, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [14 * 3 + 15 + 1515]);
    Ok(())
}
