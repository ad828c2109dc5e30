//! Choices in one tuple belong together; choices in different places multiply.

use tile_kernel::prelude::*;

#[tile_kernel(
    grid = 1,
    types((T = f16, A = f32), (T = i8)),
    instances((BM = 64, T = f32), (BM = 128, FAST = [true, 2])),
    instances(BM = 1..=3),
)]
fn kernel<T: Element, A: Element, const BM: usize, const FAST: bool>(y: &mut Tensor<A, 1>, x: T) {
    y.store([0], zeros([BM]));
}

#[tile_kernel(grid = 1, types((T = f16, A = f32), (T = i8)))]
fn left_out<T: Element, A: Element>(y: &mut Tensor<A, 1>, x: T) {
    y.store([0], zeros([4]));
}

fn main() {}
