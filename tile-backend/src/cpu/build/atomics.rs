//! Atomic operations, and accesses that other blocks may make at the same time.

use tile_core::ir::{AtomicRmwMode, Attr, MemoryOrdering, MemoryScope, Op, OpId, ValueId};
use tile_core::ops::AtomicOp;
use tile_core::types::Scalar;

use super::super::ir::{Atomic, Inst, Stmt};
use super::{Bound, Builder, Reply, refused};

impl Builder<'_> {
    pub(super) fn atomic(&mut self, kind: AtomicOp, id: OpId) -> Reply {
        let op = self.module.op(id);
        match kind {
            AtomicOp::AtomicRmwTko => {
                let mode = mode(op);
                self.exchange(id, Atomic::Modify(mode), &[op.operand("arg")])
            }
            AtomicOp::AtomicCasTko => self.exchange(
                id,
                Atomic::CompareAndSwap,
                &[op.operand("cmp"), op.operand("val")],
            ),
            AtomicOp::AtomicRedViewTko => self.reduce_into_view(id),
        }
    }

    fn exchange(&mut self, id: OpId, atomic: Atomic, args: &[ValueId]) -> Reply {
        let op = self.module.op(id);
        let pointers = op.operand("pointers");
        let param = self.origin(op, pointers)?;
        let mask = op.optional_operand("mask");
        let result = op.results[0];
        let scalar = self.scalar_of(result);
        self.bound.insert(op.results[1], Bound::Token);
        let mut trees = vec![pointers];
        trees.extend(args);
        trees.extend(mask);
        self.before_store(None, &trees, None)?;
        self.flush();
        let is_used = self.remaining.get(&result).is_some_and(|&uses| uses > 0);
        let buffer = is_used.then(|| self.new_buffer(scalar, self.count(result)));
        let ordering = op.memory_ordering();
        self.fence_before(ordering);
        self.sink(self.bits(result), &[], false, &trees, |builder, map| {
            let address = builder.element(pointers, map)?;
            let mask = mask.map(|mask| builder.element(mask, map)).transpose()?;
            let mut regs = Vec::new();
            for &arg in args {
                regs.push(builder.element(arg, map)?);
            }
            let old = builder.push(Inst::Atomic {
                op: id,
                atomic,
                is_of_block: is_of_block(op),
                address,
                mask,
                args: regs,
                scalar,
                param,
            });
            if let Some(buffer) = buffer {
                builder.push_store(buffer, scalar, map, old);
            }
            Ok(())
        })?;
        self.flush();
        self.fence_after(ordering);
        if let Some(buffer) = buffer {
            self.bound.insert(result, Bound::Buffer(buffer));
        }
        Ok(())
    }

    fn reduce_into_view(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let value = op.operand("value");
        let scalar = self.scalar_of(value);
        let access = self.access_with(id, &[])?;
        self.bound.insert(op.result(), Bound::Token);
        self.before_store(None, &[value], None)?;
        self.flush();
        let ordering = op.memory_ordering();
        self.fence_before(ordering);
        let atomic = Atomic::Modify(mode(op));
        let param = self.accesses[access].param;
        self.sink(self.bits(value), &[], false, &[value], |builder, map| {
            let arg = builder.element(value, map)?;
            let (address, mask) = builder.element_address(access, map)?;
            builder.push(Inst::Atomic {
                op: id,
                atomic,
                is_of_block: is_of_block(op),
                address,
                mask: Some(mask),
                args: vec![arg],
                scalar,
                param,
            });
            Ok(())
        })?;
        self.flush();
        self.fence_after(ordering);
        Ok(())
    }

    /// Orders what follows after what precedes, as a release does.
    pub(super) fn fence_before(&mut self, ordering: MemoryOrdering) {
        if matches!(ordering, MemoryOrdering::Release | MemoryOrdering::AcqRel) {
            self.stmts.push(Stmt::Fence);
        }
    }

    /// Orders what follows after what precedes, as an acquire does.
    pub(super) fn fence_after(&mut self, ordering: MemoryOrdering) {
        if matches!(ordering, MemoryOrdering::Acquire | MemoryOrdering::AcqRel) {
            self.stmts.push(Stmt::Fence);
        }
    }

    /// Returns the memory of pointers, which must be that of one parameter.
    pub(super) fn origin(&self, op: &Op, pointers: ValueId) -> Reply<u32> {
        let origin = self.origins.get(&pointers).copied();
        origin.ok_or_else(|| refused(op, "its memory is not known to be that of one parameter"))
    }
}

fn mode(op: &Op) -> AtomicRmwMode {
    match op.attr("mode") {
        Some(&Attr::RmwMode(mode)) => mode,
        other => unreachable!("verified code has a mode, found {other:?}"),
    }
}

/// Returns `true` if an atomic operation is one for its block only, which runs on one thread. Other blocks that access the
/// element at the same time would be a race.
fn is_of_block(op: &Op) -> bool {
    op.attr("memory_scope") == Some(&Attr::MemoryScope(MemoryScope::TileBlock))
}

/// Returns `true` if an access may happen at the same time as those of other blocks.
pub(super) fn is_shared(ordering: MemoryOrdering) -> bool {
    ordering != MemoryOrdering::Weak
}

/// Returns `true` for the types of elements that memory holds as they are.
pub(super) fn is_plain(scalar: Scalar) -> bool {
    scalar.bits() != 4 && scalar != Scalar::TF32
}
