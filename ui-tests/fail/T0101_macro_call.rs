use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn show(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    println!("block {i}");
    x.store([i], zeros([64]));
}

fn main() {}
