//! The tensor memory of a block (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns of 32 bits.
//!
//! An address has the lane in the upper 16 bits and the column in the lower. Whole columns are
//! allocated and deallocated. The shadow ([`crate::check::tensor`]) has the last write and the
//! later reads of each cell.

use crate::check::tensor::TensorShadow;

/// The number of lanes.
pub(crate) const LANES: u32 = 128;
/// The number of columns of 32 bits.
pub(crate) const COLUMNS: u32 = 512;
/// The number of lanes that a warp of a warpgroup can access.
pub(crate) const QUARTER: u32 = 32;

/// The blocks that take part (`.cta_group`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    One,
    /// The two blocks whose ranks differ in the last bit.
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
    /// Iterates over the ranges of cell indices, lane by lane.
    pub(crate) fn rows(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (self.lane..self.lane + self.lanes).map(move |lane| {
            let first = TensorMemory::index(lane, self.column);
            first..first + self.columns as usize
        })
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.block == other.block
            && self.lane < other.lane + other.lanes
            && other.lane < self.lane + self.lanes
            && self.column < other.column + other.columns
            && other.column < self.column + self.columns
    }
}

/// Splits an address into lane and column.
pub(crate) fn split(address: u32) -> (u32, u32) {
    (address >> 16, address & 0xffff)
}

/// Allocated columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allocation {
    pub(crate) column: u32,
    pub(crate) columns: u32,
    /// The instruction that allocated them.
    pub(crate) instruction: u32,
}

/// The tensor memory of a block.
#[derive(Default)]
pub(crate) struct TensorMemory {
    /// The cells, lane by lane; empty until the first allocation.
    cells: Vec<u32>,
    pub(crate) allocations: Vec<Allocation>,
    pub(crate) shadow: TensorShadow,
    /// The `.cta_group` of the kernel's earlier instructions.
    pub(crate) group: Option<Group>,
    /// The `relinquish_alloc_permit` that a thread executed.
    pub(crate) relinquished: Option<u32>,
    /// The request with which a warp waits for the other block of the pair.
    pub(crate) request: Option<Request>,
    /// The first column that the other block of the pair allocated for a warp of this one.
    pub(crate) granted: Option<(u16, u32)>,
}

/// A warp's request to allocate or deallocate columns of both blocks of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) agent: u16,
    pub(crate) columns: u32,
    /// The first column, for a deallocation.
    pub(crate) column: Option<u32>,
}

impl Request {
    pub(crate) fn describe(self) -> String {
        let columns = self.columns;
        match self.column {
            None => format!("allocates {columns} columns"),
            Some(column) => format!("deallocates {columns} columns at {column:#x}"),
        }
    }
}

impl TensorMemory {
    /// Resets the memory for a block that begins.
    pub(crate) fn begin(&mut self) {
        self.allocations.clear();
        self.shadow.clear();
        self.group = None;
        self.relinquished = None;
        self.request = None;
        self.granted = None;
    }

    /// Returns the index of a cell.
    pub(crate) fn index(lane: u32, column: u32) -> usize {
        (lane * COLUMNS + column) as usize
    }

    /// Returns the bits of an allocated cell.
    pub(crate) fn get(&self, lane: u32, column: u32) -> u32 {
        self.cells[Self::index(lane, column)]
    }

    pub(crate) fn set(&mut self, lane: u32, column: u32, bits: u32) {
        self.cells[Self::index(lane, column)] = bits;
    }

    /// Returns all cells of a lane.
    pub(crate) fn row(&self, lane: usize) -> &[u32] {
        &self.cells[lane * COLUMNS as usize..][..COLUMNS as usize]
    }

    pub(crate) fn row_mut(&mut self, lane: usize) -> &mut [u32] {
        &mut self.cells[lane * COLUMNS as usize..][..COLUMNS as usize]
    }

    /// Returns the lane and the column of a cell index.
    pub(crate) fn cell(index: usize) -> (u32, u32) {
        // The index is below 2^16.
        let index = index as u32;
        (index / COLUMNS, index % COLUMNS)
    }

    /// Returns `true` if none of these columns is allocated.
    pub(crate) fn is_free(&self, column: u32, columns: u32) -> bool {
        self.allocations
            .iter()
            .all(|taken| column >= taken.column + taken.columns || taken.column >= column + columns)
    }

    /// Returns the number of free columns.
    pub(crate) fn free(&self) -> u32 {
        let taken = self.allocations.iter().map(|taken| taken.columns);
        COLUMNS - taken.sum::<u32>()
    }

    /// Returns the index of an allocation in the list.
    pub(crate) fn find(&self, address: u32, columns: u32) -> Option<usize> {
        self.allocations
            .iter()
            .position(|taken| (taken.column, taken.columns) == (address, columns))
    }

    pub(crate) fn take(&mut self, allocation: Allocation) {
        let Allocation {
            column, columns, ..
        } = allocation;
        // On a device, the memory holds leftovers of other blocks; here it holds a pattern.
        self.cells.resize((LANES * COLUMNS) as usize, 0xa5a5_a5a5);
        self.shadow.grow(self.cells.len());
        for lane in 0..LANES {
            let first = Self::index(lane, column);
            let row = first..first + columns as usize;
            self.cells[row.clone()].fill(0xa5a5_a5a5);
            self.shadow.forget(row);
        }
        self.allocations.push(allocation);
    }

    /// Returns the first of these columns that is not allocated.
    pub(crate) fn untaken(&self, column: u32, columns: u32) -> Option<u32> {
        (column..column + columns).find(|&column| self.is_free(column, 1))
    }
}
