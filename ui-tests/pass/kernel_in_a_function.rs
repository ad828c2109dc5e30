//! A kernel is an item, and may occur wherever items may.

use tile_kernel::prelude::*;

fn main() -> tile_kernel::Result<()> {
    #[tile_kernel(grid = y.tiles([64]))]
    fn ones(y: &mut Tensor<f32, 1>) {
        y.store([block_id(0)], full([64], 1.0));
    }
    let mut y = Tensor::zeros(&Device::cpu(), [100])?;
    ones(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 100]);
    Ok(())
}
