use tile_kernel::prelude::*;

#[tile_kernel(grid = [1])]
fn total(x: &Tensor<f32, 1>) -> f32 {
    x.load([0], [64]).sum(0)
}

fn main() {}
