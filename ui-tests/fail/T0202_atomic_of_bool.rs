use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(y: &mut Tensor<bool, 1>) {
    y.atomic_or([iota::<i32>(64)], true);
}

fn main() {}
