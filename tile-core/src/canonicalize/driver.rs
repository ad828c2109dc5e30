//! The greedy driver: folds and patterns until none fires.
//!
//! Rounds, as in MLIR. Each gathers the constants, then takes every operation once,
//! from top to bottom, and again whenever something it may depend on has changed.
//! Another round follows if the last one changed anything, up to [`MAX_ROUNDS`].

use super::constants::Constants;
use super::pattern::{Fold, Folded, Pattern};
use super::{branch, float, memory, misc, select};
use crate::fold;
use crate::ir::OpId;
use crate::ops::{ControlFlowOp, CoreOp, FloatOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::pass::Trace;
use crate::rewrite::{Necessity, Rewriter};

/// How often the module is gone through at most.
pub(super) const MAX_ROUNDS: usize = 10;

/// Which rewrites take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// What the public project does, and no more.
    Public,
    /// Everything.
    Full,
}

/// Runs the driver over a module. True if anything changed.
pub(super) fn run(rewriter: &mut Rewriter, scope: Scope, trace: &mut Trace) -> bool {
    let mut driver = Driver {
        rewriter,
        scope,
        trace,
        constants: Constants::default(),
        worklist: Worklist::default(),
    };
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        if !driver.round() {
            return changed;
        }
        changed = true;
    }
    changed
}

struct Driver<'r> {
    rewriter: &'r mut Rewriter,
    scope: Scope,
    trace: &'r mut Trace,
    constants: Constants,
    worklist: Worklist,
}

impl Driver<'_> {
    /// Takes every operation. True if another round may find more.
    fn round(&mut self) -> bool {
        let mut changed = self.constants.collect(self.rewriter, self.trace);
        let ops = self.rewriter.walk(self.rewriter.module().body());
        self.rewriter.take_touched();
        for op in ops.into_iter().rev() {
            if self.rewriter.op(op).opcode != Opcode::Core(CoreOp::Constant)
                || self.rewriter.is_unused(op)
            {
                self.worklist.push(op);
            }
        }
        while let Some(op) = self.worklist.pop() {
            if !self.rewriter.is_there(op) || !self.visit(op) {
                continue;
            }
            changed = true;
            for touched in self.rewriter.take_touched() {
                if self.rewriter.is_there(touched) {
                    self.worklist.push(touched);
                }
            }
        }
        changed
    }

    /// Rewrites an operation, if anything can be done.
    fn visit(&mut self, op: OpId) -> bool {
        let loc = self.rewriter.op(op).loc;
        let necessity = match self.scope {
            Scope::Public => Necessity::Conservative,
            Scope::Full => Necessity::Observable,
        };
        if self.rewriter.is_unused(op) && self.rewriter.is_removable(op, necessity) {
            self.trace.note("dead_code", loc);
            self.rewriter.erase(op);
            return true;
        }
        if let Some((name, fold)) = self.fold(op) {
            self.trace.note(name, loc);
            self.apply(op, fold);
            return true;
        }
        for pattern in patterns(self.rewriter.op(op).opcode, self.scope) {
            if (pattern.rewrite)(self.rewriter, op) {
                self.trace.note(pattern.name, loc);
                return true;
            }
        }
        false
    }

    fn fold(&mut self, op: OpId) -> Folded {
        let opcode = self.rewriter.op(op).opcode;
        let folded = match opcode {
            select::OPCODE => select::fold(self.rewriter, op),
            Opcode::ControlFlow(ControlFlowOp::If) => branch::fold(self.rewriter, op),
            Opcode::Misc(MiscOp::Assume) => misc::fold_assume(self.rewriter, op),
            _ => None,
        };
        if folded.is_some() || self.scope == Scope::Public {
            return folded;
        }
        let module = self.rewriter.module();
        let constants = fold::fold(module, op, &|value| fold::constant(module, value))?;
        Some(("constant_fold", Fold::Constants(constants)))
    }

    fn apply(&mut self, op: OpId, fold: Fold) {
        match fold {
            Fold::InPlace => {}
            Fold::Values(values) => self.rewriter.replace(op, &values),
            Fold::Constants(constants) => {
                let results = self.rewriter.op(op).results.clone();
                for (&result, dense) in results.iter().zip(&constants) {
                    let ty = self.rewriter.ty(result);
                    let made = self.constants.make(self.rewriter, op, dense, ty);
                    let value = self.rewriter.op(made).result();
                    self.rewriter.replace_uses(result, value);
                }
                self.rewriter.erase(op);
            }
        }
    }
}

/// The patterns of an operation.
fn patterns(opcode: Opcode, scope: Scope) -> &'static [Pattern] {
    match (opcode, scope) {
        (select::OPCODE, _) => select::PATTERNS,
        (Opcode::ControlFlow(ControlFlowOp::If), _) => branch::PATTERNS,
        (Opcode::Float(FloatOp::AddF), _) => float::ADDF_PATTERNS,
        (Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko), Scope::Full) => {
            memory::LOAD_PATTERNS
        }
        _ => &[],
    }
}

/// Operations to be looked at, the last first, each of them once.
#[derive(Debug, Default)]
struct Worklist {
    stack: Vec<OpId>,
    is_queued: Vec<bool>,
}

impl Worklist {
    fn push(&mut self, op: OpId) {
        if self.is_queued.len() <= op.index() {
            self.is_queued.resize(op.index() + 1, false);
        }
        if !std::mem::replace(&mut self.is_queued[op.index()], true) {
            self.stack.push(op);
        }
    }

    fn pop(&mut self) -> Option<OpId> {
        let op = self.stack.pop()?;
        self.is_queued[op.index()] = false;
        Some(op)
    }
}
