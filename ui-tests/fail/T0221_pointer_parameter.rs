use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(x: *const f32, y: &mut Tensor<f32, 1>) {
    y.store([block_id(0)], unsafe { x.offset(iota::<i32>(64)).load() });
}

fn main() {}
