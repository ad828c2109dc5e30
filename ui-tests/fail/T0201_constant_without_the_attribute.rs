//! A constant without the attribute, whose value the macro cannot see, in several scopes.

use tile_kernel::prelude::*;

const IGNORED: i32 = -100;

mod limits {
    pub const FIRST: i32 = 3;
}

mod others {}
use others::*;
use std::collections::*;

macro_rules! nothing {
    () => {};
}
nothing!();

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<i32, 1>) {
    y.store([0], full([1], IGNORED + limits::FIRST));
}

#[tile_kernel]
mod kernels {
    use super::IGNORED;
    use tile_kernel::prelude::*;

    #[tile_kernel(grid = 1)]
    pub fn second(y: &mut Tensor<i32, 1>) {
        y.store([0], full([1], IGNORED));
    }
}

fn main() {
    const LOCAL: i32 = 1;

    #[tile_kernel(grid = 1)]
    fn third(y: &mut Tensor<i32, 1>) {
        y.store([0], full([1], LOCAL));
    }
}
