//! A macro generates kernels with the names, types, operators, literals and blocks of its arguments.

use tile_kernel::prelude::*;

macro_rules! elementwise {
    ($(#[$meta:meta])* $vis:vis fn $name:ident<$t:ty, $extent:literal>($x:ident) $body:block) => {
        $(#[$meta])*
        #[tile_kernel(grid = y.tiles([$extent]))]
        $vis fn $name(x: &Tensor<$t, 1>, y: &mut Tensor<$t, 1>) {
            let $x = x.load([block_id(0)], [$extent]);
            y.store([block_id(0)], $body);
        }
    };
}

elementwise! {
    /// Squares every element.
    pub fn square<f32, 64>(t) { t * t }
}
elementwise!(fn next<i64, 32>(t) { t + 1 });

macro_rules! with_operator {
    ($name:ident, $op:tt, $value:expr) => {
        #[tile_kernel(grid = 1)]
        fn $name(y: &mut Tensor<i32, 1>, n: i32) {
            y.store([0], full([1], n $op $value));
        }
    };
}
with_operator!(plus, +, 1 + 1);
with_operator!(times, *, 1 + 1);

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [10], 3.0)?;
    let mut y = Tensor::zeros(&device, [10])?;
    square(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [9.0; 10]);
    let x = Tensor::full(&device, [10], 3_i64)?;
    let mut y = Tensor::zeros(&device, [10])?;
    next(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [4; 10]);
    let mut y = Tensor::zeros(&device, [1])?;
    plus(&mut y, 5).launch()?;
    assert_eq!(y.to_vec()?, [7]);
    // `$value` is one expression: 5 * (1 + 1).
    times(&mut y, 5).launch()?;
    assert_eq!(y.to_vec()?, [10]);
    Ok(())
}
