// The ends of a range have one type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32, u: usize) {
    for i in n..u {
        y.store([0], full([64], i as f32));
    }
}

fn main() {}
