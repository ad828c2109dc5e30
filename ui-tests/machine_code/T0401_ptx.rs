use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn ones(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("popc.b33 {d}, {t};", d = out(u32), t = in(t)) };
    y.store([i], n);
}

fn main() {}
