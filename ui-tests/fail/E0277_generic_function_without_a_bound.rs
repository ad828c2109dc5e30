//! A generic host function lacks the bound that states which instances it launches.

use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([N]), types(T = f32 | f16), instances(N = [64, 128]))]
fn clear<T: Element, const N: usize>(x: &mut Tensor<T, 1>) {
    x.store([block_id(0)], zeros([N]));
}

fn cleared<C: Element>(x: &mut Tensor<C, 1>) -> tile_kernel::Result<()> {
    clear::<C, 128>(x).launch()
}

fn main() -> tile_kernel::Result<()> {
    cleared(&mut Tensor::<f32, 1>::zeros(&Device::best(), [1000])?)
}
