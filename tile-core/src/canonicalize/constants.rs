//! Hoists constants to the start of the entry and merges equal ones.

use crate::ir::{BlockId, DenseElements, OpId};
use crate::ops::{CoreOp, Opcode};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The constants at the start of each function.
///
/// Their order is that of MLIR's `OperationFolder`, on which tests of the public project depend: a
/// constant that is first or follows a registered constant stays; any other moves to the front.
#[derive(Debug, Default)]
pub(super) struct Constants {
    registered: FxHashMap<(BlockId, Type, Arc<DenseElements>), OpId>,
    owned: FxHashSet<OpId>,
}

impl Constants {
    /// Hoists and merges the constants of a block and of its nested blocks. Returns all operations
    /// of these blocks in the original order, each before the operations in its regions.
    pub(super) fn collect(
        &mut self,
        rewriter: &mut Rewriter,
        block: BlockId,
        trace: &mut Trace,
    ) -> Vec<OpId> {
        self.registered.clear();
        self.owned.clear();
        let ops = rewriter.walk(block);
        for &op in &ops {
            if rewriter.op(op).opcode == Opcode::Core(CoreOp::Constant) {
                self.enter(rewriter, op, trace);
            }
        }
        ops
    }

    fn enter(&mut self, rewriter: &mut Rewriter, op: OpId, trace: &mut Trace) {
        let home = rewriter.home(rewriter.block_of(op));
        let result = rewriter.op(op).result();
        let Some(dense) = rewriter.constant(result) else {
            return;
        };
        let key = (home, rewriter.ty(result), Arc::clone(dense));
        if let Some(&first) = self.registered.get(&key) {
            trace.note("constant_merge", rewriter.op(op).loc);
            let first = rewriter.op(first).result();
            rewriter.replace(op, &[first]);
            return;
        }
        let follows_owned = rewriter
            .prev(op)
            .is_none_or(|prev| self.owned.contains(&prev));
        if rewriter.block_of(op) != home || !follows_owned {
            if rewriter.block_of(op) != home {
                trace.note("constant_hoist", rewriter.op(op).loc);
            }
            let front = rewriter.first(home).expect("a block has a terminator");
            rewriter.move_before(op, front);
        }
        self.registered.insert(key, op);
        self.owned.insert(op);
    }

    /// Returns a constant at the start of the function that contains `near`; makes it if needed.
    pub(super) fn make(
        &mut self,
        rewriter: &mut Rewriter,
        near: OpId,
        dense: &Arc<DenseElements>,
        ty: Type,
    ) -> OpId {
        let home = rewriter.home(rewriter.block_of(near));
        let key = (home, ty, Arc::clone(dense));
        if let Some(&existing) = self.registered.get(&key)
            && rewriter.is_attached(existing)
        {
            return existing;
        }
        let loc = rewriter.op(near).loc;
        let constant = rewriter.build_at_start(home, |builder| {
            builder
                .op(CoreOp::Constant, loc)
                .attr("value", crate::ir::Attr::Dense(Arc::clone(dense)))
                .result(ty)
                .finish()
        });
        self.registered.insert(key, constant);
        self.owned.insert(constant);
        constant
    }
}
