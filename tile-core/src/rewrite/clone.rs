//! Clones operations.

use super::Rewriter;
use crate::ir::{BlockId, Op, OpId, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Maps values to their counterparts in a copy; unmapped values map to themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping(FxHashMap<ValueId, ValueId>);

impl Mapping {
    /// Maps `from` to `to`.
    pub(crate) fn insert(&mut self, from: ValueId, to: ValueId) {
        self.0.insert(from, to);
    }

    /// Returns the counterpart of `value`.
    pub(crate) fn get(&self, value: ValueId) -> ValueId {
        self.0.get(&value).copied().unwrap_or(value)
    }
}

impl Rewriter {
    /// Appends a copy of `op` and its nested operations to `block`, and maps its results and
    /// arguments to those of the copy.
    pub(crate) fn clone_to_end(&mut self, op: OpId, block: BlockId, mapping: &mut Mapping) -> OpId {
        self.clone_op(op, block, None, mapping)
    }

    /// Like [`Rewriter::clone_to_end`], but inserts the copy before `insertion_point`.
    pub(crate) fn clone_before(
        &mut self,
        op: OpId,
        insertion_point: OpId,
        mapping: &mut Mapping,
    ) -> OpId {
        self.clone_op(
            op,
            self.block_of(insertion_point),
            Some(insertion_point),
            mapping,
        )
    }

    fn clone_op(
        &mut self,
        op: OpId,
        block: BlockId,
        insertion_point: Option<OpId>,
        mapping: &mut Mapping,
    ) -> OpId {
        let Op {
            opcode,
            operands,
            segments,
            results,
            attrs,
            discardable,
            regions,
            parent: _,
            loc,
        } = self.module.op(op).clone();
        let copy = self.module.add_op(Op {
            operands: operands.iter().map(|&value| mapping.get(value)).collect(),
            segments,
            attrs,
            discardable,
            ..Op::new(opcode, loc)
        });
        for result in results {
            let twin = self.module.add_result(copy, self.module.ty(result));
            self.copy_facts(result, twin);
            mapping.insert(result, twin);
        }
        self.module.op_mut(copy).parent = Some(block);
        self.order.insert(block, insertion_point, copy);
        self.uses.enter(copy, &self.module.op(copy).operands);
        self.changes.changed.push(copy);
        for region in regions {
            let twin = self.module.add_region(copy);
            let blocks = self.module.region(region).blocks.clone();
            for from in blocks {
                let to = self.module.add_block(twin);
                self.clone_block(from, to, mapping);
            }
        }
        copy
    }

    /// Adds a region with one block to `op`, and maps the arguments of `from` to those of the new
    /// block.
    pub(crate) fn copy_signature(
        &mut self,
        from: BlockId,
        op: OpId,
        mapping: &mut Mapping,
    ) -> BlockId {
        let region = self.module.add_region(op);
        let to = self.module.add_block(region);
        self.clone_args(from, to, mapping);
        to
    }

    fn clone_block(&mut self, from: BlockId, to: BlockId, mapping: &mut Mapping) {
        self.clone_args(from, to, mapping);
        let mut next = self.first(from);
        while let Some(op) = next {
            next = self.next(op);
            self.clone_op(op, to, None, mapping);
        }
    }

    fn clone_args(&mut self, from: BlockId, to: BlockId, mapping: &mut Mapping) {
        let args: SmallVec<[ValueId; 4]> = self.block(from).args.iter().copied().collect();
        for argument in args {
            let (ty, loc) = (self.ty(argument), self.value(argument).loc);
            let twin = self.module.add_block_arg(to, ty, loc);
            self.copy_facts(argument, twin);
            mapping.insert(argument, twin);
        }
    }

    fn copy_facts(&mut self, from: ValueId, to: ValueId) {
        let (name, loc) = {
            let value = self.value(from);
            (value.name.clone(), value.loc)
        };
        let value = self.module.value_mut(to);
        value.name = name;
        value.loc = loc;
    }
}
