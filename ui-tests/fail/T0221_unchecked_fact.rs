use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    assume!(n % 16 == 0);
    y.store([0], x.load([n / 16], [16]));
}

fn main() {}
