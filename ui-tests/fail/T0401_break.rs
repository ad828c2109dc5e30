use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]))]
fn sum_until(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, limit: i32) {
    let column = block_id(0);
    let x = x.partition([16, 64]);
    let mut sum = zeros::<f32>([64]);
    for row in 0..x.num_tiles(0) {
        if row == limit {
            break;
        }
        sum += x.load([row, column]).sum(0);
    }
    y.store([column], sum);
}

fn main() {}
