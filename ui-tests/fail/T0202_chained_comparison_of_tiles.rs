use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([0], [64]);
    let inside = (tile > 0.0) < 10.0;
    y.store([0], select(inside, 1.0, 0.0));
}

fn main() {}
