//! Counter-based random numbers, which depend only on a seed and an offset, or on a key and a
//! counter.

use super::{Element, Integer, Tile, only_in_kernels};

/// A number or a tile, whose element type can be replaced.
pub trait Drawn {
    /// The same shape with another element type.
    type Of<U: Element>;
}

impl<T: Integer, const RANK: usize> Drawn for Tile<T, RANK> {
    type Of<U: Element> = Tile<U, RANK>;
}

impl<I: Integer> Drawn for I {
    type Of<U: Element> = U;
}

/// Computes the random function Philox 4x32-10, which maps a key and a counter to four words.
pub fn philox<K0, K1, C0, C1, C2, C3: Drawn>(
    key: (K0, K1),
    counter: (C0, C1, C2, C3),
) -> (C3::Of<u32>, C3::Of<u32>, C3::Of<u32>, C3::Of<u32>) {
    only_in_kernels()
}

/// Returns uniform numbers over all of `u32`, one for each offset.
pub fn rand_u32<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<u32> {
    only_in_kernels()
}

/// Returns uniform numbers in `0.0..1.0`, one for each offset.
pub fn rand_uniform<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> {
    only_in_kernels()
}

/// Returns normally distributed numbers of mean 0 and variance 1, one for each offset.
pub fn rand_normal<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> {
    only_in_kernels()
}
