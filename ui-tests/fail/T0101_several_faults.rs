// Each error is reported, but no error that only follows from another.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let list = vec![1.0, 2.0];
    let first = x[0];
    let sum = list.iter().sum() + first;
    println!("{}", sum);
    y.store([0], full([1], sum));
}

fn main() {}
