//! `as` saturates and wraps as in Rust.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: f32, y: &mut Tensor<i32, 1>) {
    let k = x as u8;
    let nan = f32::NAN as i32;
    let low = -1_i32 as u8;
    let far = 300_i32 as u8;
    y.store([0], full([1], k as i32 * 1000000 + nan + low as i32 * 1000 + far as i32));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(1e9, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [255_255_044]);
    Ok(())
}
