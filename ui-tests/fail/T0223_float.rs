use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, factor: f32) {
    assume(factor > 0.0);
    y.store([0], x.load([0], [64]) * factor);
}

fn main() {}
