//! Rewrites a module in place.
//!
//! A [`Rewriter`] takes a verified module and returns the changed one, with a compacted arena if
//! anything was erased. Besides the arena, it keeps the uses of each value and a linked list of the
//! operations of each block. The cost of a change is therefore proportional to the number of
//! operations and uses that it touches. Invariants:
//!
//! - a use is recorded for exactly those operands whose operation is in a block;
//! - an operation is in a block or erased; an erased one has no uses and uses nothing;
//! - [`Module::block`] lists no operations in the meantime: the rewriter keeps their order.
//!
//! Changes are recorded ([`Rewriter::take_changes`]), so that a driver knows where other rewrites
//! may have become possible.

mod clone;
mod constant;
mod effects;
mod order;
mod uses;

pub(crate) use clone::Mapping;
pub(crate) use effects::{Necessity, is_weak_load};

use crate::build::Builder;
use crate::ir::{Block, BlockId, Module, Op, OpId, Reached, RegionId, Value, ValueDef, ValueId};
use crate::ops::{ControlFlowOp, Opcode};
use crate::types::Type;
use order::Order;
use smallvec::SmallVec;
use uses::Uses;

/// A module that is being changed.
#[derive(Debug)]
pub(crate) struct Rewriter {
    module: Module,
    uses: Uses,
    order: Order,
    /// The block in which [`Rewriter::build`] collects operations before they are placed.
    scratch: BlockId,
    changes: Changes,
    erased_any: bool,
}

/// The operations affected by changes.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Operations that were built, moved, or given other operands, or whose nested or directly
    /// preceding operation was removed.
    pub(crate) changed: Vec<OpId>,
    /// Operations whose results lost a user.
    pub(crate) less_used: Vec<OpId>,
}

impl Rewriter {
    /// Builds the uses and the order of a module.
    pub(crate) fn new(mut module: Module) -> Self {
        // Reserve a little room once, since growing would move everything.
        module.reserve_exact(module.num_ops() / 8);
        let scratch = module.add_detached_block();
        let mut order = Order::with_room(module.num_ops(), module.num_blocks());
        let mut uses = Uses::with_room(module.num_ops(), module.num_values());
        let mut blocks = vec![module.body()];
        while let Some(block) = blocks.pop() {
            for op in module.take_ops(block) {
                order.insert(block, None, op);
                uses.enter(op, &module.op(op).operands);
                for &region in &module.op(op).regions {
                    blocks.extend_from_slice(&module.region(region).blocks);
                }
            }
        }
        Self {
            module,
            uses,
            order,
            scratch,
            changes: Changes::default(),
            erased_any: false,
        }
    }

    /// Returns the module, without the erased operations.
    pub(crate) fn finish(mut self) -> Module {
        let mut reached = Reached::nothing(&self.module);
        let mut blocks = vec![self.module.body()];
        while let Some(block) = blocks.pop() {
            let ops: Vec<OpId> = self.ops(block).collect();
            reached.block(&self.module, block, &ops);
            for &op in &ops {
                blocks.extend(self.blocks(op));
            }
            self.module.put_ops(block, ops);
        }
        if self.erased_any {
            self.module.compact(reached);
        }
        self.module
    }

    /// Returns the arena, whose blocks list no operations.
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the operation `id`.
    pub(crate) fn op(&self, id: OpId) -> &Op {
        self.module.op(id)
    }

    /// Returns the operation `id`. Only its attributes and locations may be changed.
    pub(crate) fn op_mut(&mut self, id: OpId) -> &mut Op {
        self.module.op_mut(id)
    }

    /// Returns the value `id`.
    pub(crate) fn value(&self, id: ValueId) -> &Value {
        self.module.value(id)
    }

    /// Returns the type of the value `id`.
    pub(crate) fn ty(&self, id: ValueId) -> Type {
        self.module.ty(id)
    }

    /// Returns `true` if an operation is still in a block.
    pub(crate) fn is_attached(&self, op: OpId) -> bool {
        self.op(op).parent.is_some()
    }

    /// Returns the block that contains an operation.
    ///
    /// # Panics
    /// Panics if the operation is erased.
    pub(crate) fn block_of(&self, op: OpId) -> BlockId {
        self.op(op).parent.expect("the operation is in a block")
    }

    /// Returns the first operation of a block.
    pub(crate) fn first(&self, block: BlockId) -> Option<OpId> {
        self.order.first(block)
    }

    /// Returns the last operation of a block.
    pub(crate) fn last(&self, block: BlockId) -> Option<OpId> {
        self.order.last(block)
    }

    /// Returns the operation after `op` in its block.
    pub(crate) fn next(&self, op: OpId) -> Option<OpId> {
        self.order.next(op)
    }

    /// Returns the operation before `op` in its block.
    pub(crate) fn prev(&self, op: OpId) -> Option<OpId> {
        self.order.prev(op)
    }

    /// Returns the operations of a block, in order.
    pub(crate) fn ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.first(block), |&op| self.next(op))
    }

    /// Returns the blocks of the regions of an operation.
    pub(crate) fn blocks(&self, op: OpId) -> impl Iterator<Item = BlockId> + '_ {
        let regions = self.op(op).regions.iter();
        regions.flat_map(|&region| self.module.region(region).blocks.iter().copied())
    }

    /// Returns the single block of region number `region` of `op`, if it has one.
    pub(crate) fn region_block(&self, op: OpId, region: usize) -> Option<BlockId> {
        self.module.region_block(op, region)
    }

    /// Returns every operation in `block` and its nested blocks, each before those of its regions.
    pub(crate) fn walk(&self, block: BlockId) -> Vec<OpId> {
        let mut ops = Vec::new();
        let mut next: Vec<OpId> = self.first(block).into_iter().collect();
        while let Some(op) = next.pop() {
            ops.push(op);
            next.extend(self.next(op));
            let blocks: SmallVec<[BlockId; 2]> = self.blocks(op).collect();
            next.extend(blocks.iter().rev().filter_map(|&block| self.first(block)));
        }
        ops
    }

    /// Returns the bodies of the functions of the module, in order. No function uses values of
    /// another.
    pub(crate) fn functions(&self) -> Vec<BlockId> {
        let symbols = self.ops(self.module.body());
        symbols.flat_map(|symbol| self.blocks(symbol)).collect()
    }

    /// Returns the outermost block in which a constant used in `block` may be placed: the entry
    /// block of the function, or of the closest isolated operation around it.
    pub(crate) fn home(&self, block: BlockId) -> BlockId {
        let mut block = block;
        while let Some(op) = self.module.parent_op_of_block(block) {
            if self.op(op).opcode.is_isolated() {
                break;
            }
            block = self.block_of(op);
        }
        block
    }

    /// Returns the operation that encloses `op`.
    pub(crate) fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.module.parent_op(op)
    }

    /// Returns `true` if `op` is attached, and is `ancestor` or nested in it.
    pub(crate) fn is_inside(&self, op: OpId, ancestor: OpId) -> bool {
        let mut ancestors = std::iter::successors(Some(op), |&op| self.parent_op(op));
        self.is_attached(op) && ancestors.any(|op| op == ancestor)
    }

    /// Returns the operation that defines a value, unless it is a block argument.
    pub(crate) fn defining_op(&self, value: ValueId) -> Option<OpId> {
        self.module.defining_op(value)
    }

    /// Returns the block in which a value is defined.
    pub(crate) fn defining_block(&self, value: ValueId) -> BlockId {
        match self.value(value).def {
            ValueDef::Result(op, _) => self.block_of(op),
            ValueDef::Argument(block, _) => block,
        }
    }

    /// Returns the users of a value, each with the index of the operand.
    pub(crate) fn uses(&self, value: ValueId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        self.uses.uses_of(value)
    }

    /// Returns the number of operands that are `value`.
    pub(crate) fn num_uses(&self, value: ValueId) -> usize {
        self.uses.count(value)
    }

    /// Returns `true` if no result of the operation is used.
    pub(crate) fn is_unused(&self, op: OpId) -> bool {
        let mut results = self.op(op).results.iter();
        results.all(|&result| self.num_uses(result) == 0)
    }

    /// Replaces operand number `index` of `op`.
    pub(crate) fn set_operand(&mut self, op: OpId, index: usize, to: ValueId) {
        let from = std::mem::replace(&mut self.module.op_mut(op).operands[index], to);
        self.uses.change(op, index, from, to);
        self.changes.changed.push(op);
        self.changes.less_used.extend(self.module.defining_op(from));
    }

    /// Replaces the operands of slot number `slot` of `op`, which must be its last slot.
    pub(crate) fn set_last_slot(&mut self, op: OpId, slot: usize, values: &[ValueId]) {
        let data = self.module.op(op);
        debug_assert_eq!(data.segments.len(), slot + 1);
        let before: SmallVec<[ValueId; 4]> = data.operands.clone();
        let kept = before.len() - data.operands_at(slot).len();
        self.uses.leave(op, &before);
        let data = self.module.op_mut(op);
        data.operands.truncate(kept);
        data.operands.extend_from_slice(values);
        data.segments[slot] = u32::try_from(values.len()).expect("few operands");
        let after = self.module.op(op).operands.clone();
        self.uses.enter(op, &after);
        self.changes.changed.push(op);
        self.touch_definitions(&before);
    }

    /// Exchanges the first two operands of `op`.
    pub(crate) fn swap_operands(&mut self, op: OpId) {
        let (lhs, rhs) = (self.op(op).operands[0], self.op(op).operands[1]);
        self.set_operand(op, 0, rhs);
        self.set_operand(op, 1, lhs);
    }

    /// Replaces all uses of `from` by `to`. If `to` is an unnamed result, it takes over the name of
    /// `from`.
    pub(crate) fn replace_uses(&mut self, from: ValueId, to: ValueId) {
        if from == to {
            return;
        }
        while let Some((user, index)) = { self.uses.uses_of(from).next() } {
            self.module.op_mut(user).operands[index] = to;
            self.uses.change(user, index, from, to);
            self.changes.changed.push(user);
        }
        self.changes.less_used.extend(self.module.defining_op(from));
        if self.value(to).name.is_none() && self.defining_op(to).is_some() {
            let name = self.module.value_mut(from).name.take();
            self.module.value_mut(to).name = name;
        }
    }

    /// Replaces the uses of `from` inside `block` by `to`.
    pub(crate) fn replace_uses_inside(&mut self, from: ValueId, block: BlockId, to: ValueId) {
        let users: Vec<(OpId, usize)> = self
            .uses(from)
            .filter(|&(user, _)| self.block_encloses(block, user))
            .collect();
        for (user, index) in users {
            self.set_operand(user, index, to);
        }
    }

    /// Returns `true` if `op` is in `block` or in a block nested in it.
    pub(crate) fn block_encloses(&self, block: BlockId, op: OpId) -> bool {
        let mut ancestor = Some(op);
        while let Some(op) = ancestor {
            if self.op(op).parent == Some(block) {
                return true;
            }
            ancestor = self.parent_op(op);
        }
        false
    }

    /// Replaces the results of `op` one by one, and erases it.
    pub(crate) fn replace(&mut self, op: OpId, values: &[ValueId]) {
        let results = self.op(op).results.clone();
        debug_assert_eq!(results.len(), values.len());
        for (&result, &value) in results.iter().zip(values) {
            debug_assert_eq!(
                self.ty(result),
                self.ty(value),
                "a replacement has the type"
            );
            self.replace_uses(result, value);
        }
        self.erase(op);
    }

    /// Erases an operation whose results are unused, with its nested operations.
    pub(crate) fn erase(&mut self, op: OpId) {
        debug_assert!(self.is_unused(op), "an erased operation has no users");
        self.take_out(op);
        self.forget(op);
    }

    /// Unlinks an operation from its block, and marks the next and the enclosing operation as
    /// changed.
    fn take_out(&mut self, op: OpId) {
        let block = self.block_of(op);
        self.changes.changed.extend(self.order.next(op));
        self.changes
            .changed
            .extend(self.module.parent_op_of_block(block));
        self.order.remove(block, op);
    }

    /// Erases an operation and all that follow it in its block.
    pub(crate) fn erase_from(&mut self, op: OpId) {
        let block = self.block_of(op);
        while let Some(last) = self.last(block) {
            self.erase(last);
            if last == op {
                return;
            }
        }
    }

    fn forget(&mut self, op: OpId) {
        self.erased_any = true;
        let blocks: SmallVec<[BlockId; 2]> = self.blocks(op).collect();
        for block in blocks {
            // Go backwards, so that users are erased before the definitions of their operands.
            while let Some(last) = self.last(block) {
                self.order.remove(block, last);
                self.forget(last);
            }
        }
        let operands = self.op(op).operands.clone();
        self.uses.leave(op, &operands);
        self.module.op_mut(op).parent = None;
        self.touch_definitions(&operands);
    }

    /// Moves an operation before `insertion_point`, which may be in another block.
    pub(crate) fn move_before(&mut self, op: OpId, insertion_point: OpId) {
        if op == insertion_point {
            return;
        }
        let block = self.block_of(insertion_point);
        self.take_out(op);
        self.order.insert(block, Some(insertion_point), op);
        self.module.op_mut(op).parent = Some(block);
        self.changes.changed.push(op);
    }

    /// Moves an operation to the end of a block.
    pub(crate) fn move_to_end(&mut self, op: OpId, block: BlockId) {
        self.take_out(op);
        self.order.insert(block, None, op);
        self.module.op_mut(op).parent = Some(block);
        self.changes.changed.push(op);
    }

    /// Moves all operations of `block` before `insertion_point`.
    pub(crate) fn inline_before(&mut self, block: BlockId, insertion_point: OpId) {
        while let Some(op) = self.first(block) {
            self.move_before(op, insertion_point);
        }
    }

    /// Moves all operations of `from` to the end of `to`.
    pub(crate) fn append_ops(&mut self, from: BlockId, to: BlockId) {
        while let Some(op) = self.first(from) {
            self.move_to_end(op, to);
        }
    }

    /// Builds operations before `insertion_point`.
    pub(crate) fn build_before<R>(
        &mut self,
        insertion_point: OpId,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        let block = self.block_of(insertion_point);
        self.build(block, Some(insertion_point), build)
    }

    /// Builds operations at the start of a block.
    pub(crate) fn build_at_start<R>(
        &mut self,
        block: BlockId,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        self.build(block, self.first(block), build)
    }

    /// Builds operations at the end of a block.
    pub(crate) fn build_at_end<R>(
        &mut self,
        block: BlockId,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        self.build(block, None, build)
    }

    fn build<R>(
        &mut self,
        block: BlockId,
        insertion_point: Option<OpId>,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        let mut builder = Builder::new(&mut self.module);
        builder.set_block(self.scratch);
        let built = build(&mut builder);
        for op in self.module.take_ops(self.scratch) {
            self.module.op_mut(op).parent = Some(block);
            self.order.insert(block, insertion_point, op);
            self.enter(op);
        }
        built
    }

    /// Registers an operation that was just built, and its nested operations.
    fn enter(&mut self, op: OpId) {
        self.uses.enter(op, &self.module.op(op).operands);
        self.changes.changed.push(op);
        let blocks: SmallVec<[BlockId; 2]> = self.blocks(op).collect();
        for block in blocks {
            for inner in self.module.take_ops(block) {
                self.order.insert(block, None, inner);
                self.enter(inner);
            }
        }
    }

    /// Moves the block of region `from` to region `to`, which has no block and belongs to another
    /// operation.
    pub(crate) fn move_block(&mut self, from: RegionId, to: RegionId) {
        self.module.move_block(from, to);
    }

    /// Removes the block of region number `region` of `op` and everything in it.
    pub(crate) fn remove_block(&mut self, op: OpId, region: usize) {
        let Some(block) = self.region_block(op, region) else {
            return;
        };
        if let Some(first) = self.first(block) {
            self.erase_from(first);
        }
        let region = self.op(op).regions[region];
        self.module.remove_block(region);
        self.changes.changed.push(op);
    }

    /// Adds an empty block to region number `region` of `op`, which has none.
    pub(crate) fn add_block(&mut self, op: OpId, region: usize) -> BlockId {
        let region = self.op(op).regions[region];
        self.module.add_block(region)
    }

    /// Exchanges the first two regions of `op`.
    pub(crate) fn swap_regions(&mut self, op: OpId) {
        self.module.op_mut(op).regions.swap(0, 1);
        self.changes.changed.push(op);
    }

    /// Returns the last operation of region number `region` of `op`, if the region has a block.
    pub(crate) fn terminator(&self, op: OpId, region: usize) -> Option<OpId> {
        self.last(self.region_block(op, region)?)
    }

    /// Returns `true` if an operation ends a branch of an `if` by leaving the `if`.
    pub(crate) fn is_exit(&self, op: OpId) -> bool {
        matches!(
            self.op(op).opcode,
            Opcode::ControlFlow(
                ControlFlowOp::Break | ControlFlowOp::Continue | ControlFlowOp::Return
            )
        )
    }

    /// Returns the changes since the last call; `empty` provides the allocations for the next ones.
    pub(crate) fn take_changes(&mut self, mut empty: Changes) -> Changes {
        empty.changed.clear();
        empty.less_used.clear();
        std::mem::replace(&mut self.changes, empty)
    }

    fn touch_definitions(&mut self, values: &[ValueId]) {
        let definitions = values
            .iter()
            .filter_map(|&value| self.module.defining_op(value));
        self.changes.less_used.extend(definitions);
    }

    /// Returns the arguments and the parent of a block; [`Rewriter::ops`] lists its operations.
    pub(crate) fn block(&self, block: BlockId) -> &Block {
        self.module.block(block)
    }
}
