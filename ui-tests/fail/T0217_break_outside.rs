// There is no loop to leave.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    if n > 3 {
        break;
    }
    y.store([0], zeros([64]));
}

fn main() {}
