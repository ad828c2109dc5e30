//! The kernels that are measured.

use tile_kernel::prelude::*;

/// Adds two tensors.
#[tile_kernel(grid = c.tiles([1024]), arch("sm_80"))]
pub fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    c.store([i], a.load([i], [1024]) + b.load([i], [1024]));
}

/// Iterates a polynomial: as much memory for any number of steps.
#[tile_kernel(grid = x.tiles([1024]), arch("sm_80"))]
pub fn iterate(x: &mut Tensor<f32, 1>, steps: i32) {
    let i = block_id(0);
    let mut y = x.load([i], [1024]);
    for _ in 0..steps {
        y = y * y * 0.5 + 0.25;
    }
    x.store([i], y);
}

/// The tensors of [`add`].
pub(crate) struct Operands {
    a: Tensor<f32, 1>,
    b: Tensor<f32, 1>,
    c: Tensor<f32, 1>,
}

impl Operands {
    pub(crate) fn new(device: Device, n: usize) -> tile_kernel::Result<Operands> {
        Ok(Operands {
            a: Tensor::full(&device, [n], 1.0)?,
            b: Tensor::full(&device, [n], 2.0)?,
            c: Tensor::zeros(&device, [n])?,
        })
    }

    pub(crate) fn add(&mut self, stream: &Stream) -> tile_kernel::Result<()> {
        add(&self.a, &self.b, &mut self.c).on(stream).launch()
    }
}
