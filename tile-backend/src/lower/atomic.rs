//! Lowers atomic operations.

use super::Lowering;
use crate::gpu::{AtomicKind, MemoryKind, Ty};
use tile_core::ir::{AtomicRmwMode, Attr, Op, OpId};
use tile_core::ops::AtomicOp;

impl Lowering<'_> {
    pub(super) fn atomic(&mut self, id: OpId, atomic: AtomicOp) {
        let op = self.module.op(id);
        match atomic {
            AtomicOp::AtomicRedViewTko => self.reduce_into(id, mode(op)),
            AtomicOp::AtomicRmwTko => {
                self.through_pointers(id, op, AtomicKind::Modify(mode(op)), &["arg"]);
            }
            AtomicOp::AtomicCasTko => {
                self.through_pointers(id, op, AtomicKind::CompareAndSwap, &["cmp", "val"]);
            }
        }
    }

    fn through_pointers(&mut self, id: OpId, op: &Op, kind: AtomicKind, slots: &[&str]) {
        let result = op.result();
        let element = self.preferred_ty(result).scalar().expect("numbers");
        let mut tile = self.addressed(op, element);
        let layout = self.access_layout(op);
        tile.vector = layout.and_then(|(_, vector)| vector);
        let layout = layout.map(|(layout, _)| layout);
        let mut args = vec![self.operand_in(op.operand("pointers"), layout)];
        for slot in slots {
            args.push(self.operand_in(op.operand(slot), layout));
        }
        if let Some(mask) = op.optional_operand("mask") {
            tile.is_masked = true;
            args.push(self.operand_in(mask, layout));
        }
        let is_used = self.uses[result.index()] > 0;
        let ty = match layout {
            Some(layout) => Ty::Distributed { element, layout },
            None => Ty::Uniform(element),
        };
        let known_by_owner = is_used.then(|| self.known_by_owners(element, ty));
        let kind = MemoryKind::Atomic(Box::new(tile), kind);
        let results = known_by_owner.as_slice();
        if let Some(value) = self.emit_access(id, kind, &args, results, op.loc) {
            let value = self.known_to_all(value, ty, op.loc);
            self.define(result, value);
        }
    }
}

fn mode(op: &Op) -> AtomicRmwMode {
    match op.attr("mode") {
        Some(&Attr::RmwMode(mode)) => mode,
        other => unreachable!("verified: a mode, not {other:?}"),
    }
}
