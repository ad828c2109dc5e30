use tile_kernel::prelude::*;

#[tile_kernel]
fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let mut sum = zeros::<f32>([64]);
    for i in parallel(0..n) { sum += x.load([i], [64]); }
    y.store([0], sum);
}

fn main() {}
