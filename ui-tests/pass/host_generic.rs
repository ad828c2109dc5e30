//! A host function that is generic over the element type calls a generic kernel.

use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), types(T = f32 | f64))]
fn fill<T: Element>(y: &mut Tensor<T, 1>) {
    y.store([block_id(0)], zeros([64]) + 1.0);
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::<f32, 1>::zeros(&Device::cpu(), [3])?;
    fill(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 3]);
    let mut y = Tensor::<f64, 1>::zeros(&Device::cpu(), [3])?;
    fill(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 3]);
    Ok(())
}
