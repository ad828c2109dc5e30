//! Changing a module in place.
//!
//! In: a verified module. Out: the changed one, without gaps in its arena if anything
//! was erased. Between both a [`Rewriter`] holds, besides the arena,
//! who uses each value and a linked list of operations per block, so that every
//! change costs what it touches and nothing more. Invariants:
//!
//! - a use is entered exactly where an operation in a block has that operand;
//! - an operation is in a block or erased; an erased one has no uses of or by it;
//! - [`Module::block`] has no operations meanwhile: the order is here.
//!
//! A change is noted ([`Rewriter::take_changes`]), so that a driver knows where
//! another rewrite may have become possible.

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
    /// Where [`Rewriter::build`] collects operations before they are put in order.
    scratch: BlockId,
    changes: Changes,
    erased_any: bool,
}

/// What has happened to operations.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Made, moved, or given other operands; or something inside of them or right before
    /// them went.
    pub(crate) changed: Vec<OpId>,
    /// Lost a user.
    pub(crate) less_used: Vec<OpId>,
}

impl Rewriter {
    /// Takes a module apart.
    pub(crate) fn new(mut module: Module) -> Self {
        // Once and by a little, since growing moves everything.
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

    /// Puts the module together again, without what was erased.
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

    /// The arena; blocks of it list no operations.
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// The operation `id`.
    pub(crate) fn op(&self, id: OpId) -> &Op {
        self.module.op(id)
    }

    /// The operation `id`, to change attributes and locations only.
    pub(crate) fn op_mut(&mut self, id: OpId) -> &mut Op {
        self.module.op_mut(id)
    }

    /// The value `id`.
    pub(crate) fn value(&self, id: ValueId) -> &Value {
        self.module.value(id)
    }

    /// The type of the value `id`.
    pub(crate) fn ty(&self, id: ValueId) -> Type {
        self.module.ty(id)
    }

    /// Whether an operation is in a block still.
    pub(crate) fn is_attached(&self, op: OpId) -> bool {
        self.op(op).parent.is_some()
    }

    /// The block that an operation is in.
    ///
    /// # Panics
    /// If it is erased.
    pub(crate) fn block_of(&self, op: OpId) -> BlockId {
        self.op(op).parent.expect("the operation is in a block")
    }

    /// The first operation of a block.
    pub(crate) fn first(&self, block: BlockId) -> Option<OpId> {
        self.order.first(block)
    }

    /// The last operation of a block.
    pub(crate) fn last(&self, block: BlockId) -> Option<OpId> {
        self.order.last(block)
    }

    /// The operation after `op` in its block.
    pub(crate) fn next(&self, op: OpId) -> Option<OpId> {
        self.order.next(op)
    }

    /// The operation before `op` in its block.
    pub(crate) fn prev(&self, op: OpId) -> Option<OpId> {
        self.order.prev(op)
    }

    /// The operations of a block, in order.
    pub(crate) fn ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.first(block), |&op| self.next(op))
    }

    /// The blocks of the regions of an operation.
    pub(crate) fn blocks(&self, op: OpId) -> impl Iterator<Item = BlockId> + '_ {
        let regions = self.op(op).regions.iter();
        regions.flat_map(|&region| self.module.region(region).blocks.iter().copied())
    }

    /// The single block of region number `region` of `op`, if it has one.
    pub(crate) fn region_block(&self, op: OpId, region: usize) -> Option<BlockId> {
        self.module.region_block(op, region)
    }

    /// Every operation in `block` and inside of those, an operation before those
    /// of its regions.
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

    /// The bodies of the functions of the module, in order. Nothing in one of them is seen
    /// by another.
    pub(crate) fn functions(&self) -> Vec<BlockId> {
        let symbols = self.ops(self.module.body());
        symbols.flat_map(|symbol| self.blocks(symbol)).collect()
    }

    /// The first block of the function that `block` is in, or of the operation around it of
    /// which nothing is known: constants used in `block` may stand there, and no further out.
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

    /// The operation that encloses `op`.
    pub(crate) fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.module.parent_op(op)
    }

    /// Whether `op` is there, and is `ancestor` or inside of it.
    pub(crate) fn is_inside(&self, op: OpId, ancestor: OpId) -> bool {
        let mut ancestors = std::iter::successors(Some(op), |&op| self.parent_op(op));
        self.is_attached(op) && ancestors.any(|op| op == ancestor)
    }

    /// The operation that defines a value, unless it is a block argument.
    pub(crate) fn defining_op(&self, value: ValueId) -> Option<OpId> {
        self.module.defining_op(value)
    }

    /// The block in which a value is defined.
    pub(crate) fn defining_block(&self, value: ValueId) -> BlockId {
        match self.value(value).def {
            ValueDef::Result(op, _) => self.block_of(op),
            ValueDef::Argument(block, _) => block,
        }
    }

    /// Users of a value, and which of their operands it is.
    pub(crate) fn uses(&self, value: ValueId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        self.uses.uses_of(value)
    }

    /// The number of operands that are `value`.
    pub(crate) fn num_uses(&self, value: ValueId) -> usize {
        self.uses.count(value)
    }

    /// Whether no result of the operation is used.
    pub(crate) fn is_unused(&self, op: OpId) -> bool {
        let mut results = self.op(op).results.iter();
        results.all(|&result| self.num_uses(result) == 0)
    }

    /// Makes operand number `index` of `op` another value.
    pub(crate) fn set_operand(&mut self, op: OpId, index: usize, to: ValueId) {
        let from = std::mem::replace(&mut self.module.op_mut(op).operands[index], to);
        self.uses.change(op, index, from, to);
        self.changes.changed.push(op);
        self.changes.less_used.extend(self.module.defining_op(from));
    }

    /// Gives the operands of `op`, whose slot number `slot` is its last, another list
    /// for that slot.
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

    /// Makes every user of `from` a user of `to`. A name moves along if `to` has none.
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

    /// Makes the users of `from` that are inside of `block` users of `to`.
    pub(crate) fn replace_uses_inside(&mut self, from: ValueId, block: BlockId, to: ValueId) {
        let users: Vec<(OpId, usize)> = self
            .uses(from)
            .filter(|&(user, _)| self.block_encloses(block, user))
            .collect();
        for (user, index) in users {
            self.set_operand(user, index, to);
        }
    }

    /// Whether `op` is in `block` or in a block inside of it.
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

    /// Erases an operation whose results are unused, with everything inside of it.
    pub(crate) fn erase(&mut self, op: OpId) {
        debug_assert!(self.is_unused(op), "an erased operation has no users");
        self.take_out(op);
        self.forget(op);
    }

    /// Takes an operation out of the order of its block, which may matter to what
    /// follows it and to what it is in.
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
            // Users before what they use.
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

    /// Moves an operation before `at`, in whatever block that is.
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

    /// Moves all operations of `block` before `at`.
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

    /// Makes operations before `at`.
    pub(crate) fn build_before<R>(
        &mut self,
        insertion_point: OpId,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        let block = self.block_of(insertion_point);
        self.build(block, Some(insertion_point), build)
    }

    /// Makes operations at the start of a block.
    pub(crate) fn build_at_start<R>(
        &mut self,
        block: BlockId,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        self.build(block, self.first(block), build)
    }

    /// Makes operations at the end of a block.
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

    /// Enters an operation that was just made, and those inside of it.
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

    /// Moves the block of a region to a region without one, of another operation.
    pub(crate) fn move_block(&mut self, from: RegionId, to: RegionId) {
        self.module.move_block(from, to);
    }

    /// Removes the block of region number `region` of `op`, with everything in it.
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

    /// Gives region number `region` of `op`, which has none, an empty block.
    pub(crate) fn add_block(&mut self, op: OpId, region: usize) -> BlockId {
        let region = self.op(op).regions[region];
        self.module.add_block(region)
    }

    /// Exchanges the first two regions of `op`.
    pub(crate) fn swap_regions(&mut self, op: OpId) {
        self.module.op_mut(op).regions.swap(0, 1);
        self.changes.changed.push(op);
    }

    /// The last operation of region number `region` of `op`, if that has a block.
    pub(crate) fn terminator(&self, op: OpId, region: usize) -> Option<OpId> {
        self.last(self.region_block(op, region)?)
    }

    /// Whether an operation ends a branch and leaves what is around the `if`.
    pub(crate) fn is_exit(&self, op: OpId) -> bool {
        matches!(
            self.op(op).opcode,
            Opcode::ControlFlow(
                ControlFlowOp::Break | ControlFlowOp::Continue | ControlFlowOp::Return
            )
        )
    }

    /// What has happened since the last call. The lists that are given are used on.
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

    /// Arguments and parent of a block; its operations are [`Rewriter::ops`].
    pub(crate) fn block(&self, block: BlockId) -> &Block {
        self.module.block(block)
    }
}
