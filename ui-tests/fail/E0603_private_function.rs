//! A kernel calls a private function of another module.

use tile_kernel::prelude::*;

mod inner {
    use tile_kernel::tile_fn;

    #[tile_fn]
    fn secret(x: f32) -> f32 {
        x
    }
}

#[tile_kernel(grid = 1)]
fn kernel(c: &mut Tensor<f32, 1>, x: f32) {
    c.store([0], full([1], inner::secret(x)));
}

fn main() {}
