//! Allocation of tensor memory by warps, and the checks of their accesses.

use super::cluster::ClusterState;
use super::cx::Cx;
use super::tensor_memory::{Allocation, COLUMNS, Cells, Group, LANES, Request, TensorMemory};
use super::tensor_pipe::Pipe;
use crate::check::stamp::{SEVERAL, Stamp, Strength};
use crate::check::tensor::{Access, Conflict, Kind, Now};
use crate::check::{FaultKind, Trouble};
use crate::isa::tcgen05::alloc::number_of_columns;
use crate::isa::tcgen05::{misuse, misuse_at};

impl Cx<'_, '_> {
    /// Checks that all instructions of a kernel have the same `.cta_group`, and that
    /// `.cta_group::2` has a pair of blocks.
    pub(crate) fn tensor_group(&mut self, group: Group) -> Result<(), Trouble> {
        let blocks = self.cluster.blocks.len();
        if group == Group::Two && (self.block ^ 1) >= blocks {
            return Err(misuse(format!(
                "`.cta_group::2` requires two blocks whose ranks differ in the last bit, but the cluster has {blocks}: launch with an even cluster size"
            )));
        }
        let tensor = &mut self.cluster.blocks[self.block].tensor;
        match tensor.group {
            Some(before) if before != group => Err(misuse(format!(
                "`.cta_group::{}` in a kernel that has used `.cta_group::{}`: all of a kernel must be the same",
                group.number(),
                before.number()
            ))),
            _ => {
                tensor.group = Some(group);
                Ok(())
            }
        }
    }

    /// Checks that the cells exist and are allocated.
    pub(crate) fn check_taken(&self, lane: usize, cells: &Cells) -> Result<(), Trouble> {
        let &Cells {
            block,
            lane: first,
            lanes,
            column,
            columns,
        } = cells;
        let (last, end) = (first + lanes, column.saturating_add(columns));
        if last > LANES || end > COLUMNS {
            let message = format!(
                "access to lanes {first}..{last} of columns {column}..{end}, but there are {LANES} lanes of {COLUMNS} columns"
            );
            return Err(misuse_at(lane, message));
        }
        match self.cluster.blocks[block].tensor.untaken(column, columns) {
            None => Ok(()),
            Some(untaken) => Err(misuse_at(
                lane,
                format!("access to columns {column}..{end}, but column {untaken} is not allocated"),
            )),
        }
    }

    /// Checks and records an access, by all lanes if `lane` is [`SEVERAL`]. Returns its number.
    pub(crate) fn check_tensor(
        &mut self,
        lane: usize,
        kind: Kind,
        reads: &[Cells],
        writes: &[Cells],
    ) -> Result<u32, Trouble> {
        if !self.checks_all() {
            return Ok(0);
        }
        let who = self.who(lane);
        let ClusterState {
            pipe,
            blocks,
            order,
            ..
        } = &mut *self.cluster;
        // The access is recorded first, since cells refer to it by number.
        pipe.tidy(blocks);
        let Pipe { accesses, .. } = pipe;
        let number = accesses.begin(who, kind, order);
        let now = Now {
            accesses,
            order,
            who,
            kind,
            number,
        };
        for cells in reads {
            let shadow = &mut blocks[cells.block].tensor.shadow;
            for row in cells.rows() {
                if let Err((cell, conflict)) = shadow.read(now, row) {
                    return Err(self.tensor_conflict(lane, "read", cell, conflict));
                }
            }
        }
        for cells in writes {
            let shadow = &mut blocks[cells.block].tensor.shadow;
            for row in cells.rows() {
                if let Err((cell, conflict)) = shadow.write(now, row) {
                    let access = if kind == Kind::Free {
                        "deallocation"
                    } else {
                        "write"
                    };
                    return Err(self.tensor_conflict(lane, access, cell, conflict));
                }
            }
        }
        Ok(number)
    }

    #[cold]
    fn tensor_conflict(
        &self,
        lane: usize,
        access: &'static str,
        cell: usize,
        conflict: Conflict,
    ) -> Trouble {
        let (row, column) = TensorMemory::cell(cell);
        let line = |other: Access| self.kernel.lines[other.who.instruction as usize].at;
        let kind = match conflict {
            Conflict::Unwritten => FaultKind::UninitializedTensor { lane: row, column },
            Conflict::UnderWay(other) => FaultKind::TensorUnderWay {
                access,
                lane: row,
                column,
                other_line: line(other),
                cure: match other.kind {
                    Kind::Load => "wait with `tcgen05.wait::ld` after it",
                    Kind::Store => "wait with `tcgen05.wait::st` after it",
                    Kind::Pipe | Kind::Free => {
                        "signal an mbarrier with a later `tcgen05.commit`, and wait there"
                    }
                },
            },
            Conflict::Race {
                other,
                access: other_access,
            } => {
                let cluster = self.cluster.order.cluster;
                let stamp = Stamp::new(other.who, Strength::Plain, 0, cluster, 0);
                FaultKind::Race {
                    space: "tensor",
                    address: u64::from(row << 16 | column),
                    access,
                    other_access,
                    other: self.thread(stamp),
                    other_line: line(other),
                    hint: match other.kind {
                        Kind::Pipe => {
                            ": this thread has not waited for the mbarrier of a later `tcgen05.commit`, or a `tcgen05.fence::after_thread_sync` is missing"
                        }
                        Kind::Load | Kind::Store | Kind::Free => {
                            ": a barrier between the two is missing, or the `tcgen05.fence`s before and after it"
                        }
                    },
                }
            }
        };
        let lane = if lane < usize::from(SEVERAL) {
            lane
        } else {
            usize::MAX
        };
        Trouble::at(lane, kind)
    }

    /// Executes `tcgen05.relinquish_alloc_permit`.
    pub(crate) fn tensor_relinquish(&mut self) {
        let instruction = self.instruction;
        let relinquished = &mut self.cluster.blocks[self.block].tensor.relinquished;
        relinquished.get_or_insert(instruction);
    }

    /// Executes `tcgen05.alloc`. Returns the first column, or `None` while there are too few free
    /// columns.
    pub(crate) fn tensor_alloc(
        &mut self,
        group: Group,
        columns: u64,
    ) -> Result<Option<u32>, Trouble> {
        let columns = number_of_columns(columns).map_err(misuse)?;
        if let Some(relinquished) = self.cluster.blocks[self.block].tensor.relinquished {
            let line = self.kernel.lines[relinquished as usize].at;
            return Err(misuse(format!(
                "the block relinquished its allocation permit on line {line}"
            )));
        }
        let request = Request {
            agent: self.agent,
            columns,
            column: None,
        };
        if !self.is_joined(group, request)? {
            return Ok(None);
        }
        let members = self.tensor_blocks(group);
        let blocks = &mut self.cluster.blocks;
        let free = |&column: &u32| {
            let mut members = members.iter();
            members.all(|&block| blocks[block].tensor.is_free(column, columns))
        };
        let Some(column) = (0..COLUMNS).step_by(columns as usize).find(free) else {
            return Ok(None);
        };
        let allocation = Allocation {
            column,
            columns,
            instruction: self.instruction,
        };
        for &block in &members {
            blocks[block].tensor.take(allocation);
        }
        self.joined(group, column);
        Ok(Some(column))
    }

    /// Executes `tcgen05.dealloc`. Returns `true` if it is complete.
    pub(crate) fn tensor_dealloc(
        &mut self,
        group: Group,
        address: u32,
        columns: u64,
    ) -> Result<bool, Trouble> {
        let columns = number_of_columns(columns).map_err(misuse)?;
        let members = self.tensor_blocks(group);
        let index = self.cluster.blocks[self.block]
            .tensor
            .find(address, columns);
        if index.is_none() {
            let taken = &self.cluster.blocks[self.block].tensor.allocations;
            let taken: Vec<String> = taken
                .iter()
                .map(|taken| format!("{} at {:#x}", taken.columns, taken.column))
                .collect();
            let taken = if taken.is_empty() {
                "there is none".into()
            } else {
                format!("there are {}", taken.join(", "))
            };
            return Err(misuse(format!(
                "deallocation of {columns} columns at {address:#x}, which is not an allocation: {taken}"
            )));
        }
        let request = Request {
            agent: self.agent,
            columns,
            column: Some(address),
        };
        let before = self.cluster.blocks[self.block].tensor.request;
        if before.is_none_or(|before| before.agent != self.agent) {
            // Each warp is responsible for its own block.
            let cells = Cells {
                block: self.block,
                lane: 0,
                lanes: LANES,
                column: address,
                columns,
            };
            self.check_tensor(usize::from(SEVERAL), Kind::Free, &[], &[cells])?;
        }
        if !self.is_joined(group, request)? {
            return Ok(false);
        }
        for &block in &members {
            let tensor = &mut self.cluster.blocks[block].tensor;
            if let Some(index) = tensor.find(address, columns) {
                tensor.allocations.remove(index);
            }
        }
        self.joined(group, address);
        Ok(true)
    }

    /// Returns `true` if a warp of each block of the group has executed the same request.
    fn is_joined(&mut self, group: Group, request: Request) -> Result<bool, Trouble> {
        if group == Group::One {
            return Ok(true);
        }
        let tensor = &mut self.cluster.blocks[self.block].tensor;
        match tensor.request {
            None => {
                tensor.request = Some(request);
                self.cluster.progress += 1;
                self.cluster.awake = true;
            }
            // Another warp of the block came first.
            Some(before) if before.agent != request.agent => return Ok(false),
            Some(_) => {}
        }
        let Some(other) = self.cluster.blocks[self.block ^ 1].tensor.request else {
            return Ok(false);
        };
        if (other.columns, other.column) != (request.columns, request.column) {
            return Err(misuse(format!(
                "{}, and the other block of the pair {}",
                request.describe(),
                other.describe()
            )));
        }
        Ok(true)
    }

    /// Hands the columns to both warps of the group; the other finds them when its instruction is
    /// retried.
    fn joined(&mut self, group: Group, column: u32) {
        self.cluster.progress += 1;
        self.cluster.awake = true;
        if group == Group::Two {
            self.cluster.blocks[self.block].tensor.request = None;
            let other = &mut self.cluster.blocks[self.block ^ 1].tensor;
            other.granted = other.request.take().map(|request| (request.agent, column));
        }
    }

    /// Returns the columns that the other warp of the pair allocated for this one.
    pub(crate) fn tensor_granted(&mut self) -> Option<u32> {
        let granted = &mut self.cluster.blocks[self.block].tensor.granted;
        let (_, column) = granted.take_if(|(agent, _)| *agent == self.agent)?;
        Some(column)
    }

    /// Checks that a block that ends has deallocated its columns.
    pub(crate) fn end_tensor(&self) -> Result<(), Trouble> {
        let block = &self.cluster.blocks[self.block];
        match block.tensor.allocations.first() {
            Some(taken) if block.live == 1 => {
                let line = self.kernel.lines[taken.instruction as usize].at;
                Err(misuse(format!(
                    "the block exits without deallocating the {} columns of line {line}: use `tcgen05.dealloc`",
                    taken.columns
                )))
            }
            _ => Ok(()),
        }
    }
}
