//! `licm`: loop-invariant code motion.
//!
//! In `for` and `loop`, an operation whose operands are defined outside moves before the loop, and
//! directly out of every enclosing loop that does not define its operands. Moved operations keep
//! their order. An operation may move if
//!
//! - it is defined for any operands ([`speculation`]), from anywhere in the loop, including an
//!   `if`. An operation that may now run where it did not before loses its promise not to overflow;
//! - it is another operation without effects, such as a division, and certainly runs: the loop runs
//!   at least once, and no operation before it may leave the body or fail to terminate;
//! - it is a `reduce` or `scan` whose body consists of operations that may move. It moves as a
//!   whole. Nothing moves out of its body, so that later passes still recognize the body.
//!
//! Loads, stores, `assume`, `assert`, loops and `if`s stay. The pass visits operations once in
//! program order, each after its operands have moved.

use super::speculation::{Speculation, speculation};
use crate::ir::{Attr, BlockId, IntegerOverflow, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Effects, Opcode};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use smallvec::SmallVec;

/// Moves invariant operations out of loops.
pub(crate) fn licm(rewriter: &mut Rewriter, trace: &mut Trace) {
    let body = rewriter.module().body();
    let mut pass = Pass {
        depths: vec![0; rewriter.module().num_values()],
        loops: Vec::new(),
        rewriter,
        trace,
    };
    pass.block(body);
}

/// A loop around the current operation.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: OpId,
    /// True if the current operation runs whenever the loop is reached.
    is_certain: bool,
}

/// The certainty that execution continues with the next operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completion {
    Certain,
    /// The operation may jump out of the enclosing loop, or not terminate.
    Uncertain,
}

struct Pass<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    /// For each value, the number of loops around its definition.
    depths: Vec<usize>,
    loops: Vec<Frame>,
}

impl Pass<'_> {
    /// Visits all operations of a block; the result is certain if its terminator is always reached.
    fn block(&mut self, block: BlockId) -> Completion {
        self.define(&self.rewriter.block(block).args.clone());
        let mut completion = Completion::Certain;
        let mut next = self.rewriter.first(block);
        while let Some(id) = next {
            next = self.rewriter.next(id);
            if self.operation(id) == Completion::Uncertain {
                completion = Completion::Uncertain;
                if let Some(frame) = self.loops.last_mut() {
                    frame.is_certain = false;
                }
            }
        }
        completion
    }

    fn define(&mut self, values: &[ValueId]) {
        for value in values {
            self.depths[value.index()] = self.loops.len();
        }
    }

    fn operation(&mut self, id: OpId) -> Completion {
        let op = self.rewriter.op(id);
        let results = op.results.clone();
        let is_unknown = matches!(op.opcode, Opcode::Unregistered(_));
        let completion = match op.opcode {
            Opcode::ControlFlow(kind) => self.control_flow(id, kind),
            Opcode::Core(CoreOp::Reduce | CoreOp::Scan) => Completion::Certain,
            _ => {
                for block in self.blocks(id) {
                    self.block(block);
                }
                if is_unknown {
                    Completion::Uncertain
                } else {
                    Completion::Certain
                }
            }
        };
        self.define(&results);
        self.hoist(id);
        completion
    }

    fn blocks(&self, id: OpId) -> SmallVec<[BlockId; 2]> {
        self.rewriter.blocks(id).collect()
    }

    fn control_flow(&mut self, id: OpId, kind: ControlFlowOp) -> Completion {
        match kind {
            // An exit matters only if it ends a branch of an `if`, which `branches` checks.
            ControlFlowOp::Break
            | ControlFlowOp::Continue
            | ControlFlowOp::Return
            | ControlFlowOp::Yield => Completion::Certain,
            // A failed assertion may end the kernel.
            ControlFlowOp::Assert => Completion::Uncertain,
            ControlFlowOp::If => self.branches(id),
            ControlFlowOp::For | ControlFlowOp::Loop => {
                let is_endless = kind == ControlFlowOp::Loop;
                let is_certain = is_endless || self.runs_at_least_once(id);
                self.loops.push(Frame { id, is_certain });
                let blocks = self.blocks(id).into_iter();
                let completions: SmallVec<[Completion; 1]> =
                    blocks.map(|block| self.block(block)).collect();
                self.loops.pop();
                let ends = !is_endless && !completions.contains(&Completion::Uncertain);
                if ends {
                    Completion::Certain
                } else {
                    Completion::Uncertain
                }
            }
        }
    }

    fn branches(&mut self, id: OpId) -> Completion {
        let before = self.loops.last().copied();
        let mut completion = Completion::Certain;
        for block in self.blocks(id) {
            if let Some(frame) = self.loops.last_mut() {
                frame.is_certain = false;
            }
            let leaves = self
                .rewriter
                .last(block)
                .is_some_and(|last| self.rewriter.is_exit(last));
            if self.block(block) == Completion::Uncertain || leaves {
                completion = Completion::Uncertain;
            }
        }
        if let (Some(frame), Some(before)) = (self.loops.last_mut(), before) {
            *frame = before;
        }
        completion
    }

    /// Returns `true` if constant bounds show that a `for` has a first iteration.
    fn runs_at_least_once(&self, id: OpId) -> bool {
        let op = self.rewriter.op(id);
        let bound = |index: usize| self.rewriter.splat_integer(op.operands[index]);
        let (Some((scalar, lower)), Some((_, upper))) = (bound(0), bound(1)) else {
            return false;
        };
        if op.has_flag("unsignedCmp") {
            return lower < upper;
        }
        let shift = 64 - scalar.bits();
        let signed = |bits: u64| (bits << shift).cast_signed() >> shift;
        signed(lower) < signed(upper)
    }

    /// Moves an operation before the outermost loop that does not define its operands.
    fn hoist(&mut self, id: OpId) {
        let op = self.rewriter.op(id);
        let is_combination = matches!(op.opcode, Opcode::Core(CoreOp::Reduce | CoreOp::Scan));
        let is_effect_free = matches!(op.def().effects, Effects::Pure | Effects::NoMemoryEffect);
        let may_move = is_combination || (is_effect_free && !op.def().is_terminator());
        if !may_move || self.loops.is_empty() {
            return;
        }
        let needed = self.needed_depth(id);
        // Outside this many loops, the operation may run where it did not run before.
        let certain = self.loops.iter().rev().take_while(|frame| frame.is_certain);
        let certain = self.loops.len() - certain.count();
        let depth = match speculation(self.rewriter, id) {
            Speculation::Free => needed,
            Speculation::WithoutPromise => {
                if needed < certain {
                    self.trace.note("drop_overflow", op.loc);
                    let none = Attr::Overflow(IntegerOverflow::None);
                    self.rewriter.op_mut(id).set_attr("overflow", Some(none));
                }
                needed
            }
            Speculation::Never => needed.max(certain),
        };
        let Some(&Frame { id: outermost, .. }) = self.loops.get(depth) else {
            return;
        };
        let op = self.rewriter.op(id);
        self.trace.note("hoist", op.loc);
        for result in &op.results {
            self.depths[result.index()] = depth;
        }
        self.rewriter.move_before(id, outermost);
    }

    /// Returns the number of loops around the definitions that an operation uses.
    fn needed_depth(&self, id: OpId) -> usize {
        let blocks = self.blocks(id);
        let inner = blocks.iter().flat_map(|&block| self.rewriter.ops(block));
        let used = std::iter::once(id).chain(inner).flat_map(|user| {
            let operands = self.rewriter.op(user).operands.iter();
            operands.filter(|&&value| !blocks.contains(&self.rewriter.defining_block(value)))
        });
        used.map(|value| self.depths[value.index()])
            .max()
            .unwrap_or(0)
    }
}
