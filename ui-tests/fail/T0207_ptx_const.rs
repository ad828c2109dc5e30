use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn shifted(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>, by: u32) {
    let i = block_id(0);
    let t = x.load([i], [64]);
    let n = unsafe { ptx!("shl.b32 {t}, {t}, {by};", t = inout(t), by = const by) };
    y.store([i], n);
}

fn main() {}
