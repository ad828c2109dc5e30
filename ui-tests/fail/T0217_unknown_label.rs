// The message suggests the nearest label.
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    'outer: for i in 0..n {
        for j in 0..n {
            if j > i {
                break 'outr;
            }
            y.store([j], zeros([64]));
        }
    }
}

fn main() {}
