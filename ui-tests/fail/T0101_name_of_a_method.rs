//! Names that kernels could not call.

use tile_kernel::prelude::*;

#[tile_fn]
fn sqrt(x: f32) -> f32 {
    x
}

#[tile_fn]
const size: usize = 64;

fn main() {}
