use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]), types(T = f32 | f16))]
fn clear<T: Element>(x: &mut Tensor<T, 1>) {
    x.store([block_id(0)], zeros([64]));
}

fn main() -> tile_kernel::Result<()> {
    let mut x = Tensor::<f64, 1>::zeros(&Device::best(), [1000])?;
    clear(&mut x).launch()
}
