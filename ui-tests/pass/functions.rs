//! Functions, constants and types: beside kernels, in modules, renamed, and from macros.

use tile_kernel::prelude::*;

mod math {
    use tile_kernel::prelude::*;

    #[tile_fn]
    fn square<T: Element, const N: usize>(x: Tile<T, { [N] }>) -> Tile<T, { [N] }> {
        x * x
    }

    /// Calls a function that its callers cannot see.
    #[tile_fn]
    pub(crate) fn norm<const N: usize>(x: Tile<f32, { [N] }>) -> f32 {
        square(x).sum(0).sqrt()
    }

    #[tile_fn]
    pub const fn halved(n: usize) -> usize {
        n / 2
    }

    #[tile_fn]
    pub const WIDTH: usize = halved(32);

    #[tile_fn]
    pub type Row = Tile<f32, { [WIDTH] }>;
}

use math::{Row, WIDTH, norm as length};

#[tile_fn]
fn normalized(x: Row) -> (Row, f32) {
    let n = length(x);
    if n == 0.0 {
        return (x, 0.0);
    }
    (x / n, n)
}

#[tile_kernel(grid = x.tiles([WIDTH]))]
fn normalize(x: &mut Tensor<f32, 1>, lengths: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let (row, n) = normalized(x.load([i], [WIDTH]));
    x.store([i], row);
    lengths.store([i], full([1], n));
}

#[tile_kernel(grid = x.tiles([N]), instances((), (N = 2 * math::WIDTH), (N = 8, UP = false)))]
fn step<'a, const N: usize = 4, const UP: bool = true>(x: &'a mut Tensor<i32, 1>) {
    let i = block_id(0);
    let by = if UP { 1 } else { -1 };
    x.store([i], x.load([i], [N]) + by);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let mut x = Tensor::full(&device, [16], 2.0)?;
    let mut lengths = Tensor::zeros(&device, [1])?;
    normalize(&mut x, &mut lengths).launch()?;
    assert_eq!(lengths.to_vec()?, [8.0]);
    assert_eq!(x.to_vec()?, [0.25; 16]);
    let mut y = Tensor::full(&device, [20], 5)?;
    step::<4, true>(&mut y).launch()?;
    step::<32, true>(&mut y).launch()?;
    step::<8, false>(&mut y).launch()?;
    assert_eq!(y.to_vec()?, [6; 20]);
    assert_eq!(math::WIDTH, 16);
    Ok(())
}
