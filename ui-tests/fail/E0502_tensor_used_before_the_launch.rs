// A launch borrows its tensors until it is launched.
use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn clear(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

fn main() -> tile_kernel::Result<()> {
    let mut x = Tensor::zeros(&Device::best(), [1000])?;
    let launch = clear(&mut x);
    println!("{:?}", x.to_vec()?);
    launch.launch()
}
