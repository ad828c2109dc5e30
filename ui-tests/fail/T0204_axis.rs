use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([16]))]
fn row_sums(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i, 0], [16, 64]).sum(2));
}

fn main() {}
