//! `tcgen05.cp`: copies from shared memory to tensor memory.
//!
//! The matrix in shared memory is K-major with rows of 128 or 256 bits; its descriptor has the
//! format of a multiplicand. With `l` the lane of the address, row `r` is copied to the lanes
//!
//! ```text
//! .128x256b .128x128b    l + r
//! .4x256b                l + 32r
//! .64x128b ::02_13       l + r, l + 64 + r
//! .64x128b ::01_23       l + r and l + 32 + r of the first 32 rows, l + 32 + r and l + 64 + r of
//!                        the others: warps 0 and 1 have the first, 2 and 3 the others
//! .32x128b .warpx4       l + r, l + 32 + r, l + 64 + r, l + 96 + r
//! ```

use super::{address_of_cell, descriptor, group, misuse_at};
use crate::check::Trouble;
use crate::counters::CopyKind;
use crate::isa::Slot;
use crate::isa::matrix::Format;
use crate::isa::mma::element::{Element, Packing};
use crate::isa::operands::{address_of, sized};
use crate::isa::types::Type;
use crate::isa::wgmma::descriptor::{Major, Operand, joined};
use crate::machine::Cx;
use crate::machine::block::BlockState;
use crate::machine::cx::SharedSpot;
use crate::machine::tensor_memory::{Cells, Group};
use crate::machine::tensor_pipe::{self as pipe, Footprint, Issue};
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;
use crate::parse::target::Target;

/// The size in bytes of a unit of shared memory, which fills as many bytes of tensor memory.
const UNIT: usize = 16;

/// The combination of shape and multicast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `.128x256b`, `.128x128b`.
    All,
    /// `.4x256b`.
    Four,
    /// `.64x128b.warpx2::02_13`.
    Halves,
    /// `.64x128b.warpx2::01_23`.
    Neighbors,
    /// `.32x128b.warpx4`.
    Quarter,
}

impl Shape {
    fn rows(self) -> usize {
        match self {
            Self::All => 128,
            Self::Four => 4,
            Self::Halves | Self::Neighbors => 64,
            Self::Quarter => 32,
        }
    }

    /// Returns the row ranges and their destinations: first row, number of rows, first lane.
    fn pieces(self) -> &'static [(usize, usize, u32)] {
        match self {
            Self::All => &[(0, 128, 0)],
            Self::Four => &[(0, 1, 0), (1, 1, 32), (2, 1, 64), (3, 1, 96)],
            Self::Halves => &[(0, 64, 0), (0, 64, 64)],
            Self::Neighbors => &[(0, 32, 0), (0, 32, 32), (32, 32, 64), (32, 32, 96)],
            Self::Quarter => &[(0, 32, 0), (0, 32, 32), (0, 32, 64), (0, 32, 96)],
        }
    }
}

/// A `tcgen05.cp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    group: Group,
    shape: Shape,
    /// The number of units per row.
    units: usize,
    format: Format,
    to: Address,
    from: Slot,
    /// Is `true` if descriptors of the target may contain absolute addresses.
    absolute: bool,
}

/// A copy that was issued.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    blocks: Vec<usize>,
    shape: Shape,
    format: Format,
    from: Operand,
    lane: u32,
    column: u32,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Copy> {
    let group = group(d)?;
    let multicasts = [
        ("warpx2::02_13", Shape::Halves),
        ("warpx2::01_23", Shape::Neighbors),
        ("warpx4", Shape::Quarter),
    ];
    // The grammar has the shape first. ptxas accepts any order, and Triton uses another.
    let early = d.one_of(&multicasts);
    let (shape, units) = d.needs(&[
        ("128x256b", (Shape::All, 2)),
        ("4x256b", (Shape::Four, 2)),
        ("128x128b", (Shape::All, 1)),
        ("64x128b", (Shape::Halves, 1)),
        ("32x128b", (Shape::Quarter, 1)),
    ])?;
    let multicast = early.or_else(|| d.one_of(&multicasts));
    let shape = match (shape, multicast) {
        (Shape::Halves, Some(halves @ (Shape::Halves | Shape::Neighbors))) => halves,
        (Shape::Quarter, Some(Shape::Quarter)) => Shape::Quarter,
        (Shape::All | Shape::Four, None) => shape,
        (_, None) => return d.unexpected(),
        (_, Some(_)) => return d.error("the multicast does not exist for the shape"),
    };
    let format = if d.takes("b8x16") {
        d.needs(&[("b6x16_p32", Format::Six), ("b4x16_p64", Format::Four)])?
    } else {
        Format::Bytes
    };
    d.end(2)?;
    Ok(Copy {
        group,
        shape,
        units,
        format,
        to: address_of(d, 0, &[])?,
        from: sized(d, 1, Type::B64)?,
        absolute: d.names.target == Target::only(103),
    })
}

impl Copy {
    /// Issues the copy for a thread.
    pub(crate) fn issue(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let (row, column) = address_of_cell(cx, lane, self.to)?;
        let malformed = |why: String| misuse_at(lane, why);
        let bits = cx.registers.get(lane, self.from);
        let parsed = descriptor::parse(bits, Major::K, self.absolute)
            .map_err(|error| malformed(error.to_string()))?;
        let packing = Packing::new(Element::U8);
        let (rows, depth) = (self.shape.rows(), UNIT * self.units);
        let from = Operand::from_descriptor(parsed, Major::K, packing, rows, depth)
            .map_err(|error| malformed(error.to_string()))?;
        // Ensures that the peer block exists before its shared memory is accessed.
        cx.tensor_group(self.group)?;
        let blocks = cx.tensor_blocks(self.group);
        let mut units = Vec::new();
        from.units(0..rows, |address, _, _| {
            units.push(address);
            Ok::<(), Trouble>(())
        })?;
        let mut footprint = Footprint::default();
        for range in joined(&units, self.format.bytes()) {
            // The range is within the shared memory of a block.
            let bytes = (range.end - range.start) as usize;
            let spot = cx.shared_spot(lane, Space::Shared, range.start, bytes)?;
            let spot_in_block = |&block: &usize| (SharedSpot { block, ..spot }, bytes);
            footprint.shared.extend(blocks.iter().map(spot_in_block));
        }
        for &block in &blocks {
            for &(_, lanes, first) in self.shape.pieces() {
                footprint.writes.push(Cells {
                    block,
                    lane: row + first,
                    // There are at most 128 lanes.
                    lanes: lanes as u32,
                    column,
                    columns: (depth / 4) as u32,
                });
            }
        }
        let bytes = (rows * depth * blocks.len()) as u64;
        cx.counters.copy(CopyKind::TensorMemory, bytes);
        let work = Work {
            blocks,
            shape: self.shape,
            format: self.format,
            from,
            lane: row,
            column,
        };
        cx.issue_tensor(
            lane,
            Issue {
                group: self.group,
                footprint,
                work: pipe::Work::Copy(work),
            },
        )
    }
}

impl Work {
    /// Executes the copy on the blocks of the cluster.
    pub(crate) fn perform(&self, blocks: &mut [BlockState]) {
        for &block in &self.blocks {
            let BlockState { shared, tensor, .. } = &mut blocks[block];
            let result = self.from.units(0..self.shape.rows(), |address, row, k| {
                let offset = address as usize;
                let mut unit = [0; UNIT];
                unit.copy_from_slice(&shared[offset..offset + UNIT]);
                let bits = u128::from_le_bytes(self.format.expanded(unit));
                for &(first, rows, lane) in self.shape.pieces() {
                    if !(first..first + rows).contains(&row) {
                        continue;
                    }
                    let lane = (self.lane + lane) as usize + row - first;
                    let cells = &mut tensor.row_mut(lane)[self.column as usize + k / 4..][..4];
                    for (index, cell) in cells.iter_mut().enumerate() {
                        *cell = (bits >> (32 * index)) as u32;
                    }
                }
                Ok::<(), std::convert::Infallible>(())
            });
            let Ok(()) = result;
        }
    }
}
