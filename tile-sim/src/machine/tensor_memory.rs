//! The tensor memory of a block (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns of 32 bits.
//!
//! An address is a lane in the upper 16 bits and a column in the lower. Columns are taken and given
//! back as a whole. Of each cell is known who wrote it last and who has read it since
//! ([`crate::check::tensor`]).

use crate::check::tensor::TensorShadow;

/// Rows.
pub(crate) const LANES: u32 = 128;
/// Columns of 32 bits.
pub(crate) const COLUMNS: u32 = 512;
/// The lanes that a warp of a warpgroup reaches.
pub(crate) const QUARTER: u32 = 32;

/// How many blocks take part (`.cta_group`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    One,
    /// The two whose ranks differ in the last bit.
    Two,
}

impl Group {
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// A rectangle of cells of a block of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) block: usize,
    pub(crate) lane: u32,
    pub(crate) lanes: u32,
    pub(crate) column: u32,
    pub(crate) columns: u32,
}

impl Cells {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.block == other.block
            && self.lane < other.lane + other.lanes
            && other.lane < self.lane + self.lanes
            && self.column < other.column + other.columns
            && other.column < self.column + self.columns
    }
}

/// Lane and column of an address.
pub(crate) fn split(address: u32) -> (u32, u32) {
    (address >> 16, address & 0xffff)
}

/// Columns that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allocation {
    pub(crate) column: u32,
    pub(crate) columns: u32,
    /// Where it was taken.
    pub(crate) instruction: u32,
}

/// The tensor memory of a block.
#[derive(Default)]
pub(crate) struct TensorMemory {
    /// Lane after lane; empty as long as nothing was taken.
    cells: Vec<u32>,
    pub(crate) allocations: Vec<Allocation>,
    pub(crate) shadow: TensorShadow,
    /// What the instructions of the kernel have named so far.
    pub(crate) group: Option<Group>,
    /// Where a thread gave up the right to take more.
    pub(crate) relinquished: Option<u32>,
}

impl TensorMemory {
    /// For a block that begins.
    pub(crate) fn begin(&mut self) {
        self.allocations.clear();
        self.shadow.clear();
        self.group = None;
        self.relinquished = None;
    }

    fn index(lane: u32, column: u32) -> usize {
        (lane * COLUMNS + column) as usize
    }

    /// The bits of a cell of an allocation.
    pub(crate) fn get(&self, lane: u32, column: u32) -> u32 {
        self.cells[Self::index(lane, column)]
    }

    pub(crate) fn set(&mut self, lane: u32, column: u32, bits: u32) {
        self.cells[Self::index(lane, column)] = bits;
    }

    /// All cells of a lane.
    pub(crate) fn row(&self, lane: usize) -> &[u32] {
        &self.cells[lane * COLUMNS as usize..][..COLUMNS as usize]
    }

    pub(crate) fn row_mut(&mut self, lane: usize) -> &mut [u32] {
        &mut self.cells[lane * COLUMNS as usize..][..COLUMNS as usize]
    }

    /// The first free columns of that number, at a multiple of it.
    pub(crate) fn room(&self, columns: u32) -> Option<u32> {
        let free = |&column: &u32| {
            self.allocations.iter().all(|taken| {
                column >= taken.column + taken.columns || taken.column >= column + columns
            })
        };
        (0..COLUMNS).step_by(columns as usize).find(free)
    }

    pub(crate) fn take(&mut self, allocation: Allocation) {
        let Allocation {
            column, columns, ..
        } = allocation;
        // What is found there is left over from others: here, a pattern.
        self.cells.resize((LANES * COLUMNS) as usize, 0xa5a5_a5a5);
        for lane in 0..LANES {
            let first = Self::index(lane, column);
            self.cells[first..first + columns as usize].fill(0xa5a5_a5a5);
        }
        self.allocations.push(allocation);
    }

    /// The allocation that has all of these columns.
    pub(crate) fn allocation(&self, column: u32, columns: u32) -> Option<&Allocation> {
        self.allocations.iter().find(|taken| {
            taken.column <= column && column + columns <= taken.column + taken.columns
        })
    }

    /// The first of these columns that is of no allocation.
    pub(crate) fn untaken(&self, column: u32, columns: u32) -> Option<u32> {
        (column..column + columns).find(|&column| self.allocation(column, 1).is_none())
    }
}
