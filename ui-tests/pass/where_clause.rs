//! A bound may be in a `where` clause.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, types(T = f32 | i32))]
fn double<T>(y: &mut Tensor<T, 1>)
where
    T: Element,
{
    let t = y.load([0], [4]);
    y.store([0], t + t);
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [4], 5)?;
    double(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [10; 4]);
    Ok(())
}
