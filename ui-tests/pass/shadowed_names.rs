//! The author's `Result`, `Option`, `Vec`, `core` and `std` do not change the meaning of the expansion.

#![allow(dead_code, non_camel_case_types, unused_macros)]

use tile_kernel::prelude::*;

struct Result;
struct Option;
struct Some;
struct None;
struct Ok;
struct Err;
struct Vec;
struct Box;
struct String;
struct u8;
struct usize;
mod core {}
mod std {}
mod alloc {}
fn drop() {}

macro_rules! vec {
    () => {
        compile_error!("the author's own")
    };
}

#[tile_kernel(grid = y.tiles([64]))]
fn ones(y: &mut Tensor<f32, 1>) {
    y.store([block_id(0)], full([64], 1.0));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [100])?;
    ones(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 100]);
    ::core::result::Result::Ok(())
}
