//! Recognizes shared-memory layouts that TMA can write: boxes of a tensor, optionally swizzled.
//!
//! A TMA load (`cp.async.bulk.tensor`) writes the elements of a box in sequence, the innermost axis of the
//! tensor fastest, and permutes bits of the address (PTX ISA, "Swizzling modes"). With rows of 128 bytes,
//! eight rows have the same chunks of 16 bytes in eight orders:
//!
//! ```text
//!   row 0   0 1 2 3 4 5 6 7        address bits 4-6 ^= bits 7-9
//!   row 1   1 0 3 2 5 4 7 6
//!   row 2   2 3 0 1 6 7 4 5
//! ```
//!
//! Input: the layout of a buffer. Output: the [`Boxes`] that fill exactly the buffer, or `None`. A tile that
//! is wider than a swizzle atom takes several boxes, which are one atom wide and consecutive in memory.

use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::{Axis, OutShape};

/// Maximum rank of a tensor map.
const MAX_RANK: usize = 5;

/// Maximum logarithm of the elements of a box along an axis.
const MAX_LOG2_LENGTH: u32 = 8;

/// Maximum logarithm of the number of boxes of a tile, each of which is an instruction.
const MAX_LOG2_BOXES: usize = 4;

/// Granularity of the rows of a box, in bytes.
const ROW_BYTES: u64 = 16;

/// Alignment in shared memory of a box that is not swizzled.
const BOX_ALIGN_BYTES: u64 = 128;

/// The permutation of chunks of 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoxSwizzle {
    /// No permutation.
    #[default]
    None,
    /// Within 32 bytes: address bit 4 ^= bit 7.
    Bytes32,
    /// Within 64 bytes: bits 4 and 5 ^= bits 7 and 8.
    Bytes64,
    /// Within 128 bytes: bits 4 to 6 ^= bits 7 to 9.
    Bytes128,
}

impl BoxSwizzle {
    /// All modes, in the order of the driver's numbers.
    pub const ALL: [Self; 4] = [Self::None, Self::Bytes32, Self::Bytes64, Self::Bytes128];

    /// Returns the driver's number (`CUtensorMapSwizzle`).
    pub fn number(self) -> u32 {
        self as u32
    }

    /// Returns the number of bytes within which chunks are permuted, which is the length of a row of a box.
    /// Returns `None` if there is no permutation.
    pub fn span_bytes(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Bytes32 => Some(32),
            Self::Bytes64 => Some(64),
            Self::Bytes128 => Some(128),
        }
    }

    /// Returns the alignment of a box in bytes: the period of the permutation.
    pub fn align_bytes(self) -> u64 {
        self.span_bytes().map_or(BOX_ALIGN_BYTES, |span| 8 * span)
    }

    /// Returns the swizzled position of a byte of a box. The function is its own inverse.
    fn moved(self, byte: u64) -> u64 {
        let mask = self.span_bytes().map_or(0, |span| span / ROW_BYTES - 1);
        byte ^ (byte >> 7 & mask) << 4
    }
}

/// The TMA boxes of a tile in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxes {
    /// The permutation of chunks.
    pub swizzle: BoxSwizzle,
    /// Every axis of the tile, innermost first, with the number of elements of a box along each axis.
    pub axes: Vec<(Axis, u64)>,
    /// Per box, its byte offset in the buffer, and the coordinates of its first element on every axis of the
    /// tile.
    pub starts: Vec<(u64, Vec<u64>)>,
    /// Number of bytes of a box.
    pub bytes: u64,
}

impl Boxes {
    /// Returns boxes for the same tile in the same order, but an even number of them: a single box is halved.
    /// Returns `None` if it cannot be halved.
    pub fn in_two(self) -> Option<Self> {
        let Self {
            swizzle,
            mut axes,
            starts,
            bytes,
        } = self;
        if starts.len().is_multiple_of(2) {
            return Some(Self {
                swizzle,
                axes,
                starts,
                bytes,
            });
        }
        let bytes = bytes / 2;
        let outer = axes.iter_mut().skip(1).rev();
        let (axis, length) = { outer }.find(|(_, length)| *length > 1)?;
        *length /= 2;
        let halves = starts.into_iter().flat_map(|(start, corner)| {
            let mut other = corner.clone();
            other[axis.0] += *length;
            [(start, corner), (start + bytes, other)]
        });
        let starts = halves.collect();
        bytes.is_multiple_of(swizzle.align_bytes()).then_some(Self {
            swizzle,
            axes,
            starts,
            bytes,
        })
    }

    /// Returns the fewest boxes that write a tile in the layout `memory`, with elements of `element_bytes`
    /// bytes that are contiguous in the tensor along `contiguous`.
    pub fn from_layout(
        memory: &LinearLayout,
        contiguous: Axis,
        element_bytes: u64,
    ) -> Option<Self> {
        let candidates = BoxSwizzle::ALL.into_iter();
        let candidates = candidates
            .filter_map(|swizzle| Self::with_swizzle(memory, contiguous, element_bytes, swizzle));
        candidates.min_by_key(|boxes| boxes.starts.len())
    }

    fn with_swizzle(
        memory: &LinearLayout,
        contiguous: Axis,
        element_bytes: u64,
        swizzle: BoxSwizzle,
    ) -> Option<Self> {
        let shape = memory.shape();
        let offsets = memory.bases(InDim::Offset);
        let is_whole = memory.is_injective()
            && memory.is_surjective()
            && offsets.len() == shape.total_bits() as usize;
        if !is_whole || shape.rank() > MAX_RANK || element_bytes > ROW_BYTES {
            return None;
        }
        // `elements[bit]` is the tile's element that TMA writes as element `2^bit` of a box.
        let low = element_bytes.ilog2();
        let elements: Vec<u64> = (0..offsets.len())
            .map(|bit| image(offsets, swizzle.moved(element_bytes << bit) >> low))
            .collect();
        let mut lengths = vec![(contiguous, 0)];
        let mut count = 0;
        for &element in &elements {
            let (axis, log2) = lengths.last_mut().expect("there is one");
            let longest = match swizzle.span_bytes() {
                Some(span) if *axis == contiguous => (span / element_bytes).ilog2(),
                _ => MAX_LOG2_LENGTH,
            };
            let longest = longest.min(shape.log2_size(*axis));
            if *log2 < longest && element == shape.on_axis(*axis, 1 << *log2) {
                *log2 += 1;
            } else {
                let is_new = |axis: &Axis| lengths.iter().all(|(other, _)| other != axis);
                let begins =
                    |axis: &Axis| shape.size(*axis) > 1 && element == shape.on_axis(*axis, 1);
                let next = shape.axes().find(|axis| is_new(axis) && begins(axis));
                let Some(next) = next else { break };
                lengths.push((next, 1));
            }
            count += 1;
        }
        let inside = lengths.iter();
        let inside: u64 = inside
            .map(|&(axis, log2)| shape.on_axis(axis, (1 << log2) - 1))
            .sum();
        let beyond = &elements[count..];
        let row_bytes = element_bytes << lengths[0].1;
        let bytes = element_bytes << count;
        let is_row = match swizzle.span_bytes() {
            Some(span) => row_bytes == span,
            None => row_bytes >= ROW_BYTES,
        };
        let is_apart = beyond.iter().all(|element| element & inside == 0);
        if !is_row
            || !is_apart
            || beyond.len() > MAX_LOG2_BOXES
            || !bytes.is_multiple_of(swizzle.align_bytes())
        {
            return None;
        }
        for axis in shape.axes().rev() {
            if lengths.iter().all(|(other, _)| *other != axis) {
                lengths.push((axis, 0));
            }
        }
        let starts = (0..1_u64 << beyond.len()).map(|number| {
            let first = image(beyond, number);
            (number * bytes, shape.unflatten(first).to_vec())
        });
        Some(Self {
            swizzle,
            axes: lengths
                .into_iter()
                .map(|(axis, log2)| (axis, 1 << log2))
                .collect(),
            starts: starts.collect(),
            bytes,
        })
    }

    /// Returns the number of bytes of all boxes.
    pub fn total_bytes(&self) -> u64 {
        self.bytes * self.starts.len() as u64
    }
}

/// Returns the XOR of the columns at the set bits of a number.
fn image(columns: &[u64], number: u64) -> u64 {
    let set = columns.iter().enumerate();
    let set = set.filter(|(bit, _)| number >> bit & 1 == 1);
    set.fold(0, |sum, (_, column)| sum ^ column)
}

/// Returns the layout of a tile in swizzle atoms of the greatest possible width, so that neither rows nor
/// columns of chunks have bank conflicts; TMA can write it. Along axes other than `contiguous`, elements are
/// in row-major order.
pub fn atom_layout(shape: &OutShape, contiguous: Axis, element_bytes: u64) -> LinearLayout {
    let row_bytes = shape.size(contiguous) * element_bytes;
    let rows = shape.num_elements() / shape.size(contiguous);
    let fitting = BoxSwizzle::ALL.into_iter().rev().find(|swizzle| {
        let span = swizzle.span_bytes();
        span.is_none_or(|span| row_bytes >= span && rows * span >= swizzle.align_bytes())
    });
    let swizzle = fitting.unwrap_or_default();
    let bits = |axis: Axis, from: u32, to: u32| (from..to).map(move |bit| (axis, bit));
    let width = swizzle
        .span_bytes()
        .map_or(shape.log2_size(contiguous), |span| {
            (span / element_bytes).ilog2()
        });
    let others = shape.axes().rev().filter(|axis| *axis != contiguous);
    let others = others.flat_map(|axis| bits(axis, 0, shape.log2_size(axis)));
    let linear: Vec<u64> = bits(contiguous, 0, width)
        .chain(others)
        .chain(bits(contiguous, width, shape.log2_size(contiguous)))
        .map(|(axis, bit)| shape.on_axis(axis, 1 << bit))
        .collect();
    let low = element_bytes.ilog2();
    let bases: Vec<u64> = (0..linear.len())
        .map(|bit| image(&linear, swizzle.moved(element_bytes << bit) >> low))
        .collect();
    LinearLayout::new(shape.clone(), [(InDim::Offset, bases)])
}
