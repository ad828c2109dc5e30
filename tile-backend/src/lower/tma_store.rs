//! Lowers stores of tiles to TMA stores.
//!
//! Input: a store through a view, of a tile whose layout is not one of whole cache lines. Output: the tile is
//! written to shared memory from its present layout, by `stmatrix` where possible, as swizzle atoms that TMA
//! copies to the tensor. No thread has to read the tile back, and edges need no masks.
//!
//! TMA stores are used if the host passes a tensor map, and nothing else in the kernel accesses that memory:
//! the hardware writes through the async proxy, whose writes are not ordered with the accesses of threads.
//! For the same reason, a kernel with acquire or release accesses has no TMA stores.

use super::Lowering;
use super::access::{AccessShape, ViewFacts, roots_of};
use crate::gpu::{OpKind, TensorMap, TmaStore, TmaStoreWait, TmaStoreWaitKind, Ty};
use crate::layout::{
    Boxes, Conversion, LinearLayout, access_passes, atom_layout, bank_conflict_ways, classify,
    exchange_layout, skewed, stmatrix_plan, vector_plan,
};
use crate::options::{DisabledPasses, HostMaps};
use crate::target::Feature;
use tile_core::ir::{MemoryOrdering, Op, OpId};

/// The required alignment, in bytes, of the strides and of the first element of a tensor.
const ALIGN_BYTES: u64 = 16;

/// Minimum size of a tile in bytes: for smaller tiles, a TMA store costs more than it saves.
const MIN_BYTES: u64 = 4 << 10;

/// Minimum size of a row of a box in bytes: shorter rows write only parts of cache lines.
const MIN_ROW_BYTES: u64 = 64;

/// Maximum size of a tile in bytes.
const MAX_BYTES: u64 = 128 << 10;

/// The layout of a tile in shared memory, its boxes, and how threads write it there.
struct TmaStorePlan {
    memory: LinearLayout,
    boxes: Boxes,
    write: Write,
}

/// The instructions by which threads write a tile to shared memory.
enum Write {
    /// By `stmatrix`.
    Matrices,
    /// By vector stores of registers in their present order.
    Vectors,
    /// By vector stores after shuffles to another layout, whose stores have fewer bank conflicts.
    Reordered(Box<LinearLayout>),
}

impl Lowering<'_> {
    /// Stores a tile by TMA. Returns `false` if that is impossible or not worthwhile.
    pub(super) fn store_with_tma(&mut self, id: OpId, op: &Op, facts: &ViewFacts) -> bool {
        let Some(tma_store_plan) = self.tma_store_plan(id, op, facts) else {
            return false;
        };
        let TmaStorePlan {
            memory,
            boxes,
            write,
        } = tma_store_plan;
        let (tile, args) = self.global_tile(op, facts);
        let Some(map) = TensorMap::from_tile(&self.kernel, &tile, &args, &boxes) else {
            return false;
        };
        let map = self.kernel.add_map(map);
        let mut value = self.value(op.operand("tile"));
        if let Write::Reordered(order) = &write {
            let ty = self.distributed(tile.element, (**order).clone());
            value = self.emit(OpKind::ConvertLayoutShuffle, &[value], ty, op.loc);
        }
        let buffer = self.buffer(tile.element, memory);
        let align = u32::try_from(boxes.swizzle.align_bytes()).expect("small");
        let buffer_align = &mut self.kernel.shared.buffers[buffer.index()].align_bytes;
        *buffer_align = align.max(*buffer_align);
        let write = match write {
            Write::Matrices => OpKind::StoreMatrix(buffer),
            Write::Vectors | Write::Reordered(_) => OpKind::StoreShared(buffer),
        };
        self.emit_op(write, &[value], &[], &[], op.loc);
        // The fence orders the generic writes of this thread before the reads of the async proxy (PTX ISA,
        // "Async proxy").
        self.emit_op(OpKind::FenceProxyAsync, &[], &[], &[], op.loc);
        let corner = vec![0; tile.axes.len()];
        let store = OpKind::TmaStore(Box::new(TmaStore {
            map,
            tile,
            buffer,
            corner,
        }));
        let store_id = self.emit_op(store, &args, &[], &[], op.loc);
        self.number(id, store_id);
        // If a store in a later iteration must not overtake this store, wait until memory is written, not
        // only until the buffer has been read.
        let end = if self.reaches_itself(id) {
            TmaStoreWaitKind::Written
        } else {
            TmaStoreWaitKind::Read
        };
        let wait = OpKind::WaitTmaStores(TmaStoreWait {
            buffer,
            end,
            left: 0,
        });
        self.emit_op(wait, &[], &[], &[], op.loc);
        true
    }

    /// Returns the plan of a TMA store, if the tile would go through shared memory anyway, its elements fit
    /// boxes, and no more passes are needed.
    fn tma_store_plan(&self, id: OpId, op: &Op, facts: &ViewFacts) -> Option<TmaStorePlan> {
        let is_disabled = self
            .kernel
            .requests
            .options
            .disabled
            .contains(DisabledPasses::TMA_STORES);
        if is_disabled || self.maps != HostMaps::Encoded || !self.arch.has(Feature::Tma) {
            return None;
        }
        let contiguous = facts.contiguous?;
        let element = facts.ty.tensor_view.element;
        let (shape, element_bytes) = (facts.shape(), element.bytes() as u64);
        let bytes = shape.num_elements() * element_bytes;
        let most = MAX_BYTES.min(u64::from(self.arch.shared_bytes_per_block()) / 3 * 2);
        let fits = element.bits() >= 8
            && (MIN_BYTES..=most).contains(&bytes)
            && shape.size(contiguous) * element_bytes >= MIN_ROW_BYTES
            && facts.vector_elements * element_bytes >= ALIGN_BYTES;
        let Ty::Distributed { layout, .. } = self.kernel.ty(self.value(op.operand("tile"))) else {
            return None;
        };
        if !fits || !self.is_only_access(id, op) {
            return None;
        }
        let lines = self.access.layout(&AccessShape::from_view(facts));
        let bits = u32::try_from(8 * element_bytes).expect("an element has few bits");
        let source_layout = self.kernel.layout(layout);
        let way = classify(source_layout, &lines, bits)?;
        // A tile that reaches a layout of whole cache lines without shared memory is stored by the threads.
        if !matches!(way, Conversion::WarpShared(_) | Conversion::BlockShared(_)) {
            return None;
        }
        let memory = atom_layout(&shape, contiguous, element_bytes);
        let boxes = Boxes::from_layout(&memory, contiguous, element_bytes)?;
        let (passes, write) = self.write(source_layout, &memory, bits)?;
        let exchange = exchange_layout(source_layout, &lines, bits)?;
        let of_exchange = |side| access_passes(side, &exchange, bits);
        // A plain exchange needs the passes of a write and of a read; a TMA store saves the read.
        let pays = passes <= of_exchange(source_layout)? + of_exchange(&lines)?;
        pays.then_some(TmaStorePlan {
            memory,
            boxes,
            write,
        })
    }

    /// Returns the best way to write a tile to `memory`, after the number of passes it needs. `None` if there
    /// would be bank conflicts, since a plain exchange has fewer.
    fn write(
        &self,
        source_layout: &LinearLayout,
        memory: &LinearLayout,
        bits: u32,
    ) -> Option<(u64, Write)> {
        if self.arch.has(Feature::Stmatrix) && stmatrix_plan(source_layout, memory, bits).is_some()
        {
            // A matrix of 8 rows takes one pass, and stores one word of each thread.
            let words = source_layout.num_registers() as u64 * u64::from(bits) / 32;
            return Some((words, Write::Matrices));
        }
        let order = reordered(source_layout, memory, bits);
        let used = order.as_ref().unwrap_or(source_layout);
        let width = vector_plan(used, memory, u64::from(128 / bits))?.width_elements;
        if bank_conflict_ways(used, memory, width, bits)? > 1 {
            return None;
        }
        let passes = access_passes(used, memory, bits)?;
        Some((
            passes,
            order.map_or(Write::Vectors, |order| Write::Reordered(Box::new(order))),
        ))
    }

    /// Returns `true` if nothing else in the kernel may access the memory of a store, and nothing in the
    /// kernel is ordered with other blocks.
    fn is_only_access(&self, id: OpId, op: &Op) -> bool {
        let (module, provenance) = (self.module, self.provenance);
        let Some(own_roots) = roots_of(module, provenance, op) else {
            return false;
        };
        module.walk(self.body).into_iter().all(|other_id| {
            let other = module.op(other_id);
            let Some(roots) = roots_of(module, provenance, other) else {
                return true;
            };
            let is_plain = matches!(
                other.memory_ordering(),
                MemoryOrdering::Weak | MemoryOrdering::Relaxed
            );
            is_plain && (other_id == id || !provenance.aliasing().may_alias(&own_roots, &roots))
        })
    }

    /// Returns `true` if tokens order a store before itself, in a later iteration of a loop.
    fn reaches_itself(&self, id: OpId) -> bool {
        let number = self.tokens.number(id);
        number.is_none_or(|number| self.tokens.paths().lead(number, number))
    }
}

/// Returns a layout, reached by shuffles, from which stores to `memory` have fewer bank conflicts.
fn reordered(registers: &LinearLayout, memory: &LinearLayout, bits: u32) -> Option<LinearLayout> {
    let skewed = skewed(registers, memory, bits)?;
    let way = classify(registers, &skewed, bits)?;
    matches!(way, Conversion::WarpShuffle(_)).then_some(skewed)
}
