//! A kernel is an associated function of a struct.

use tile_kernel::prelude::*;

struct Model;

impl Model {
    #[tile_kernel(grid = 1)]
    fn kernel(c: &mut Tensor<f32, 1>) {
        c.store([0], zeros([4]));
    }
}

fn main() {
    let _ = Model;
}
