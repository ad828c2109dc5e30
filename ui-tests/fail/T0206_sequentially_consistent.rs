use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(y: &mut Tensor<u32, 1>) {
    y.atomic_add([iota::<i32>(64)], 1, Ordering::SeqCst);
}

fn main() {}
