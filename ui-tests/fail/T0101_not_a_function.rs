use tile_kernel::prelude::*;

#[tile_kernel]
struct Kernel {
    tiles: usize,
}

fn main() {}
