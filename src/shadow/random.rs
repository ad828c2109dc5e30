//! Random numbers: each depends on a key or a seed and on where it stands, and on nothing else.

use super::{Element, Integer, Tile, only_in_kernels};

/// Something whose elements may be replaced by those of another type: a number or a tile.
pub trait Drawn {
    /// The same with other elements.
    type Of<U: Element>;
}

impl<T: Integer, const RANK: usize> Drawn for Tile<T, RANK> {
    type Of<U: Element> = Tile<U, RANK>;
}

impl<I: Integer> Drawn for I {
    type Of<U: Element> = U;
}

/// The random function Philox 4x32-10: four words of a key and a counter.
pub fn philox<K0, K1, C0, C1, C2, C3: Drawn>(
    key: (K0, K1),
    counter: (C0, C1, C2, C3),
) -> (C3::Of<u32>, C3::Of<u32>, C3::Of<u32>, C3::Of<u32>) {
    only_in_kernels()
}

/// Any of the numbers of `u32`, one for each offset.
pub fn rand_u32<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<u32> {
    only_in_kernels()
}

/// From 0 to below 1, one for each offset.
pub fn rand_uniform<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> {
    only_in_kernels()
}

/// Of mean 0 and variance 1, one for each offset.
pub fn rand_normal<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> {
    only_in_kernels()
}
