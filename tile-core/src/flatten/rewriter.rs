//! Copies operations from one module to another, and maps old values to new ones.

use super::FlattenOptions;
use crate::build::Builder;
use crate::ir::{BlockId, Module, Op, OpId, ValueId};
use crate::ops::{LoopOp, Opcode};

/// The old module, the new one, and the mapping of values.
pub(super) struct Rewriter<'m> {
    pub(super) from: &'m Module,
    pub(super) to: Module,
    pub(super) options: FlattenOptions,
    /// The block to which operations are appended.
    block: BlockId,
    /// The new values, indexed by old value.
    values: Vec<Option<ValueId>>,
}

impl<'m> Rewriter<'m> {
    pub(super) fn new(from: &'m Module, options: FlattenOptions) -> Self {
        let mut to = Module::new(from.name.clone());
        to.producer.clone_from(&from.producer);
        to.discardable.clone_from(&from.discardable);
        to.loc = from.loc;
        Self {
            block: to.body(),
            to,
            from,
            options,
            values: vec![None; from.num_values()],
        }
    }

    /// Returns a builder that appends to the current block.
    pub(super) fn builder(&mut self) -> Builder<'_> {
        let mut builder = Builder::new(&mut self.to);
        builder.set_block(self.block);
        builder
    }

    /// Calls `act` with `block` as the current block.
    pub(super) fn inside<T>(&mut self, block: BlockId, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.block, block);
        let result = act(self);
        self.block = outer;
        result
    }

    /// Returns the new value of an old one.
    pub(super) fn value(&self, old: ValueId) -> ValueId {
        self.values[old.index()].expect("verified code defines a value before its uses")
    }

    /// Returns the new values of old ones.
    pub(super) fn values(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().map(|&old| self.value(old)).collect()
    }

    /// Maps an old value to a new one.
    pub(super) fn bind(&mut self, old: ValueId, new: ValueId) {
        self.values[old.index()] = Some(new);
    }

    /// Maps old values to new ones like [`Rewriter::bind`], and gives the new values the names and
    /// locations of the old ones. The new values must have been made for this purpose.
    pub(super) fn bind_all(&mut self, old: &[ValueId], new: &[ValueId]) {
        for (&old, &new) in old.iter().zip(new) {
            let value = self.from.value(old);
            let twin = self.to.value_mut(new);
            twin.name.clone_from(&value.name);
            twin.loc = value.loc;
            self.bind(old, new);
        }
    }

    /// Names a value for people who read the module.
    pub(super) fn name(&mut self, value: ValueId, name: &str) {
        self.to.value_mut(value).name = Some(name.into());
    }

    /// Rewrites operations in order.
    pub(super) fn operations(&mut self, ops: &[OpId]) {
        for &id in ops {
            self.operation(id);
        }
    }

    fn operation(&mut self, id: OpId) {
        match self.from.op(id).opcode {
            Opcode::LoopDialect(LoopOp::For) => self.for_(id),
            Opcode::LoopDialect(LoopOp::If) => self.if_(id),
            Opcode::LoopDialect(LoopOp::Parallel) => self.sequential(id),
            Opcode::LoopDialect(LoopOp::Reduce | LoopOp::ReduceReturn | LoopOp::Yield) => {
                unreachable!("these go with the operation that contains them")
            }
            _ => self.copy(id),
        }
    }

    fn copy(&mut self, id: OpId) {
        let module = self.from;
        let copy = self.twin(id);
        for &region in &module.op(id).regions {
            let twin = self.to.add_region(copy);
            for &inner in &module.region(region).blocks {
                let block = self.to.add_block(twin);
                for &argument in &module.block(inner).args {
                    let value = module.value(argument);
                    let new = self.to.add_block_arg(block, value.ty, value.loc);
                    self.bind_all(&[argument], &[new]);
                }
                self.inside(block, |this| this.operations(&module.block(inner).ops));
            }
        }
    }

    /// Copies an operation without its regions.
    pub(super) fn twin(&mut self, id: OpId) -> OpId {
        let module = self.from;
        let Op {
            opcode,
            operands,
            segments,
            results,
            attrs,
            discardable,
            regions: _,
            parent: _,
            loc,
        } = module.op(id);
        let copy = self.to.add_op(Op {
            operands: self.values(operands).into(),
            segments: segments.clone(),
            attrs: attrs.clone(),
            discardable: discardable.clone(),
            ..Op::new(*opcode, *loc)
        });
        for &result in results {
            let twin = self.to.add_result(copy, module.ty(result));
            self.bind_all(&[result], &[twin]);
        }
        let end = self.to.block(self.block).ops.len();
        self.to.insert_op(self.block, end, copy);
        copy
    }

    /// Returns the block of a region, its operations except the last, and the last operation.
    pub(super) fn body(&self, id: OpId, region: usize) -> (BlockId, &'m [OpId], &'m Op) {
        let module = self.from;
        let block = module.region_block(id, region);
        let block = block.expect("verified code has a body here");
        let ops = &module.block(block).ops;
        let (&last, ops) = ops.split_last().expect("verified code has a terminator");
        (block, ops, module.op(last))
    }
}
