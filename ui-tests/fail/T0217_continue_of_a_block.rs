// A block has no next iteration.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    for i in 0..n {
        'block: {
            if i > 3 {
                continue 'block;
            }
            y.store([i], zeros([64]));
        }
    }
}

fn main() {}
