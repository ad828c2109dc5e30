use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn halve_odd(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    if i % 2 == 1 {
        let half = x.load([i], [64]) * 0.5;
    }
    x.store([i], half);
}

fn main() {}
