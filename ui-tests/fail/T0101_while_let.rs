// A condition is a `bool`.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>) {
    let mut i = 0;
    while let Some(k) = i {
        i += k;
    }
    y.store([0], full([1], i as f32));
}

fn main() {}
