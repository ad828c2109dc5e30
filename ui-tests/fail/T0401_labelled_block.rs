use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(y: &mut Tensor<f32, 1>, n: i32) {
    let mut i = 0;
    loop {
        i += 1;
        if i == n {
            break;
        }
    }
    let k = 'first: {
        if n < i {
            break 'first 1.0;
        }
        2.0
    };
    tile_println!("{}", i);
    y.store([0], full([64], k));
}

fn main() {}
