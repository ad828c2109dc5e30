//! Modules whose items see each other, one of which is a library.

#[tile_kernel::tile_fn]
mod interval {
    #[derive(Clone, Copy)]
    pub struct Interval<const N: usize> {
        pub low: Tile<f32, { [N] }>,
        pub high: Tile<f32, { [N] }>,
    }

    impl<const N: usize> Interval<N> {
        pub fn around(x: Tile<f32, { [N] }>, by: f32) -> Self {
            Self { low: x - by, high: x + by }
        }

        pub fn widened(self, by: f32) -> Interval<N> {
            Interval { low: self.low - by, ..self }
        }

        pub fn width(&self) -> Tile<f32, { [N] }> {
            self.high - self.low
        }
    }
}

#[tile_kernel::tile_kernel]
mod kernels {
    use super::interval::Interval;
    use tile_kernel::Tensor;

    const SHAPE: [usize; 1] = [SIZE];
    const SIZE: usize = 1 << 4;
    const EPSILON: f32 = 0.5;

    fn width_of(x: Tile<f32, SHAPE>) -> Tile<f32, SHAPE> {
        let interval = Interval::around(x, EPSILON).widened(1.0);
        let Interval { high, .. } = interval;
        interval.width() + high - x
    }

    #[tile_kernel(grid = x.tiles([16]))]
    pub fn widths(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        x.store([i], width_of(x.load([i], SHAPE)));
    }
}

fn main() -> tile_kernel::Result<()> {
    use tile_kernel::prelude::*;
    let mut x = Tensor::full(&Device::cpu(), [20], 3.0)?;
    kernels::widths(&mut x).launch()?;
    assert_eq!(x.to_vec()?, [2.5; 20]);
    Ok(())
}
