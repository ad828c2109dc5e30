//! Each listed combination is a separate kernel, which the stub selects.

use tile_kernel::prelude::*;

#[tile_kernel(
    grid = y.tiles([N]),
    instances((N = 64, ROOT = true), (N = 128, ROOT = false)),
    types(T = f32 | f64),
)]
pub fn map<T: Element, const N: usize, const ROOT: bool>(x: &Tensor<T, 1>, y: &mut Tensor<T, 1>) {
    let i = block_id(0);
    let tile = x.load([i], [N]);
    let tile = if ROOT { tile.sqrt() } else { tile * tile };
    y.store([i], tile);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [100], 4.0_f32)?;
    let mut y = Tensor::zeros(&device, [100])?;
    map::<_, 64, true>(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [2.0; 100]);

    let x = Tensor::full(&device, [100], 4.0_f64)?;
    let mut y = Tensor::zeros(&device, [100])?;
    map::<_, 128, false>(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [16.0; 100]);
    Ok(())
}
