//! The data that a host needs to launch a flattened entry.

use crate::ir::Signedness;
use crate::types::Scalar;
use arcstr::ArcStr;

/// The launch description of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPlan {
    /// The name of the entry.
    pub name: ArcStr,
    /// The iterations that are distributed over the grid. Any grid gives the same result;
    /// [`GridPlan::preferred`] gives each block one iteration. If `None`, the entry describes the
    /// work of each block, and the host determines the grid.
    pub grid: Option<GridPlan>,
    /// Buffers to be passed after the arguments of the entry, in this order.
    pub buffers: Vec<Buffer>,
    /// Memory that the host must initialize before each launch, because the blocks combine their
    /// results in it.
    pub atomics: Vec<AtomicTarget>,
}

/// The iterations of an outermost loop, per axis of the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridPlan {
    /// The ranges whose trip counts are multiplied; none for an unused axis.
    pub axes: [Vec<Trips>; 3],
}

/// A range whose trip count the host computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trips {
    /// The type of the bounds.
    pub scalar: Scalar,
    /// The signedness of the comparison of the bounds.
    pub signedness: Signedness,
    /// The first number.
    pub lower: Bound,
    /// The exclusive upper bound.
    pub upper: Bound,
    /// The distance between successive numbers.
    pub step: Bound,
}

/// A bound of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A constant, by its bits.
    Constant(u64),
    /// The argument with this index.
    Parameter(usize),
    /// A value that only the kernel computes.
    Computed,
}

/// A pointer parameter that follows the parameters of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The type of the elements.
    pub element: Scalar,
    /// The number of elements.
    pub elements: Elements,
    /// Is `true` if the elements must be 0 at the first launch. Every launch resets them to 0.
    pub zeroed: bool,
}

/// The size of a buffer, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// A fixed number of elements.
    Fixed(u64),
    /// This number of elements for each block of the grid.
    PerBlock(u64),
}

/// The memory in which blocks combine their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicTarget {
    /// The pointer parameter that the address is derived from, if known.
    pub parameter: Option<usize>,
    /// The type of the elements.
    pub element: Scalar,
    /// The bits that each element must have before a launch.
    pub bits: u64,
}

/// The largest grid that a device accepts, per axis.
const LIMITS: [u64; 3] = [i32::MAX as u64, 65_535, 65_535];

impl EntryPlan {
    /// Describes an entry without a distributed loop, which states the work of each block.
    pub(super) fn for_blocks(name: ArcStr) -> Self {
        Self {
            name,
            grid: None,
            buffers: Vec::new(),
            atomics: Vec::new(),
        }
    }
}

impl GridPlan {
    /// Returns the smallest grid that gives no block more than one iteration, within the limits of
    /// a device. `argument` returns the bits of an argument. The result is `None` if a bound is
    /// only known in the kernel; any grid is then correct.
    pub fn preferred(&self, argument: impl Fn(usize) -> u64) -> Option<[u32; 3]> {
        let mut grid = [1; 3];
        for ((extent, trips), limit) in grid.iter_mut().zip(&self.axes).zip(LIMITS) {
            let mut product = 1_u64;
            for one in trips {
                product = match one.count(&argument)? {
                    // An empty range makes the product 0, even if other trip counts are unknown.
                    0 => {
                        product = 0;
                        break;
                    }
                    count => product.saturating_mul(count),
                };
            }
            *extent = u32::try_from(product.clamp(1, limit)).expect("limits fit 32 bits");
        }
        Some(grid)
    }
}

impl Trips {
    /// Returns the trip count of the range; `None` if it is only known in the kernel.
    pub fn count(&self, argument: &impl Fn(usize) -> u64) -> Option<u64> {
        let bits = |bound| match bound {
            Bound::Constant(bits) => Some(bits),
            Bound::Parameter(number) => Some(argument(number)),
            Bound::Computed => None,
        };
        let [lower, upper, step] = [bits(self.lower)?, bits(self.upper)?, bits(self.step)?];
        Some(count(self.scalar, self.signedness, [lower, upper, step]))
    }
}

/// Returns the trip count of a range of numbers that are given by their bits.
pub(super) fn count(scalar: Scalar, signedness: Signedness, range: [u64; 3]) -> u64 {
    let [lower, upper, step] = range.map(|bits| number(scalar, signedness, bits));
    if lower >= upper || step <= 0 {
        return 0;
    }
    let trips = (upper - lower - 1) / step + 1;
    u64::try_from(trips).expect("a range of 64 bits has at most so many numbers")
}

/// Returns the number that the bits represent.
pub(super) fn number(scalar: Scalar, signedness: Signedness, bits: u64) -> i128 {
    let unused = 64 - scalar.bits();
    match signedness {
        Signedness::Signed => i128::from((bits << unused).cast_signed() >> unused),
        Signedness::Unsigned => i128::from(bits << unused >> unused),
    }
}

impl Buffer {
    /// Returns the size in bytes for a launch of `grid`.
    pub fn bytes(&self, grid: [u32; 3]) -> u64 {
        let count = match self.elements {
            Elements::Fixed(count) => count,
            Elements::PerBlock(count) => {
                let blocks = grid.iter().map(|&extent| u64::from(extent));
                blocks.fold(count, u64::saturating_mul)
            }
        };
        let element = u64::from(self.element.bits().div_ceil(8));
        count.saturating_mul(element)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Buffer, Elements, GridPlan, Trips, count};
    use crate::ir::Signedness::{Signed, Unsigned};
    use crate::types::Scalar;

    /// Returns the range from 0 to `upper` in steps of 3.
    fn trips(upper: Bound) -> Trips {
        Trips {
            scalar: Scalar::I32,
            signedness: Signed,
            lower: Bound::Constant(0),
            upper,
            step: Bound::Constant(3),
        }
    }

    #[test]
    fn trips_are_counted_up_to_the_limits_of_a_type() {
        let cases = [
            (Scalar::I32, Signed, [0, 10, 3], 4),
            (Scalar::I32, Signed, [10, 10, 1], 0),
            (Scalar::I32, Signed, [0, 0xffff_ffff, 1], 0),
            (Scalar::I32, Unsigned, [0, 0xffff_ffff, 1], 0xffff_ffff),
            (
                Scalar::I32,
                Signed,
                [0x8000_0000, 0x7fff_ffff, 1],
                0xffff_ffff,
            ),
            (
                Scalar::I32,
                Signed,
                [0x8000_0000, 0x7fff_ffff, 0x7fff_ffff],
                3,
            ),
            (Scalar::I64, Unsigned, [0, u64::MAX, 2], 1 << 63),
            (Scalar::I8, Signed, [0xf0, 0x10, 5], 7),
            // The trip count of a range with step 0 is undefined, but not an error.
            (Scalar::I32, Signed, [0, 10, 0], 0),
            (Scalar::I32, Signed, [0, 10, 0xffff_ffff], 0),
        ];
        for (scalar, signedness, range, expected) in cases {
            let actual = count(scalar, signedness, range);
            assert_eq!(actual, expected, "{scalar} {signedness:?} {range:?}");
        }
    }

    #[test]
    fn the_preferred_grid_has_a_block_per_iteration_as_far_as_a_device_does() {
        fn preferred(axes: [&[Trips]; 3]) -> Option<[u32; 3]> {
            let axes = axes.map(<[Trips]>::to_vec);
            GridPlan { axes }.preferred(|number| [0, 10, 0][number])
        }
        let (few, many) = (
            trips(Bound::Parameter(1)),
            trips(Bound::Constant(3_000_000)),
        );
        assert_eq!(preferred([&[few], &[], &[]]), Some([4, 1, 1]));
        assert_eq!(preferred([&[few, few], &[few], &[]]), Some([16, 4, 1]));
        assert_eq!(
            preferred([&[many], &[many], &[many]]),
            Some([1_000_000, 65_535, 65_535])
        );
        let most = i32::MAX.unsigned_abs();
        assert_eq!(preferred([&[many, many], &[], &[]]), Some([most, 1, 1]));
        // There are no iterations, but the operations after the loop still run.
        let none = trips(Bound::Constant(0));
        let axes: [&[Trips]; 3] = [&[many, many, many, none], &[], &[]];
        assert_eq!(preferred(axes), Some([1, 1, 1]));
        assert_eq!(preferred([&[few], &[trips(Bound::Computed)], &[]]), None);
    }

    #[test]
    fn a_buffer_is_as_long_as_the_grid_has_blocks() {
        let buffer = |element, elements| Buffer {
            element,
            elements,
            zeroed: false,
        };
        let bytes = |element, elements| buffer(element, elements).bytes([3, 2, 5]);
        assert_eq!(bytes(Scalar::I64, Elements::Fixed(1)), 8);
        assert_eq!(bytes(Scalar::F16, Elements::PerBlock(4)), 240);
        assert_eq!(bytes(Scalar::I1, Elements::PerBlock(1)), 30);
    }
}
