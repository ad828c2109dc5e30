//! Lowers stores of tiles to TMA stores.
//!
//! Input: a store through a view that the schedule gives to TMA ([`crate::schedule`]). Output: the tile is
//! written to shared memory from its present layout, by `stmatrix` where possible, as swizzle atoms that TMA
//! copies to the tensor. No thread has to read the tile back, and edges need no masks.

use super::Lowering;
use super::access::ViewFacts;
use crate::gpu::{OpKind, TensorMap, TmaStore, TmaStoreWait, TmaStoreWaitKind};
use crate::schedule::{Refusal, TmaStorePlan, TmaStoreWrite};
use tile_core::ir::{Op, OpId};

impl Lowering<'_> {
    /// Stores a tile by TMA. Returns `false` if the schedule has another way, or the host does not know the
    /// tensor.
    pub(super) fn store_with_tma(&mut self, id: OpId, op: &Op, facts: &ViewFacts) -> bool {
        let mut value = self.value(op.operand("tile"));
        let Some(layout) = self.kernel.ty(value).layout() else {
            return false;
        };
        let source = self.kernel.layout(layout);
        let mut considered = self.store_rules.consider(id, facts, source);
        let plan = considered.plan.clone();
        let tile = plan.as_ref().ok().map(|_| self.global_tile(op, facts));
        let map = tile.as_ref().zip(plan.as_ref().ok());
        let map = map.and_then(|((tile, args), plan)| {
            TensorMap::from_tile(&self.kernel, tile, args, &plan.boxes)
        });
        if plan.is_ok() && map.is_none() {
            considered.plan = Err(Refusal::Because("the host does not know the tensor"));
        }
        self.stores.push(considered);
        let (Ok(plan), Some((tile, args)), Some(map)) = (plan, tile, map) else {
            return false;
        };
        let TmaStorePlan {
            memory,
            boxes,
            write,
        } = plan;
        let map = self.kernel.add_map(map);
        if let TmaStoreWrite::Reordered(order) = &write {
            let ty = self.distributed(tile.element, (**order).clone());
            value = self.emit(OpKind::ConvertLayoutShuffle, &[value], ty, op.loc);
        }
        let buffer = self.buffer(tile.element, memory);
        let align = u32::try_from(boxes.swizzle.align_bytes()).expect("small");
        let buffer_align = &mut self.kernel.shared.buffers[buffer.index()].align_bytes;
        *buffer_align = align.max(*buffer_align);
        let write = match write {
            TmaStoreWrite::Matrices => OpKind::StoreMatrix(buffer),
            TmaStoreWrite::Vectors | TmaStoreWrite::Reordered(_) => OpKind::StoreShared(buffer),
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

    /// Returns `true` if tokens order a store before itself, in a later iteration of a loop.
    fn reaches_itself(&self, id: OpId) -> bool {
        let number = self.tokens.number(id);
        number.is_none_or(|number| self.tokens.paths().lead(number, number))
    }
}
