//! Common subexpression elimination.
//!
//! Two operations with the same opcode, operands and attributes and without memory effects compute
//! the same values; the later one is replaced where the earlier one dominates it. Operations with
//! regions are not merged.

use crate::ir::{BlockId, Op, OpId, ValueId};
use crate::ops::Effects;
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Merges common subexpressions of a module.
pub(crate) fn run(rewriter: &mut Rewriter, trace: &mut Trace) {
    let body = rewriter.module().body();
    Table::default().run(rewriter, body, trace);
}

/// The table of available expressions, kept to reuse its allocation.
#[derive(Debug, Default)]
pub(super) struct Table(FxHashMap<u64, OpId>);

impl Table {
    /// Merges common subexpressions of a block and its nested blocks.
    pub(super) fn run(&mut self, rewriter: &mut Rewriter, block: BlockId, trace: &mut Trace) {
        let available = &mut self.0;
        let mut pass = Pass {
            rewriter,
            trace,
            available,
        };
        pass.block(block);
    }
}

struct Pass<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    /// The dominating operations, by the hash of their expressions. If unequal operations collide,
    /// the first one stays.
    available: &'r mut FxHashMap<u64, OpId>,
}

impl Pass<'_> {
    fn block(&mut self, block: BlockId) {
        let mut added = Vec::new();
        let mut next = self.rewriter.first(block);
        while let Some(op) = next {
            next = self.rewriter.next(op);
            if self.rewriter.op(op).regions.is_empty() {
                self.operation(op, &mut added);
                continue;
            }
            let blocks: SmallVec<[BlockId; 2]> = self.rewriter.blocks(op).collect();
            for block in blocks {
                self.block(block);
            }
        }
        // The expressions of this block do not dominate the operations after it.
        for hash in added {
            self.available.remove(&hash);
        }
    }

    fn operation(&mut self, id: OpId, added: &mut Vec<u64>) {
        let op = self.rewriter.op(id);
        let mergeable = matches!(op.def().effects, Effects::Pure | Effects::NoMemoryEffect);
        if !mergeable || op.def().is_terminator() {
            return;
        }
        let hash = hash(op);
        match self.available.get(&hash) {
            Some(&first) if self.is_same(first, id) => {
                self.trace.note("common_subexpression", op.loc);
                let firsts = self.rewriter.op(first).results.clone();
                self.rewriter.replace(id, &firsts);
            }
            Some(_) => {}
            None => {
                self.available.insert(hash, id);
                added.push(hash);
            }
        }
    }

    /// Returns `true` if two operations compute the same values.
    fn is_same(&self, first: OpId, second: OpId) -> bool {
        let (first, second) = (self.rewriter.op(first), self.rewriter.op(second));
        let types = first.results.iter().zip(&second.results);
        first.opcode == second.opcode
            && (first.operands == second.operands || operands(first) == operands(second))
            && first.segments == second.segments
            && first.attrs == second.attrs
            && first.discardable == second.discardable
            && first.results.len() == second.results.len()
            && { types }.all(|(&a, &b)| self.rewriter.ty(a) == self.rewriter.ty(b))
    }
}

/// Returns the operands; the first two of a commutative operation are in a fixed order.
fn operands(op: &Op) -> SmallVec<[ValueId; 4]> {
    let mut operands: SmallVec<[ValueId; 4]> = SmallVec::from_slice(&op.operands);
    if op.def().commutative && operands[0] > operands[1] {
        operands.swap(0, 1);
    }
    operands
}

/// Hashes an operation; equal expressions have equal hashes.
fn hash(op: &Op) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(op.opcode.index());
    if op.def().commutative {
        // The hash must not depend on the order of the operands.
        let (lhs, rhs) = (op.operands[0].index(), op.operands[1].index());
        hasher.write_usize(lhs.min(rhs));
        hasher.write_usize(lhs.max(rhs));
    } else {
        for operand in &op.operands {
            hasher.write_usize(operand.index());
        }
    }
    op.attrs.hash(&mut hasher);
    hasher.finish()
}
