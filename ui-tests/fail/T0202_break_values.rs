// All values of a loop have one type.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let k = loop {
        if n > 3 {
            break 1.0;
        }
        break 2;
    };
    y.store([0], full([1], k));
}

fn main() {}
