use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn wider(x: &Tensor<u32, 1>, y: &mut Tensor<f64, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("cvt.rn.f64.u32 {t}, {t};", t = inout(t => f64)) };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([64]))]
fn no_integer(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("add.u32 {t}, {t}, {n};", t = inout(t), n = const 1.5) };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([64]), instances((UP = true)))]
fn a_bool<const UP: bool>(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("add.u32 {t}, {t}, {n};", t = inout(t), n = const UP) };
    y.store([i], n);
}

fn main() {}
