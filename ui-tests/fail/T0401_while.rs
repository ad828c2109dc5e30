use tile_kernel::prelude::*;

#[tile_kernel(grid = x.tiles([64]))]
fn halve(x: &mut Tensor<f32, 1>) {
    let mut tile = x.load([block_id(0)], [64]);
    let mut steps = 3;
    while steps > 0 {
        tile = tile * 0.5;
        steps -= 1;
    }
    x.store([block_id(0)], tile);
}

fn main() {}
