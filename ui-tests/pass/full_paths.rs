//! A kernel without any `use` declaration.

#[tile_kernel::prelude::tile_kernel(grid = y.tiles([64]))]
fn ones(y: &mut tile_kernel::Tensor<f32, 1>) {
    y.store([block_id(0)], full([64], 1.0));
}

fn main() -> ::tile_kernel::Result<()> {
    let mut y = tile_kernel::Tensor::zeros(&tile_kernel::Device::cpu(), [100])?;
    ones(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 100]);
    Ok(())
}
