//! A kernel can be imported under another name or by a glob.

mod kernels {
    use tile_kernel::prelude::*;

    #[tile_kernel(grid = 1, types(T = f32 | i32))]
    pub fn ones<T: Element>(y: &mut Tensor<T, 1>) {
        y.store([0], zeros([1]));
    }
}

use kernels::ones as clear;
use tile_kernel::prelude::*;

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [1], 5)?;
    clear(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [0]);
    Ok(())
}
