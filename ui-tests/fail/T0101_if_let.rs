// There are no enums to take apart.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    if let Some(first) = n {
        y.store([0], full([1], 1.0));
    }
}

fn main() {}
