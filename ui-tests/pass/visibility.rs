//! The stub has the visibility of the kernel.

#![deny(warnings)]

mod kernels {
    use tile_kernel::prelude::*;

    #[tile_kernel(grid = 1)]
    pub(super) fn kernel(y: &mut Tensor<f32, 1>) {
        y.store([0], full([1], 1.0));
    }

    pub mod deep {
        use tile_kernel::prelude::*;

        #[tile_kernel(grid = 1)]
        pub(crate) fn kernel(y: &mut Tensor<f32, 1>) {
            y.store([0], full([1], 2.0));
        }
    }
}

fn main() -> tile_kernel::Result<()> {
    let mut y = tile_kernel::Tensor::zeros(&tile_kernel::Device::cpu(), [1])?;
    kernels::kernel(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0]);
    kernels::deep::kernel(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [2.0]);
    Ok(())
}
