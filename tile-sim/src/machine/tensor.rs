//! Tensor memory as warps take it, give it back and access it.

use super::cx::Cx;
use super::tensor_memory::{Allocation, COLUMNS, Cells, Group, LANES, split};
use super::warp::Flow;
use crate::check::Trouble;
use crate::isa::tcgen05::{misuse, misuse_at};
use crate::parse::syntax::Space;

impl Cx<'_, '_> {
    /// All instructions of a kernel name the same `.cta_group`, and 2 only where there is a pair.
    pub(crate) fn tensor_group(&mut self, group: Group) -> Result<(), Trouble> {
        let blocks = self.cluster.blocks.len();
        if group == Group::Two && (self.block ^ 1) >= blocks {
            return Err(misuse(format!(
                "`.cta_group::2` needs a block whose rank differs in the last bit: the cluster has {blocks}"
            )));
        }
        let tensor = &mut self.cluster.blocks[self.block].tensor;
        match tensor.group {
            Some(before) if before != group => Err(misuse(format!(
                "`.cta_group::{}` in a kernel that has used `.cta_group::{}`: all of a kernel are the same",
                group.number(),
                before.number()
            ))),
            _ => {
                tensor.group = Some(group);
                Ok(())
            }
        }
    }

    /// The cells are there, and of allocations.
    pub(crate) fn check_taken(&self, lane: usize, cells: &Cells) -> Result<(), Trouble> {
        let &Cells {
            block,
            lane: first,
            lanes,
            column,
            columns,
        } = cells;
        if first + lanes > LANES || column + columns > COLUMNS {
            return Err(misuse_at(
                lane,
                format!(
                    "lanes {first}..{} of columns {column}..{} are not all there: there are {LANES} lanes of {COLUMNS} columns",
                    first + lanes,
                    column + columns
                ),
            ));
        }
        match self.cluster.blocks[block].tensor.untaken(column, columns) {
            None => Ok(()),
            Some(column) => Err(misuse_at(
                lane,
                format!("column {column} is of no allocation"),
            )),
        }
    }

    /// `tcgen05.relinquish_alloc_permit`
    pub(crate) fn tensor_relinquish(&mut self, _group: Group) -> Result<Flow, Trouble> {
        let instruction = self.instruction;
        self.cluster.blocks[self.block].tensor.relinquished = Some(instruction);
        Ok(Flow::Next)
    }

    /// `tcgen05.alloc`
    pub(crate) fn tensor_alloc(
        &mut self,
        _group: Group,
        space: Space,
        to: u64,
        columns: u64,
    ) -> Result<Flow, Trouble> {
        let columns = Self::tensor_columns(columns)?;
        let instruction = self.instruction;
        let tensor = &mut self.cluster.blocks[self.block].tensor;
        let Some(column) = tensor.room(columns) else {
            return Ok(Flow::Sleep);
        };
        tensor.take(Allocation {
            column,
            columns,
            instruction,
        });
        self.store(0, space, to, &column.to_le_bytes())?;
        Ok(Flow::Next)
    }

    fn tensor_columns(columns: u64) -> Result<u32, Trouble> {
        match u32::try_from(columns) {
            Ok(columns @ 32..=COLUMNS) if columns.is_power_of_two() => Ok(columns),
            _ => Err(misuse(format!(
                "{columns} columns: a number of columns is a power of two from 32 to {COLUMNS}"
            ))),
        }
    }

    /// `tcgen05.dealloc`
    pub(crate) fn tensor_dealloc(
        &mut self,
        _group: Group,
        address: u32,
        columns: u64,
    ) -> Result<Flow, Trouble> {
        let columns = Self::tensor_columns(columns)?;
        let (lane, column) = split(address);
        let tensor = &mut self.cluster.blocks[self.block].tensor;
        let found = tensor
            .allocations
            .iter()
            .position(|taken| taken.column == column && taken.columns == columns);
        let Some(found) = found.filter(|_| lane == 0) else {
            return Err(misuse(format!(
                "{address:#x} is no allocation of {columns} columns"
            )));
        };
        tensor.allocations.remove(found);
        self.cluster.awake = true;
        self.cluster.progress += 1;
        Ok(Flow::Next)
    }
}
