//! The greedy driver: folds and patterns until none fires.
//!
//! Rounds, as in MLIR: each gathers the constants, then takes operations from top to
//! bottom. The first takes all, or those that were changed before; whatever a rewrite
//! may have made possible is taken again: what it changed, the users of that, and the
//! conditionals that it is in. Another round follows if there are new constants, up to
//! [`MAX_ROUNDS`].

use super::constants::Constants;
use super::pattern::{Fold, Folded, Pattern};
use super::{branch, float, memory, misc, select};
use crate::fold;
use crate::ir::{BlockId, OpId};
use crate::ops::{ControlFlowOp, CoreOp, FloatOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::pass::Trace;
use crate::rewrite::{Changes, Necessity, Rewriter};
use rustc_hash::FxHashMap;

/// How often new constants are gathered at most.
const MAX_ROUNDS: usize = 10;

/// Which rewrites take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// What the public project does, and no more.
    Public,
    /// Everything.
    Full,
}

/// Where to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With all operations.
    Everywhere,
    /// With those that have changed since the driver ended.
    AtChanges,
}

/// What the driver keeps from one function to the next, for its allocations.
#[derive(Debug, Default)]
pub(super) struct Driver {
    constants: Constants,
    worklist: Worklist,
    changes: Changes,
    /// Of operations with regions, what inside keeps them.
    reasons: FxHashMap<OpId, OpId>,
}

impl Driver {
    /// Runs over a block, with everything inside of it.
    pub(super) fn run(
        &mut self,
        rewriter: &mut Rewriter,
        block: BlockId,
        (scope, start): (Scope, Start),
        trace: &mut Trace,
    ) {
        let mut run = Run {
            rewriter,
            scope,
            trace,
            driver: self,
            has_new_constants: false,
        };
        run.until_nothing_fires(block, start);
        #[cfg(debug_assertions)]
        run.assert_fixed_point(block);
    }
}

struct Run<'r> {
    rewriter: &'r mut Rewriter,
    scope: Scope,
    trace: &'r mut Trace,
    driver: &'r mut Driver,
    /// Whether constants were made since they were gathered.
    has_new_constants: bool,
}

impl Run<'_> {
    fn until_nothing_fires(&mut self, block: BlockId, start: Start) {
        if start == Start::AtChanges {
            self.push_changes();
        }
        for round in 0..MAX_ROUNDS {
            let is_everything = round == 0 && start == Start::Everywhere;
            if is_everything || self.has_new_constants {
                let driver = &mut *self.driver;
                let ops = driver.constants.collect(self.rewriter, block, self.trace);
                if is_everything {
                    // Everything is taken anyway.
                    let empty = std::mem::take(&mut driver.changes);
                    driver.changes = self.rewriter.take_changes(empty);
                    driver.worklist.begin(ops);
                }
                self.push_changes();
                self.has_new_constants = false;
            }
            while let Some(op) = self.driver.worklist.pop() {
                if self.rewriter.is_attached(op) && self.visit(op) {
                    self.push_changes();
                }
            }
            if !self.has_new_constants {
                return;
            }
        }
    }

    /// Takes what has changed again, and what may match because of it.
    fn push_changes(&mut self) {
        let empty = std::mem::take(&mut self.driver.changes);
        self.driver.changes = self.rewriter.take_changes(empty);
        let Self {
            rewriter,
            driver,
            has_new_constants,
            ..
        } = self;
        let Driver {
            constants: _,
            worklist,
            changes,
            reasons: _,
        } = &mut **driver;
        for &op in &changes.less_used {
            if rewriter.is_attached(op) {
                worklist.push(op);
            }
        }
        for &op in &changes.changed {
            if !rewriter.is_attached(op) {
                continue;
            }
            let data = rewriter.op(op);
            *has_new_constants |= data.opcode == Opcode::Core(CoreOp::Constant);
            for &result in &data.results {
                for (user, _) in rewriter.uses(result) {
                    worklist.push_with_conditionals(rewriter, user);
                }
            }
            worklist.push_with_conditionals(rewriter, op);
        }
    }

    /// Nothing more can be done, wherever one looks: what is taken again is enough.
    #[cfg(debug_assertions)]
    fn assert_fixed_point(&mut self, block: BlockId) {
        for op in self.rewriter.walk(block) {
            let before = self.trace.statistics();
            if self.rewriter.is_attached(op) && self.visit(op) {
                let after = self.trace.statistics();
                panic!("not at a fixed point: {before:?} and then {after:?}");
            }
        }
    }

    /// Rewrites an operation, if anything can be done.
    fn visit(&mut self, op: OpId) -> bool {
        let loc = self.rewriter.op(op).loc;
        let necessity = match self.scope {
            Scope::Public => Necessity::Conservative,
            Scope::Full => Necessity::Observable,
        };
        if self.rewriter.is_unused(op) && !self.is_needed(op, necessity) {
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

    /// Whether an operation must stay although nothing uses it. Why a region must is
    /// remembered: it is asked after every change inside, and looking through all of it
    /// each time would take a time that grows with the square of its size.
    fn is_needed(&mut self, op: OpId, necessity: Necessity) -> bool {
        if self.rewriter.op(op).regions.is_empty() {
            return !self.rewriter.is_removable(op, necessity);
        }
        if let Some(&reason) = self.driver.reasons.get(&op)
            && self.rewriter.is_inside(reason, op)
        {
            return true;
        }
        let reason = self.rewriter.needed(op, necessity);
        if let Some(reason) = reason {
            self.driver.reasons.insert(op, reason);
        }
        reason.is_some()
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
                    let constant = self.driver.constants.make(self.rewriter, op, dense, ty);
                    let value = self.rewriter.op(constant).result();
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
    /// Takes these operations, the first of them first.
    fn begin(&mut self, ops: Vec<OpId>) {
        debug_assert!(self.stack.is_empty());
        for op in ops.into_iter().rev() {
            self.push(op);
        }
    }

    fn push(&mut self, op: OpId) {
        if self.is_queued.len() <= op.index() {
            self.is_queued.resize(op.index() + 1, false);
        }
        if !std::mem::replace(&mut self.is_queued[op.index()], true) {
            self.stack.push(op);
        }
    }

    /// Also the conditionals that look at the operation: the one that it is in, the one
    /// that that is in, and, if it is one itself, the next.
    fn push_with_conditionals(&mut self, rewriter: &Rewriter, op: OpId) {
        self.push(op);
        if rewriter.op(op).opcode == Opcode::ControlFlow(ControlFlowOp::If)
            && let Some(next) = rewriter.next(op)
        {
            self.push(next);
        }
        let mut ancestor = op;
        for _ in 0..2 {
            match rewriter.parent_op(ancestor) {
                Some(parent) if !rewriter.op(parent).opcode.is_isolated() => ancestor = parent,
                _ => return,
            }
            self.push(ancestor);
        }
    }

    fn pop(&mut self) -> Option<OpId> {
        let op = self.stack.pop()?;
        self.is_queued[op.index()] = false;
        Some(op)
    }
}
