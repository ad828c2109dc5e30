use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn clear(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

fn main() -> tile_kernel::Result<()> {
    let mut x = Tensor::<f32, 2>::zeros(&Device::best(), [30, 30])?;
    clear(&mut x).launch()
}
