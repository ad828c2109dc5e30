//! Copies the live part of a module into a fresh arena.

use super::cse::Merged;
use super::dce::Live;
use crate::ir::{BlockId, Module, Op, OpId, ValueId};
use crate::ops::MemoryOp;
use crate::types::Type;

/// The live operations of `module`, with merged values replaced.
pub(super) fn rebuild(module: &Module, merged: &Merged, live: &Live) -> Module {
    let mut to = Module::new(module.name.clone());
    to.producer.clone_from(&module.producer);
    to.discardable.clone_from(&module.discardable);
    to.loc = module.loc;
    let mut copy = Copy {
        from: module,
        merged,
        live,
        values: vec![None; module.num_values()],
        to,
    };
    let body = copy.to.body();
    copy.block(module.body(), body);
    copy.to
}

struct Copy<'m> {
    from: &'m Module,
    merged: &'m Merged,
    live: &'m Live,
    /// The copy of each value.
    values: Vec<Option<ValueId>>,
    to: Module,
}

impl Copy<'_> {
    fn block(&mut self, from: BlockId, to: BlockId) {
        let module = self.from;
        for &argument in &module.block(from).args {
            let value = module.value(argument);
            let copy = self.to.add_block_arg(to, value.ty, value.loc);
            self.to.value_mut(copy).name.clone_from(&value.name);
            self.values[argument.index()] = Some(copy);
        }
        for &id in &module.block(from).ops {
            if self.live.is_bypassed(id) {
                self.bypass(id, to);
            } else if self.live.contains(id) {
                self.operation(id, to);
            }
        }
    }

    fn mapped(&self, value: ValueId) -> ValueId {
        self.values[self.merged.find(value).index()]
            .expect("operands of live operations are live and come first")
    }

    /// The token of a removed load is the one that it waited for.
    fn bypass(&mut self, id: OpId, block: BlockId) {
        let op = self.from.op(id);
        let token = match op.optional_operand("token") {
            Some(token) => self.mapped(token),
            None => self.fresh_token(op, block),
        };
        self.values[op.results[1].index()] = Some(token);
    }

    fn fresh_token(&mut self, op: &Op, block: BlockId) -> ValueId {
        let made = self.to.add_op(Op::new(MemoryOp::MakeToken.into(), op.loc));
        let token = self.to.add_result(made, Type::token());
        let end = self.to.block(block).ops.len();
        self.to.insert_op(block, end, made);
        token
    }

    fn operation(&mut self, id: OpId, block: BlockId) {
        let module = self.from;
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
        } = module.op(id);
        let copy = self.to.add_op(Op {
            operands: operands
                .iter()
                .map(|&operand| self.mapped(operand))
                .collect(),
            segments: segments.clone(),
            attrs: attrs.clone(),
            discardable: discardable.clone(),
            ..Op::new(*opcode, *loc)
        });
        for &result in results {
            let value = module.value(result);
            let twin = self.to.add_result(copy, value.ty);
            self.to.value_mut(twin).name.clone_from(&value.name);
            self.to.value_mut(twin).loc = value.loc;
            self.values[result.index()] = Some(twin);
        }
        let end = self.to.block(block).ops.len();
        self.to.insert_op(block, end, copy);
        for &region in regions {
            let twin = self.to.add_region(copy);
            for &inner in &module.region(region).blocks {
                let block = self.to.add_block(twin);
                self.block(inner, block);
            }
        }
    }
}
