use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(x: &mut Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
    let seen = y.atomic_load([0], Ordering::Release);
    x.atomic_store([0], seen, Ordering::Acquire);
    fence(Ordering::Relaxed);
}

fn main() {}
