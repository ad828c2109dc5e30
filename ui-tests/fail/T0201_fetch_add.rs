use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(y: &mut Tensor<u32, 1>) {
    y.fetch_add([iota::<i32>(64)], 1);
}

fn main() {}
