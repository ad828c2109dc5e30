use tile_kernel::prelude::*;

#[tile_kernel]
fn k(y: &mut Tensor<f32, 1>, n: i32) {
    for i in parallel(0..n) { if i == 3 { break; } y.store([i], zeros([64])); }
}

fn main() {}
