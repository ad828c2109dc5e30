//! A kernel with documentation, and with all kinds of comments in its body.

#![deny(missing_docs, rustdoc::all)]

use tile_kernel::prelude::*;

/// Sets [`Tensor`]s to one.
///
/// ```text
/// ones(&mut y).launch()
/// ```
#[doc(alias = "unit")]
#[doc = concat!("written for ", "the tests")]
#[tile_kernel(grid = y.tiles([64]))]
pub fn ones(y: &mut Tensor<f32, 1>) {
    // A line.
    /* A block /* in a block */. */
    y.store([block_id(0)], full([64], 1.0));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [2])?;
    ones(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 2]);
    Ok(())
}
