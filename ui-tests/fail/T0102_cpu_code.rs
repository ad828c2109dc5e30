// The code for the CPU device is one of three words.
use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]), cpu = "interpeted")]
fn misspelt(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

#[tile_kernel(grid = x.tiles([64]), cpu = 1)]
fn number(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

#[tile_kernel(grid = x.tiles([64]), cpu("native"))]
fn list(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

#[tile_kernel(grid = x.tiles([64]), arch("cpu"), cpu = "none")]
fn nothing(x: &mut Tensor<f32, 1>) {
    x.store([block_id(0)], zeros([64]));
}

fn main() {}
