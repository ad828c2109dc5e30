use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn which(x: &Tensor<u8, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("cvt.rn.f32.u32 {d}, {t};", d = out(f32), t = in(t), options(pack = 4)) };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([64]))]
fn beyond(x: &Tensor<f16, 1>, y: &mut Tensor<f16, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("neg.f16x2 {d}, {t[1]};", d = out(f16), t = in(t), options(pack = 2)) };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([64]))]
fn left_out(x: &Tensor<f16, 1>, y: &mut Tensor<f16, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe {
        ptx!("neg.f16x2 {d[0]}, {t[0]}; neg.f16x2 {d[1]}, {t[0]};", d = out(f16), t = in(t), options(pack = 4))
    };
    y.store([i], n);
}

#[tile_kernel(grid = y.tiles([64]))]
fn of_a_constant(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("shl.b32 {t}, {t}, {n[0]};", t = inout(t), n = const 3) };
    y.store([i], n);
}

fn main() {}
