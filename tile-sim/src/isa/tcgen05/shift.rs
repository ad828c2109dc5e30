//! `tcgen05.shift`: moves each row of tensor memory down by one, so that a row receives the
//! contents of the next one. The last row of a warp's quarter keeps its contents.
//!
//! The PTX ISA says "down" without a figure. The direction follows from its use: a shift makes room
//! for the last row, which a `tcgen05.cp.4x256b` then fills, and `.ashift` of `tcgen05.mma` moves
//! the rows of A in the same way.

use super::{address_of_cell, cell_address, group, misuse_at};
use crate::check::Trouble;
use crate::machine::Cx;
use crate::machine::block::BlockState;
use crate::machine::tensor_memory::{Cells, Group, QUARTER};
use crate::machine::tensor_pipe::{self as pipe, Footprint, Issue};
use crate::parse::decoder::{Address, Decoded, Decoder};

/// The number of 32-bit columns that are shifted.
const COLUMNS: u32 = 8;
/// The number of rows of a warp's quarter that receive another row.
const ROWS: u32 = 31;

/// A `tcgen05.shift.down`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    group: Group,
    address: Address,
}

/// A shift that was issued, with its position in each block.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    blocks: Vec<usize>,
    lane: u32,
    column: u32,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Shift> {
    let group = group(d)?;
    d.needs(&[("down", ())])?;
    d.end(1)?;
    let address = cell_address(d, 0)?;
    Ok(Shift { group, address })
}

impl Shift {
    /// Issues the shift for a thread.
    pub(crate) fn issue(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let (row, column) = address_of_cell(cx, lane, self.address)?;
        if row % QUARTER != 0 {
            return Err(misuse_at(
                lane,
                format!("the address has lane {row}, which is not a multiple of {QUARTER}"),
            ));
        }
        let blocks = cx.tensor_blocks(self.group);
        let cells = |lane: u32| {
            let rectangle = move |&block: &usize| Cells {
                block,
                lane,
                lanes: ROWS,
                column,
                columns: COLUMNS,
            };
            blocks.iter().map(rectangle).collect()
        };
        let footprint = Footprint {
            reads: cells(row + 1),
            writes: cells(row),
            shared: Vec::new(),
        };
        let work = Work {
            blocks,
            lane: row,
            column,
        };
        cx.issue_tensor(
            lane,
            Issue {
                group: self.group,
                footprint,
                work: pipe::Work::Shift(work),
            },
        )
    }
}

impl Work {
    /// Executes the shift on the blocks of the cluster.
    pub(crate) fn perform(&self, blocks: &mut [BlockState]) {
        for &block in &self.blocks {
            let tensor = &mut blocks[block].tensor;
            for column in self.column..self.column + COLUMNS {
                for lane in self.lane..self.lane + ROWS {
                    let bits = tensor.get(lane + 1, column);
                    tensor.set(lane, column, bits);
                }
            }
        }
    }
}
