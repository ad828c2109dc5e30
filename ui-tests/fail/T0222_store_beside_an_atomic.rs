use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(y: &mut Tensor<f32, 1>) {
    y.atomic_add([iota::<i32>(64)], 1.0);
    y.store([block_id(0)], zeros([64]));
}

fn main() {}
