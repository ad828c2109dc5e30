use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([N]), instances((N = 64), (N = 256)))]
fn clear<const N: usize>(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([N]));
}

fn main() -> tile_kernel::Result<()> {
    let mut x = Tensor::zeros(&Device::best(), [1000])?;
    clear::<128>(&mut x).launch()
}
