//! A function for kernels is called by the host.

use tile_kernel::prelude::*;

#[tile_fn]
fn twice(x: f32) -> f32 {
    x * 2.0
}

fn main() {
    let _ = twice(1.0);
}
