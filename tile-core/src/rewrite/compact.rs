//! The end of rewriting: operations return into their blocks.

use super::Rewriter;
use crate::ir::{BlockId, Module, Op, OpId, ValueId};

/// The module as it is now.
pub(super) fn finish(mut rewriter: Rewriter) -> Module {
    if rewriter.erased_any {
        return compact(rewriter);
    }
    let mut blocks = vec![rewriter.module.body()];
    while let Some(block) = blocks.pop() {
        let ops: Vec<OpId> = rewriter.ops(block).collect();
        for &op in &ops {
            blocks.extend(rewriter.blocks(op));
        }
        rewriter.module.put_ops(block, ops);
    }
    rewriter.module
}

/// The module in a fresh arena, without what was erased.
fn compact(rewriter: Rewriter) -> Module {
    let module = &rewriter.module;
    let mut to = Module::new(module.name.clone());
    to.producer.clone_from(&module.producer);
    to.discardable.clone_from(&module.discardable);
    to.loc = module.loc;
    to.reserve(module.num_ops());
    let body = (module.body(), to.body());
    let mut copy = Copy {
        values: vec![None; module.num_values()],
        from: rewriter,
        to,
    };
    copy.block(body.0, body.1);
    copy.to
}

struct Copy {
    from: Rewriter,
    /// The new name of each value that has been moved.
    values: Vec<Option<ValueId>>,
    to: Module,
}

impl Copy {
    fn block(&mut self, from: BlockId, to: BlockId) {
        let args = std::mem::take(&mut self.from.module.block_mut(from).args);
        self.to.reserve_args(to, args.len());
        for argument in args {
            let (ty, loc) = (self.from.ty(argument), self.from.value(argument).loc);
            let moved = self.to.add_block_arg(to, ty, loc);
            self.value(argument, moved);
        }
        let mut next = self.from.first(from);
        while let Some(id) = next {
            next = self.from.next(id);
            self.operation(id, to);
        }
    }

    fn value(&mut self, from: ValueId, to: ValueId) {
        let name = self.from.module.value_mut(from).name.take();
        self.to.value_mut(to).name = name;
        self.to.value_mut(to).loc = self.from.value(from).loc;
        self.values[from.index()] = Some(to);
    }

    fn operation(&mut self, id: OpId, block: BlockId) {
        let op = self.from.module.op_mut(id);
        let (opcode, loc) = (op.opcode, op.loc);
        let mut op = std::mem::replace(op, Op::new(opcode, loc));
        for operand in &mut op.operands {
            let moved = self.values[operand.index()];
            *operand = moved.expect("a definition stands before its uses");
        }
        let results = std::mem::take(&mut op.results);
        let regions = std::mem::take(&mut op.regions);
        op.parent = None;
        let moved = self.to.add_op(op);
        for result in results {
            let ty = self.from.ty(result);
            let twin = self.to.add_result(moved, ty);
            self.value(result, twin);
        }
        self.to.append_op(block, moved);
        for region in regions {
            let twin = self.to.add_region(moved);
            let blocks = self.from.module.region(region).blocks.clone();
            for inner in blocks {
                let block = self.to.add_block(twin);
                self.block(inner, block);
            }
        }
    }
}
