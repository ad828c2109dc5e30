use tile_kernel::prelude::*;

#[tile_kernel]
fn k(y: &mut Tensor<f32, 1>, n: i32) {
    let i = block_id(0);
    for j in parallel(0..n) { y.store([i + j], zeros([64])); }
}

fn main() {}
