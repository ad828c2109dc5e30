//! A kernel for the CPU device alone may use a feature that no GPU has: matmuls in full `f32`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([16, 16]), arch("cpu"))]
pub fn square(a: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let (rows, columns) = (a.load([m, 0], [16, 16]), a.load([0, n], [16, 16]));
    c.store([m, n], mma(rows, columns, zeros::<f32>([16, 16])));
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    // A type with fewer bits would round this number to 1.
    let x = 1.0 + 1.0 / 4096.0;
    let a = Tensor::full(&device, [16, 16], x)?;
    let mut c = Tensor::zeros(&device, [16, 16])?;
    square(&a, &mut c).launch()?;
    assert_eq!(c.to_vec()?, [16.0 + 16.0 / 2048.0; 256]);
    Ok(())
}
