//! Stores of tiles by hardware that knows the tensor.
//!
//! In: a store through a view, of a tile that other threads hold than would store whole cache lines. Out: the
//! tile written to shared memory as it is held, in panels that the hardware copies to the tensor; by
//! `stmatrix` where that takes the layout. So nobody reads it back, and edges need no masks.
//!
//! It is done where the host passes a map of the tensor, and nothing else in the kernel accesses that
//! memory: the hardware writes through another proxy, which is ordered with no access of a thread. For the
//! same reason not in a kernel that acquires or releases.

use super::Lowering;
use super::access::{AccessShape, ViewFacts, roots_of};
use crate::gpu::{OpKind, TensorMap, TmaStore, TmaStoreWait, TmaStoreWaitKind, Ty};
use crate::layout::{
    Boxes, Conversion, LinearLayout, access_passes, atom_layout, bank_conflict_ways, classify,
    exchange_layout, skewed, stmatrix_plan, vector_plan,
};
use crate::resources::{DisabledPasses, HostMaps};
use crate::target::Feature;
use tile_core::ir::{MemoryOrdering, Op, OpId};

/// What strides, and the first element, of a tensor are multiples of.
const ALIGN_BYTES: u64 = 16;

/// Bytes of a tile below which the way there costs more than it saves.
const MIN_BYTES: u64 = 4 << 10;

/// Bytes of a row of a box, at least: shorter ones leave parts of cache lines to others.
const MIN_ROW_BYTES: u64 = 64;

/// Bytes of a tile, at most.
const MAX_BYTES: u64 = 128 << 10;

/// How a tile gets to shared memory, and lies there.
struct TmaStorePlan {
    memory: LinearLayout,
    boxes: Boxes,
    write: Write,
}

/// How threads write it.
enum Write {
    /// By `stmatrix`.
    Matrices,
    /// As they hold it.
    Vectors,
    /// In another order of registers, in which there are fewer bank conflicts.
    Reordered(Box<LinearLayout>),
}

impl Lowering<'_> {
    /// Stores a tile so. Whether that was possible, and good.
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
        let buffer_align = &mut self.kernel.buffers[buffer.index()].align_bytes;
        *buffer_align = align.max(*buffer_align);
        let write = match write {
            Write::Matrices => OpKind::StoreMatrix(buffer),
            Write::Vectors | Write::Reordered(_) => OpKind::StoreShared(buffer),
        };
        self.emit_op(write, &[value], &[], &[], op.loc);
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

    /// How the tile would lie there, if it goes through shared memory anyway, and may come out of it so.
    fn tma_store_plan(&self, id: OpId, op: &Op, facts: &ViewFacts) -> Option<TmaStorePlan> {
        let is_disabled = self.kernel.disabled.contains(DisabledPasses::TMA_STORES);
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
        if !matches!(way, Conversion::WarpShared(_) | Conversion::BlockShared(_)) {
            return None;
        }
        let memory = atom_layout(&shape, contiguous, element_bytes);
        let boxes = Boxes::from_layout(&memory, contiguous, element_bytes)?;
        let (passes, write) = self.write(source_layout, &memory, bits)?;
        let exchange = exchange_layout(source_layout, &lines, bits)?;
        let of_exchange = |side| access_passes(side, &exchange, bits);
        let pays = passes <= of_exchange(source_layout)? + of_exchange(&lines)?;
        pays.then_some(TmaStorePlan {
            memory,
            boxes,
            write,
        })
    }

    /// The best way to write a tile to `memory` and the passes of shared memory for that, unless lanes meet
    /// in a bank: memory that is made for an exchange has less of that.
    fn write(
        &self,
        source_layout: &LinearLayout,
        memory: &LinearLayout,
        bits: u32,
    ) -> Option<(u64, Write)> {
        if self.arch.has(Feature::Stmatrix) && stmatrix_plan(source_layout, memory, bits).is_some()
        {
            // A matrix of 8 rows is a pass, and one word of a thread.
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

    /// Whether nothing else in the kernel may access what a store stores to, and nothing in it is ordered
    /// with other blocks.
    fn is_only_access(&self, id: OpId, op: &Op) -> bool {
        let (module, provenance) = (self.module, &self.kernel.order.provenance);
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
            is_plain && (other_id == id || !provenance.may_alias(&own_roots, &roots))
        })
    }

    /// Whether tokens order a store before itself, in a later iteration of a loop.
    fn reaches_itself(&self, id: OpId) -> bool {
        let tokens = &self.kernel.order.tokens;
        let number = tokens.number(id);
        number.is_none_or(|number| tokens.precedes(number, number))
    }
}

/// Another order of registers in which the stores to `memory` have fewer bank conflicts.
fn reordered(registers: &LinearLayout, memory: &LinearLayout, bits: u32) -> Option<LinearLayout> {
    let skewed = skewed(registers, memory, bits)?;
    let way = classify(registers, &skewed, bits)?;
    matches!(way, Conversion::WarpShuffle(_)).then_some(skewed)
}
