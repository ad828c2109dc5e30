//! A struct alone, without its methods.

use tile_kernel::prelude::*;

#[tile_fn]
struct Pair {
    a: f32,
    b: f32,
}

fn main() {}
