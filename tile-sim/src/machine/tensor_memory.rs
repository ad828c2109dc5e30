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
    /// The numbers of the cells, by lane.
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
    /// What a warp waits for the other block of the pair with.
    pub(crate) request: Option<Request>,
    /// What the other block of the pair got for a warp of this one: the first column.
    pub(crate) granted: Option<(u16, u32)>,
}

/// A warp comes to take or to give back columns of both blocks of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) agent: u16,
    pub(crate) columns: u32,
    /// The first, of those that are given back.
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
    /// For a block that begins.
    pub(crate) fn begin(&mut self) {
        self.allocations.clear();
        self.shadow.clear();
        self.group = None;
        self.relinquished = None;
        self.request = None;
        self.granted = None;
    }

    /// The number of a cell.
    pub(crate) fn index(lane: u32, column: u32) -> usize {
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

    /// Lane and column of the cell of a number.
    pub(crate) fn cell(index: usize) -> (u32, u32) {
        // Below 2^16.
        let index = index as u32;
        (index / COLUMNS, index % COLUMNS)
    }

    /// Whether none of these columns is taken.
    pub(crate) fn is_free(&self, column: u32, columns: u32) -> bool {
        self.allocations
            .iter()
            .all(|taken| column >= taken.column + taken.columns || taken.column >= column + columns)
    }

    /// How many columns are free.
    pub(crate) fn free(&self) -> u32 {
        let taken = self.allocations.iter().map(|taken| taken.columns);
        COLUMNS - taken.sum::<u32>()
    }

    /// The place of an allocation in their list.
    pub(crate) fn find(&self, address: u32, columns: u32) -> Option<usize> {
        self.allocations
            .iter()
            .position(|taken| (taken.column, taken.columns) == (address, columns))
    }

    pub(crate) fn take(&mut self, allocation: Allocation) {
        let Allocation {
            column, columns, ..
        } = allocation;
        // What is found there is left over from others: here, a pattern.
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

    /// The first of these columns that is of no allocation.
    pub(crate) fn untaken(&self, column: u32, columns: u32) -> Option<u32> {
        (column..column + columns).find(|&column| self.is_free(column, 1))
    }
}
