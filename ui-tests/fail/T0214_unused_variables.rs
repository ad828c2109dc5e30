//! Variables that are never read, and an unnecessary `mut`.

use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), types(T = f32 | f16))]
fn kernel<T: Element>(x: &Tensor<T, 1>, y: &mut Tensor<T, 1>, unused: i32) {
    let mut i = block_id(0);
    let t = x.load([i], [64]);
    let u = t * t;
    let mut count = 0;
    for k in 0..3 {
        count += 1;
    }
    let (low, high) = (t, t + t);
    // Of one instance alone, but of that.
    let scale = T::ONE + T::ONE;
    let half = if TypeId::of::<T>() == TypeId::of::<f32>() { low / scale } else { low };
    y.store([i], half);
}

#[tile_kernel(grid = y.tiles([64]))]
#[allow(unused)]
fn draft(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let mut t = x.load([block_id(0)], [64]);
}

fn main() {}
