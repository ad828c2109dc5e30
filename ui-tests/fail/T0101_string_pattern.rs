// Only numbers and `bool` are matched.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    match n {
        "one" => y.store([0], full([1], 1.0)),
        _ => y.store([0], full([1], 2.0)),
    }
}

fn main() {}
