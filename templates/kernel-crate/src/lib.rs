//! Kernels for GPUs, which run on the CPU too.

use tile_kernel::prelude::*;

/// Computes `y += a * x`, in blocks of 1024 elements.
///
/// # Errors
///
/// A launch returns an error if `x` and `y` are on different devices, or if the device fails.
///
/// # Examples
///
/// ```
/// use tile_kernel::{Device, Tensor};
///
/// let device = Device::best();
/// let x = Tensor::from_slice(&device, &[1.0, 2.0, 3.0], [3])?;
/// let mut y = Tensor::full(&device, [3], 10.0)?;
/// {{crate_name}}::axpy(2.0, &x, &mut y).launch()?;
/// assert_eq!(y.to_vec()?, [12.0, 14.0, 16.0]);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[tile_kernel(grid = y.tiles([1024]))]
pub fn axpy(a: f32, x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let sum = x.load([i], [1024]) * a + y.load([i], [1024]); // past the end, elements are zero
    y.store([i], sum); // and are not stored
}
