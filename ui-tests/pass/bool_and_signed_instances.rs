//! Const parameters of types other than `usize`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, instances((BIAS = -3, ON = true, KIND = 7), (BIAS = 4, ON = false, KIND = 255)))]
fn kernel<const BIAS: i64, const ON: bool, const KIND: u8>(y: &mut Tensor<i64, 1>) {
    let k = if ON { BIAS } else { -BIAS };
    y.store([0], full([1], k * 1000 + KIND as i64));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel::<-3, true, 7>(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [-2993]);
    kernel::<4, false, 255>(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [-3745]);
    Ok(())
}
