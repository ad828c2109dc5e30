use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn scale(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, factor: f32) {
    let i = block_id(0);
    let tile = x.load([i], [64]);
    y.store([i], tile * facter);
}

fn main() {}
