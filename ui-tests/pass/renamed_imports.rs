//! No item of the prelude needs to be in scope under its own name.

use tile_kernel::{Device as Machine, Tensor, tile_kernel as gpu};

#[gpu(grid = y.tiles([64]))]
fn ones(y: &mut Tensor<f32, 1>) {
    y.store([block_id(0)], full([64], 1.0));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Machine::cpu(), [100])?;
    ones(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 100]);
    Ok(())
}
