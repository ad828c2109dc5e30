//! Finds the loads that can be software-pipelined.

use super::backward_slice::{BackwardSlice, Scope};
use crate::gpu::{
    Access, AsyncCopy, BlockId, BufferId, Copied, GlobalTile, Kernel, MemoryKind, OpId, OpKind,
    Space, Trait, ValueId,
};
use crate::layout::{LinearLayout, exchange_layout};
use crate::schedule::LoopSchedule;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tile_core::Scalar;

/// Minimum number of bytes that an instruction copies; shorter copies would take too many instructions.
const MIN_VECTOR_BYTES: u64 = 8;

/// The loads of a loop to pipeline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The loads.
    pub(crate) candidates: Vec<Candidate>,
    /// The operations that compute the places of the tiles that the loads read.
    pub(super) slice: BackwardSlice,
    /// `true` if the loop has a matmul.
    pub(crate) has_mma: bool,
}

/// A load whose tile is copied to buffers.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) load: OpId,
    /// The operands of the load that determine the place of its tile.
    pub(super) place: Vec<ValueId>,
    /// Stores to shared memory that the copies replace.
    pub(super) stores: Vec<OpId>,
    /// The copies that replace these stores.
    pub(super) copies: Vec<AsyncCopy>,
    /// Buffers with the same contents as another one, which is read instead.
    pub(super) same: Vec<(BufferId, BufferId)>,
    /// The buffer from which other users of the tile read it.
    pub(crate) read: Option<Read>,
    /// `true` if the copies write the padding, whatever its value.
    pub(super) is_padded: bool,
}

impl Candidate {
    /// Returns the tile of the load if its padding differs from what the copies write.
    pub(super) fn padding<'k>(&self, kernel: &'k Kernel) -> Option<&'k GlobalTile> {
        match &kernel.op(self.load).kind {
            OpKind::LoadGlobal(tile) if !self.is_padded => {
                Some(tile).filter(|tile| tile.padding.unwrap_or(0) != 0)
            }
            _ => None,
        }
    }
}

/// The buffer of a tile that is needed in registers.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// A buffer to which the tile is copied anyway.
    Buffer(BufferId),
    /// A new buffer, with this layout.
    New(Box<(Copied, LinearLayout)>),
}

/// Returns the loads of a loop that can be pipelined. There are none if the loop itself cannot be pipelined.
pub(crate) fn plan_loop(kernel: &Kernel, id: OpId) -> Plan {
    let op = kernel.op(id);
    let body = op.blocks[0];
    let is_fit = step(kernel, id).is_some()
        && !already_pipelined(kernel, body)
        && !is_left_early(kernel, body);
    if !is_fit {
        return Plan::default();
    }
    let finder = Finder {
        kernel,
        body,
        scope: Scope::collect(kernel, body),
        uses: Uses::collect(kernel),
        has_mma: has_mma(kernel, body),
        only_reads: only_reads(kernel, body),
    };
    let mut plan = Plan {
        has_mma: finder.has_mma,
        ..Plan::default()
    };
    for &load in &kernel.block(body).ops {
        plan.candidates
            .extend(finder.candidate(load, &mut plan.slice));
    }
    plan
}

/// Returns the plan of a loop with a schedule.
pub(super) fn plan(kernel: &Kernel, of_loop: &LoopSchedule) -> Plan {
    let plan = plan_loop(kernel, of_loop.id);
    if of_loop.has_own_buffers {
        plan
    } else {
        plan.without_own_buffers()
    }
}

impl Plan {
    /// Returns the destinations of the copies.
    pub(super) fn buffers(&self) -> BTreeSet<BufferId> {
        let candidates = self.candidates.iter();
        // TMA loads have the same destinations.
        let copies = candidates.flat_map(|candidate| &candidate.copies);
        copies.map(|copy| copy.buffer).collect()
    }

    /// Returns the plan without the loads whose tiles are needed in registers and would need buffers of their
    /// own.
    pub(crate) fn without_own_buffers(&self) -> Self {
        let mut plan = self.clone();
        plan.candidates
            .retain(|candidate| !matches!(candidate.read, Some(Read::New(_))));
        plan
    }
}

/// Returns `true` if a tile that threads need in registers may go through a circular buffer in a loop without
/// a matmul. The tile must be copied in vectors, or by one instruction per thread.
fn is_own_buffer_profitable(kernel: &Kernel, candidate: &Candidate) -> bool {
    let Some(Read::New(new)) = &candidate.read else {
        return true;
    };
    let (from, _) = &**new;
    let layout = kernel.ty(kernel.op(candidate.load).results[0]).layout();
    layout.is_some_and(|layout| {
        let plan = from.vectors(kernel.layout(layout));
        let bytes = plan.width_elements * from.element().bytes() as u64;
        bytes >= MIN_VECTOR_BYTES || plan.groups.len() == 1
    })
}

/// Returns `true` if a block contains a matmul.
fn has_mma(kernel: &Kernel, block: BlockId) -> bool {
    kernel.block(block).ops.iter().any(|&id| {
        let op = kernel.op(id);
        op.kind.has(Trait::Mma) || op.blocks.iter().any(|&inner| has_mma(kernel, inner))
    })
}

/// Returns `true` if an iteration may end before the end of the body, where the next stage is yielded.
fn is_left_early(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        // A jump in an inner loop belongs to that loop.
        let is_loop = matches!(op.kind, OpKind::For { .. } | OpKind::Loop);
        let leaves = |&block: &BlockId| {
            let last = kernel.block(block).ops.last();
            last.is_some_and(|&last| matches!(kernel.op(last).kind, OpKind::Continue))
                || is_left_early(kernel, block)
        };
        !is_loop && op.blocks.iter().any(leaves)
    })
}

/// Returns `true` if an inner loop is already pipelined: a wait in the outer loop would also count the groups
/// of the inner loop.
fn already_pipelined(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        matches!(op.kind, OpKind::WaitGroup(_) | OpKind::ConsumerWait(_))
            || op
                .blocks
                .iter()
                .any(|&block| already_pipelined(kernel, block))
    })
}

/// Returns the step of a loop if it is a positive constant, small enough that a sum of several steps does not
/// wrap.
pub(super) fn step(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let step = constant(kernel, op.args[2])?;
    let bits = kernel.ty(op.args[2]).scalar()?.bits();
    (step > 0 && bits >= 16 && step < 1 << (bits - 4)).then_some(step)
}

/// Returns the trip count of the loop, if it is constant.
pub(crate) fn constant_trips(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let (lower, upper) = (constant(kernel, op.args[0])?, constant(kernel, op.args[1])?);
    let step = step(kernel, id)?;
    // The bounds may have either sign. A difference below zero would wrap, so it counts as unknown.
    Some(upper.checked_sub(lower)?.div_ceil(step))
}

fn constant(kernel: &Kernel, value: ValueId) -> Option<u64> {
    kernel
        .defining(value)
        .and_then(|id| match kernel.op(id).kind {
            OpKind::Constant(bits) => Some(bits),
            _ => None,
        })
}

/// The users of values and buffers.
struct Uses {
    values: FxHashMap<ValueId, Vec<OpId>>,
    /// The operations that access a buffer.
    buffers: FxHashMap<BufferId, Vec<OpId>>,
    /// The blocks that enclose each operation, innermost first.
    around: FxHashMap<OpId, Vec<BlockId>>,
}

impl Uses {
    fn collect(kernel: &Kernel) -> Self {
        let mut uses = Self {
            values: FxHashMap::default(),
            buffers: FxHashMap::default(),
            around: FxHashMap::default(),
        };
        uses.visit(kernel, kernel.body(), &[]);
        uses
    }

    fn visit(&mut self, kernel: &Kernel, block: BlockId, outer: &[BlockId]) {
        let mut around = vec![block];
        around.extend(outer);
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &arg in &op.args {
                self.values.entry(arg).or_default().push(id);
            }
            for (buffer, _) in op.kind.buffers() {
                self.buffers.entry(buffer).or_default().push(id);
            }
            self.around.insert(id, around.clone());
            for &inner in &op.blocks {
                self.visit(kernel, inner, &around);
            }
        }
    }
}

/// Finds candidates in a body.
struct Finder<'k> {
    kernel: &'k Kernel,
    body: BlockId,
    scope: Scope,
    uses: Uses,
    has_mma: bool,
    only_reads: bool,
}

impl Finder<'_> {
    fn candidate(&self, load: OpId, slice: &mut BackwardSlice) -> Option<Candidate> {
        let kernel = self.kernel;
        let (copied, place) = copied(kernel, load, self.only_reads)?;
        let &[result] = kernel.op(load).results.as_slice() else {
            return None;
        };
        let layout = kernel.ty(result).layout()?;
        let mut candidate = Candidate {
            load,
            place,
            stores: Vec::new(),
            copies: Vec::new(),
            same: Vec::new(),
            read: None,
            is_padded: false,
        };
        let mut is_in_registers = false;
        for &user in self.uses.values.get(&result)? {
            let Some(buffer) = self.private_buffer(user) else {
                is_in_registers = true;
                continue;
            };
            if copied.element() == Scalar::TF32 && !self.is_for_tensor_cores(buffer) {
                // A copy does not round to tf32, so only tensor cores may read the tile: they ignore the
                // extra bits.
                return None;
            }
            candidate.stores.push(user);
            let memory = kernel.buffer(buffer).layout?;
            // A second store of the same contents in the same layout needs no copy of its own.
            let of_copy = |copy: &&AsyncCopy| kernel.buffer(copy.buffer).layout == Some(memory);
            if let Some(copy) = candidate.copies.iter().find(of_copy) {
                candidate.same.push((buffer, copy.buffer));
                continue;
            }
            let from = copied.for_copy(kernel.layout(layout), kernel.layout(memory))?;
            candidate.copies.push(AsyncCopy {
                from,
                buffer,
                layout,
                is_prefetch: false,
            });
        }
        // The stores write the tile with its padding, which a copy could not write.
        if !candidate.stores.is_empty() && candidate.padding(kernel).is_some() {
            return None;
        }
        if is_in_registers {
            if copied.element() == Scalar::TF32 {
                return None;
            }
            candidate.read = Some(if let Some(copy) = candidate.copies.first() {
                Read::Buffer(copy.buffer)
            } else {
                // Each thread reads back what it copied, so the buffer needs no barrier, only a layout
                // without bank conflicts.
                let layout = kernel.layout(layout);
                let bits = u32::try_from(copied.element().bytes() * 8).ok()?;
                let memory = exchange_layout(layout, layout, bits)?;
                Read::New(Box::new((copied.for_copy(layout, &memory)?, memory)))
            });
        }
        // In a loop with a matmul any prefetch pays, since tensor cores would wait for a load.
        let is_profitable = self.has_mma || is_own_buffer_profitable(kernel, &candidate);
        let candidate = is_profitable.then_some(candidate)?;
        slice
            .add(kernel, &self.scope, &candidate.place)
            .then_some(candidate)
    }

    /// Returns the buffer that `store` stores to, if nothing else writes to the buffer, and every read of it
    /// is later in the same iteration.
    fn private_buffer(&self, store: OpId) -> Option<BufferId> {
        let OpKind::StoreShared(buffer) = self.kernel.op(store).kind else {
            return None;
        };
        let ops = &self.kernel.block(self.body).ops;
        let position = |id: OpId| {
            // The index of the operation of the body that is `id` or contains it.
            ops.iter().position(|&op| {
                op == id || {
                    self.uses.around[&id]
                        .iter()
                        .any(|block| self.kernel.op(op).blocks.contains(block))
                }
            })
        };
        let is_private = ops.contains(&store)
            && self.uses.buffers[&buffer].iter().all(|&user| {
                user == store
                    || matches!(
                        self.kernel.op(user).kind,
                        OpKind::LoadShared(_)
                            | OpKind::LoadMatrix(_)
                            | OpKind::LoadSlice(_)
                            | OpKind::TransposeShared(_)
                            | OpKind::MmaLoop(_)
                            | OpKind::Wgmma(_)
                    ) && position(user).is_some_and(|read| Some(read) > position(store))
            });
        is_private.then_some(buffer)
    }

    /// Returns `true` if the contents of `buffer` only go to tensor cores.
    fn is_for_tensor_cores(&self, buffer: BufferId) -> bool {
        let is_mma = |user: &OpId| matches!(self.kernel.op(*user).kind, OpKind::Mma(_));
        self.uses.buffers[&buffer].iter().all(|&user| {
            let op = self.kernel.op(user);
            match op.kind {
                OpKind::StoreShared(_) | OpKind::Wgmma(_) | OpKind::TransposeShared(_) => true,
                OpKind::LoadShared(_) | OpKind::LoadMatrix(_) => {
                    let users = self.uses.values.get(&op.results[0]);
                    users.is_none_or(|users| users.iter().all(is_mma))
                }
                _ => false,
            }
        })
    }
}

/// Returns `true` if a block of operations neither writes to memory nor synchronizes with threads that do.
fn only_reads(kernel: &Kernel, block: BlockId) -> bool {
    kernel.block(block).ops.iter().all(|&id| {
        let op = kernel.op(id);
        !op.kind.writes_memory_or_orders()
            && op.blocks.iter().all(|&inner| only_reads(kernel, inner))
    })
}

/// Returns the source of a load, and the operands that determine its place, if a copy can read the source in
/// an earlier iteration.
fn copied(kernel: &Kernel, load: OpId, only_reads: bool) -> Option<(Copied, Vec<ValueId>)> {
    let op = kernel.op(load);
    match &op.kind {
        OpKind::LoadGlobal(tile) => {
            let is_fixed = only_reads || tile.access == Access::Read;
            let mut tile = tile.clone();
            tile.padding = tile.padding.map(|_| 0);
            is_fixed.then(|| (Copied::Tile(tile), op.args.to_vec()))
        }
        OpKind::Memory(MemoryKind::Load(tile)) => {
            let operands = tile.operands(&op.args);
            let is_zero = |padding| constant(kernel, padding) == Some(0);
            let fits = (tile.is_constant || only_reads && !tile.is_strong())
                && tile.space == Space::Global
                && !tile.by_owners
                && !tile.is_packed
                && operands.padding.is_none_or(is_zero);
            let place = [Some(operands.addresses), operands.mask];
            let mut tile = tile.clone();
            tile.is_padded = false;
            fits.then(|| {
                let place = place.into_iter().flatten().collect();
                (Copied::Addressed(*tile), place)
            })
        }
        _ => None,
    }
}
