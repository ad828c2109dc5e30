use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn three(x: &Tensor<f16, 1>, y: &mut Tensor<f16, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("add.f16x2 {d}, {t}, {t};", d = out(f16), t = in(t), options(pack = 3)) };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([2]))]
fn few(x: &Tensor<u8, 1>, y: &mut Tensor<u8, 1>) {
    let i = block_id(0);
    let t = x.load([i], [2]);
    let n = unsafe { ptx!("not.b16 {d}, {t};", d = out(u8), t = in(t), options(pack = 4)) };
    y.store([i], n);
}

#[tile_kernel(grid = (1, 1, 1))]
fn numbers(n: f16, y: &mut Tensor<f16, 1>) {
    let m = unsafe { ptx!("add.f16x2 {d}, {n}, {n};", d = out(f16), n = in(n), options(pack = 2)) };
    y.store([0], full([1], m));
}

fn main() {}
