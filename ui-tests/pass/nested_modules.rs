//! Kernels in modules that are called from other modules.

use tile_kernel::prelude::*;

pub mod outer {
    pub mod inner {
        use tile_kernel::prelude::*;

        #[tile_kernel(grid = y.tiles([64]))]
        pub(in crate::outer) fn ones(y: &mut Tensor<f32, 1>) {
            y.store([block_id(0)], full([64], 1.0));
        }

        #[tile_kernel(grid = y.tiles([64]))]
        pub fn twos(y: &mut Tensor<f32, 1>) {
            y.store([block_id(0)], full([64], 2.0));
        }
    }

    pub fn both(y: &mut tile_kernel::Tensor<f32, 1>) -> tile_kernel::Result<Vec<f32>> {
        inner::ones(y).launch()?;
        let mut all = y.to_vec()?;
        inner::twos(y).launch()?;
        all.extend(y.to_vec()?);
        Ok(all)
    }
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [2])?;
    assert_eq!(outer::both(&mut y)?, [1.0, 1.0, 2.0, 2.0]);
    Ok(())
}
