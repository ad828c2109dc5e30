//! Common subexpressions.
//!
//! Two operations without memory effects, of one opcode, with the same operands
//! and attributes compute the same; the later one is replaced where the earlier
//! one dominates it. Operations with regions are left alone.

use crate::ir::{AttrSlots, BlockId, DiscardableAttr, OpId, ValueId};
use crate::ops::{Effects, Opcode};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// What an operation computes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Expression {
    opcode: Opcode,
    operands: SmallVec<[ValueId; 4]>,
    segments: SmallVec<[u32; 4]>,
    attrs: AttrSlots,
    discardable: ThinVec<DiscardableAttr>,
    results: SmallVec<[Type; 2]>,
}

/// Replaces what is computed twice.
pub(crate) fn run(rewriter: &mut Rewriter, trace: &mut Trace) {
    let mut pass = Pass {
        rewriter,
        trace,
        known: FxHashMap::default(),
    };
    pass.block(pass.rewriter.module().body());
}

struct Pass<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    /// Dominating operations by what they compute.
    known: FxHashMap<Expression, OpId>,
}

impl Pass<'_> {
    fn block(&mut self, block: BlockId) {
        let mut added = Vec::new();
        let mut next = self.rewriter.first(block);
        while let Some(op) = next {
            next = self.rewriter.next(op);
            let blocks: SmallVec<[BlockId; 2]> = self.rewriter.blocks(op).collect();
            self.operation(op, &mut added);
            for block in blocks {
                self.block(block);
            }
        }
        // What this block computes dominates nothing after it.
        for expression in added {
            self.known.remove(&expression);
        }
    }

    fn operation(&mut self, id: OpId, added: &mut Vec<Expression>) {
        let op = self.rewriter.op(id);
        let mergeable = matches!(op.def().effects, Effects::Pure | Effects::NoMemoryEffect);
        if !mergeable || op.def().is_terminator() {
            return;
        }
        let expression = self.expression(id);
        if let Some(&first) = self.known.get(&expression) {
            self.trace.note("common_subexpression", op.loc);
            let firsts = self.rewriter.op(first).results.clone();
            self.rewriter.replace(id, &firsts);
        } else {
            self.known.insert(expression.clone(), id);
            added.push(expression);
        }
    }

    fn expression(&self, id: OpId) -> Expression {
        let op = self.rewriter.op(id);
        let mut operands: SmallVec<[ValueId; 4]> = op.operands.iter().copied().collect();
        if op.def().commutative && operands[0] > operands[1] {
            operands.swap(0, 1);
        }
        Expression {
            opcode: op.opcode,
            operands,
            segments: op.segments.clone(),
            attrs: op.attrs.clone(),
            discardable: op.discardable.clone(),
            results: op
                .results
                .iter()
                .map(|&result| self.rewriter.ty(result))
                .collect(),
        }
    }
}
