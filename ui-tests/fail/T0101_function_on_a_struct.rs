//! `#[tile_fn]` is on a struct outside a module.

use tile_kernel::prelude::*;

#[tile_fn]
struct Pair {
    a: f32,
    b: f32,
}

fn main() {}
