//! Tile shapes whose sizes are powers of two, and the flat row-major index into them.

use std::fmt;

use smallvec::SmallVec;

/// The position of an axis in a tile shape; axis 0 is the slowest in row-major order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Axis(pub usize);

/// The shape of a tile, as the base-2 logarithm of each axis' size.
///
/// The flat index concatenates the axes' bits with the last axis lowest, so it is the
/// row-major element index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutShape {
    log2: SmallVec<[u32; 4]>,
}

impl OutShape {
    /// Returns the shape with these sizes, or `None` unless all are powers of two and the tile has fewer than
    /// 2^63 elements.
    pub fn new(sizes: &[u64]) -> Option<Self> {
        if !sizes.iter().all(|size| size.is_power_of_two()) {
            return None;
        }
        let log2: SmallVec<[u32; 4]> = sizes.iter().map(|size| size.ilog2()).collect();
        (log2.iter().sum::<u32>() < 63).then_some(Self { log2 })
    }

    /// Returns the shape with these logarithms of sizes.
    ///
    /// # Panics
    /// If they sum to 63 or more.
    pub fn from_log2(log2: impl IntoIterator<Item = u32>) -> Self {
        let log2: SmallVec<[u32; 4]> = log2.into_iter().collect();
        assert!(
            log2.iter().sum::<u32>() < 63,
            "a tile index has under 63 bits"
        );
        Self { log2 }
    }

    /// Returns the number of axes.
    pub fn rank(&self) -> usize {
        self.log2.len()
    }

    /// Returns the axes, slowest first.
    pub fn axes(&self) -> impl DoubleEndedIterator<Item = Axis> + use<> {
        (0..self.rank()).map(Axis)
    }

    /// Returns the axes with the last one first, the usual order of memory.
    pub fn row_major_order(&self) -> SmallVec<[Axis; 4]> {
        self.axes().rev().collect()
    }

    /// Returns the base-2 logarithm of the size of `axis`.
    pub fn log2_size(&self, axis: Axis) -> u32 {
        self.log2[axis.0]
    }

    /// Returns the base-2 logarithms of all sizes.
    pub fn log2_sizes(&self) -> &[u32] {
        &self.log2
    }

    /// Returns the size of `axis`.
    pub fn size(&self, axis: Axis) -> u64 {
        1 << self.log2[axis.0]
    }

    /// Returns all sizes.
    pub fn sizes(&self) -> SmallVec<[u64; 4]> {
        self.log2.iter().map(|&log2| 1 << log2).collect()
    }

    /// Returns the number of bits of a flat index.
    pub fn total_bits(&self) -> u32 {
        self.log2.iter().sum()
    }

    /// Returns the number of elements.
    pub fn num_elements(&self) -> u64 {
        1 << self.total_bits()
    }

    /// Returns the lowest bit of `axis` in a flat index.
    pub fn axis_shift(&self, axis: Axis) -> u32 {
        self.log2[axis.0 + 1..].iter().sum()
    }

    /// Returns the bits of `axis` in a flat index.
    pub fn axis_mask(&self, axis: Axis) -> u64 {
        (self.size(axis) - 1) << self.axis_shift(axis)
    }

    /// Returns the coordinate on `axis` of a flat index.
    pub fn coordinate(&self, flat: u64, axis: Axis) -> u64 {
        flat >> self.axis_shift(axis) & (self.size(axis) - 1)
    }

    /// Returns the flat index with coordinate `value` on `axis` and zero elsewhere.
    pub fn on_axis(&self, axis: Axis, value: u64) -> u64 {
        debug_assert!(value < self.size(axis), "coordinate lies outside the tile");
        value << self.axis_shift(axis)
    }

    /// Returns the flat index of `coordinates`.
    pub fn flatten(&self, coordinates: &[u64]) -> u64 {
        assert_eq!(coordinates.len(), self.rank(), "one coordinate per axis");
        self.axes()
            .zip(coordinates)
            .fold(0, |flat, (axis, &value)| flat | self.on_axis(axis, value))
    }

    /// Returns the coordinates of a flat index.
    pub fn unflatten(&self, flat: u64) -> SmallVec<[u64; 4]> {
        self.axes()
            .map(|axis| self.coordinate(flat, axis))
            .collect()
    }

    /// Replaces the size of `axis`.
    #[must_use]
    pub fn with_log2_size(&self, axis: Axis, log2: u32) -> Self {
        let mut sizes = self.log2.clone();
        sizes[axis.0] = log2;
        Self::from_log2(sizes)
    }

    /// Removes `axis`.
    #[must_use]
    pub fn without_axis(&self, axis: Axis) -> Self {
        let mut log2 = self.log2.clone();
        log2.remove(axis.0);
        Self { log2 }
    }

    /// Removes the axes of size 1.
    #[must_use]
    pub fn without_unit_axes(&self) -> Self {
        Self::from_log2(self.log2_sizes().iter().copied().filter(|&log2| log2 > 0))
    }

    /// Inserts an axis of size 1 that becomes `axis`.
    #[must_use]
    pub fn with_unit_axis(&self, axis: Axis) -> Self {
        let mut log2 = self.log2.clone();
        log2.insert(axis.0, 0);
        Self { log2 }
    }
}

/// Formats as `[16, 8]`.
impl fmt::Display for OutShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.log2.iter().map(|&log2| 1u64 << log2))
            .finish()
    }
}
