//! Coordinates to elements and weights (CUDA C++ Programming Guide, "Texture Fetching").
//!
//! With `N` elements along an axis and `x` counted in elements:
//!
//! ```text
//! point   T[floor(x)]
//! linear  (1 - a) T[i] + a T[i + 1],  i = floor(x - 0.5), a = x - 0.5 - i
//! ```
//!
//! `x - 0.5` has 8 fractional bits, rounded to the nearest, so that `a` may be 1.

use super::{AddressMode, Coordinates, Sampler};

/// Weights are counted in these.
pub(crate) const ONE: i64 = 256;

/// Where along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    At(u32),
    /// Outside, where all is zero.
    Border,
}

/// An axis of an image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    size: u32,
    mode: AddressMode,
    normalized: bool,
}

impl Axis {
    pub(crate) fn new(sampler: Sampler, number: usize, size: u32) -> Self {
        let normalized = sampler.coordinates == Coordinates::Normalized;
        let mode = match sampler.address[number] {
            // Only for normalized coordinates.
            AddressMode::Wrap | AddressMode::Mirror if !normalized => AddressMode::Clamp,
            mode => mode,
        };
        Self {
            size,
            mode,
            normalized,
        }
    }

    /// A coordinate, counted in elements; `None` if it is no number.
    fn position(self, coordinate: f32) -> Option<f64> {
        let x = f64::from(coordinate);
        if x.is_nan() {
            return None;
        }
        if !self.normalized {
            return Some(x);
        }
        let size = f64::from(self.size);
        let inside = match self.mode {
            AddressMode::Clamp | AddressMode::Border => return Some(x * size),
            AddressMode::Wrap => x - x.floor(),
            AddressMode::Mirror if x.floor().rem_euclid(2.0) == 0.0 => x - x.floor(),
            AddressMode::Mirror => 1.0 - (x - x.floor()),
        };
        // A fraction is below 1, if only by less than a number has digits.
        let position = (inside * size).min(size.next_down());
        (!position.is_nan()).then_some(position)
    }

    /// The element of an index that may lie outside.
    fn element(self, index: i64) -> Index {
        let size = i64::from(self.size);
        let inside = match self.mode {
            AddressMode::Clamp => index.clamp(0, size - 1),
            AddressMode::Border if !(0..size).contains(&index) => return Index::Border,
            AddressMode::Border => index,
            AddressMode::Wrap => index.rem_euclid(size),
            AddressMode::Mirror => {
                let index = index.rem_euclid(2 * size);
                index.min(2 * size - 1 - index)
            }
        };
        // Below the size.
        Index::At(inside as u32)
    }

    /// The element that a coordinate is in; `None` if it is no number.
    pub(crate) fn point(self, coordinate: f32) -> Option<Index> {
        let position = self.position(coordinate)?;
        Some(self.element(position.floor() as i64))
    }

    /// The two elements nearest to a coordinate, and the weight of the second.
    pub(crate) fn pair(self, coordinate: f32) -> Option<([Index; 2], i64)> {
        let position = self.position(coordinate)? - 0.5;
        // Far outside all elements are the same; the bound keeps sums below 2^63.
        let fixed = (position * ONE as f64).round_ties_even().clamp(-1e15, 1e15) as i64;
        let first = fixed.div_euclid(ONE);
        let elements = [self.element(first), self.element(first + 1)];
        Some((elements, fixed.rem_euclid(ONE)))
    }
}

/// The face of a cube that a direction leads to, and the coordinates there, from 0 to 1 (CUDA C++
/// Programming Guide, "Cubemap Textures"); of axes that are equally long the first.
pub(crate) fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let (face, m, s, t) = if x.abs() >= y.abs() && x.abs() >= z.abs() {
        if x >= 0.0 {
            (0, x, -z, -y)
        } else {
            (1, -x, z, -y)
        }
    } else if y.abs() >= z.abs() {
        if y >= 0.0 {
            (2, y, x, z)
        } else {
            (3, -y, x, -z)
        }
    } else if z >= 0.0 {
        (4, z, x, -y)
    } else {
        (5, -z, -x, -y)
    };
    (face, [s, t].map(|along| f32::midpoint(along / m, 1.0)))
}
