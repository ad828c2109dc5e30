//! `match` with every kind of pattern.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1)]
fn kernel(n: i32, y: &mut Tensor<i32, 1>) {
    let mut sum = 0;
    for i in -n..n {
        sum += match (i, i % 2 == 0) {
            (i32::MIN..=-5, _) => 1,
            (-4 | -3, true) => 10,
            (0, _) => 100,
            (k @ 1..=3, odd) if !odd => 1000 * k,
            (5.., false) => 10000,
            (_, true | false) => 0,
        };
    }
    y.store([0], full([1], sum));
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(7, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [3 + 10 + 100 + 4000 + 10000]);
    Ok(())
}
