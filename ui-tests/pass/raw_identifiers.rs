//! Raw identifiers (`r#`) are valid names.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn r#type(r#in: i32, r#match: &mut Tensor<i32, 1>) {
    let r#loop = r#in + 1;
    r#match.store([0], full([1], r#loop));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    r#type(41, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [42]);
    Ok(())
}
