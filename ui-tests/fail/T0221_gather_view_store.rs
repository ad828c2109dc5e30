use tile_kernel::prelude::*;

#[tile_kernel(arch("cpu"))]
fn k(ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 2>) {
    let rows = ids.load([block_id(0)], [8]);
    y.gather_view(0, [8, 16]).store([rows, 0], zeros([8, 16]));
}

fn main() {}
