//! What can be copied ahead.

use super::backward_slice::{BackwardSlice, Scope};
use super::memory_bound;
use crate::gpu::{
    Access, AsyncCopy, BlockId, BufferId, Copied, GlobalTile, Kernel, MemoryKind, OpId, OpKind,
    Space, ValueId,
};
use crate::layout::{LinearLayout, exchange_layout};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tile_core::Scalar;
use tile_core::ops::MiscOp;

/// What a loop can have copied ahead.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The loads.
    pub(super) candidates: Vec<Candidate>,
    /// What computes where their tiles lie.
    pub(super) slice: BackwardSlice,
    /// Whether the loop computes a matrix product.
    pub(super) has_mma: bool,
}

/// A load whose tile goes to buffers.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) load: OpId,
    /// The operands of the load that say where its tile is.
    pub(super) place: Vec<ValueId>,
    /// Stores that copies stand for.
    pub(super) stores: Vec<OpId>,
    /// The copies in their place.
    pub(super) copies: Vec<AsyncCopy>,
    /// Buffers that hold the same as another, which is read instead.
    pub(super) same: Vec<(BufferId, BufferId)>,
    /// What else uses the tile reads it from here.
    pub(super) read: Option<Read>,
    /// Whether the copies write its padding, whatever that is.
    pub(super) is_padded: bool,
}

impl Candidate {
    /// What the tile is padded with, if that is not what copies write.
    pub(super) fn padding<'k>(&self, kernel: &'k Kernel) -> Option<&'k GlobalTile> {
        match &kernel.op(self.load).kind {
            OpKind::LoadGlobal(tile) if !self.is_padded => {
                Some(tile).filter(|tile| tile.padding.unwrap_or(0) != 0)
            }
            _ => None,
        }
    }
}

/// Where a tile is read from that is needed in registers.
#[derive(Clone, Debug)]
pub(super) enum Read {
    /// A buffer that it is copied to anyway.
    Buffer(BufferId),
    /// A buffer made for that, with the elements so.
    New(Box<(Copied, LinearLayout)>),
}

/// The loads of a loop that can be copied ahead; none if the loop cannot be pipelined.
pub(super) fn plan_loop(kernel: &Kernel, id: OpId) -> Plan {
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

impl Plan {
    /// What is copied to.
    pub(super) fn buffers(&self) -> BTreeSet<BufferId> {
        let candidates = self.candidates.iter();
        // Copies of tensors are to the same.
        let copies = candidates.flat_map(|candidate| &candidate.copies);
        copies.map(|copy| copy.buffer).collect()
    }

    /// Without the loads whose tiles are needed in registers, which take shared memory of their
    /// own.
    pub(super) fn without_own_buffers(&self) -> Self {
        let mut plan = self.clone();
        plan.candidates
            .retain(|candidate| !matches!(candidate.read, Some(Read::New(_))));
        plan
    }
}

/// Whether a matrix product is computed in a block.
fn has_mma(kernel: &Kernel, block: BlockId) -> bool {
    kernel.block(block).ops.iter().any(|&id| {
        let op = kernel.op(id);
        matches!(
            op.kind,
            OpKind::Mma(_) | OpKind::MmaScaled(_) | OpKind::MmaLoop(_) | OpKind::Wgmma(_)
        ) || op.blocks.iter().any(|&inner| has_mma(kernel, inner))
    })
}

/// Whether an iteration may end before the end of the body, where the next slot is yielded.
fn is_left_early(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        // What other loops have is their own.
        let is_loop = matches!(op.kind, OpKind::For { .. } | OpKind::Loop);
        let leaves = |&block: &BlockId| {
            let last = kernel.block(block).ops.last();
            last.is_some_and(|&last| matches!(kernel.op(last).kind, OpKind::Continue))
                || is_left_early(kernel, block)
        };
        !is_loop && op.blocks.iter().any(leaves)
    })
}

/// A wait in the loop would take the groups of an inner loop for its own.
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

/// The constant, positive distance between two values of the induction variable, small enough that
/// some of them together do not wrap.
pub(super) fn step(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let step = constant(kernel, op.args[2])?;
    let bits = kernel.ty(op.args[2]).scalar()?.bits();
    (step > 0 && bits >= 16 && step < 1 << (bits - 4)).then_some(step)
}

/// How often the loop runs, if that is known.
pub(super) fn constant_trips(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let (lower, upper) = (constant(kernel, op.args[0])?, constant(kernel, op.args[1])?);
    let step = step(kernel, id)?;
    // Bounds of either sign: what is below zero wraps, and counts as not known.
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

/// Who uses values and buffers.
struct Uses {
    values: FxHashMap<ValueId, Vec<OpId>>,
    /// The operations that touch a buffer.
    buffers: FxHashMap<BufferId, Vec<OpId>>,
    /// The blocks around each operation, innermost first.
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
            for (buffer, _) in crate::passes::touched(&op.kind) {
                self.buffers.entry(buffer).or_default().push(id);
            }
            self.around.insert(id, around.clone());
            for &inner in &op.blocks {
                self.visit(kernel, inner, &around);
            }
        }
    }
}

/// Looks for candidates in a body.
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
                // Copies keep the bits that a tf32 has not.
                return None;
            }
            candidate.stores.push(user);
            let memory = kernel.buffer(buffer).layout?;
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
                let layout = kernel.layout(layout);
                let bits = u32::try_from(copied.element().bytes() * 8).ok()?;
                let memory = exchange_layout(layout, layout, bits)?;
                Read::New(Box::new((copied.for_copy(layout, &memory)?, memory)))
            });
        }
        // Where tensor cores would wait, whatever it takes.
        let is_profitable = self.has_mma || memory_bound::is_profitable(kernel, &candidate);
        let candidate = is_profitable.then_some(candidate)?;
        slice
            .add(kernel, &self.scope, &candidate.place)
            .then_some(candidate)
    }

    /// The buffer that `store` stores to, if it is there for that alone, and read after it in
    /// the same iteration.
    fn private_buffer(&self, store: OpId) -> Option<BufferId> {
        let OpKind::StoreShared(buffer) = self.kernel.op(store).kind else {
            return None;
        };
        let ops = &self.kernel.block(self.body).ops;
        let at = |id: OpId| {
            // The operation of the body that it is, or is inside of.
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
                    ) && at(user).is_some_and(|read| Some(read) > at(store))
            });
        is_private.then_some(buffer)
    }

    /// Whether what is read from `buffer` only goes to tensor cores.
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

/// Whether a block neither writes to memory nor learns that others did.
fn only_reads(kernel: &Kernel, block: BlockId) -> bool {
    kernel.block(block).ops.iter().all(|&id| {
        let op = kernel.op(id);
        let writes = match &op.kind {
            OpKind::StoreGlobal(_)
            | OpKind::TmaStore(_)
            | OpKind::Dependents(_)
            | OpKind::AliasFence => true,
            OpKind::Ptx(text) => text.opcode == MiscOp::Ptx.into(),
            OpKind::Memory(MemoryKind::Store(_) | MemoryKind::Atomic(..)) => true,
            OpKind::Memory(MemoryKind::Load(tile)) => tile.is_strong(),
            _ => false,
        };
        !writes && op.blocks.iter().all(|&inner| only_reads(kernel, inner))
    })
}

/// What a load loads, and which operands say where it is, if a copy can do that in an earlier
/// iteration.
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
