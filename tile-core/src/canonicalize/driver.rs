//! The greedy driver: applies folds and patterns until none fires.
//!
//! As in MLIR, the driver works in rounds: each round collects the constants, then visits
//! operations from top to bottom. The first round visits all operations, or those that changed
//! since the last run. Each rewrite queues again the operations that may match because of it: those
//! that it changed, their users, and the enclosing conditionals. Another round follows if there are
//! new constants, up to [`MAX_ROUNDS`] rounds.

use super::constants::Constants;
use super::pattern::{Fold, Folded, Pattern};
use super::{branch, float, memory, misc, select};
use crate::fold;
use crate::ir::{BlockId, OpId};
use crate::ops::{ControlFlowOp, CoreOp, FloatOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::pass::Trace;
use crate::rewrite::{Changes, Necessity, Rewriter};
use rustc_hash::FxHashMap;

/// The maximum number of times that new constants are collected.
const MAX_ROUNDS: usize = 10;

/// The set of rewrites that the driver applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The rewrites of the public project only.
    Public,
    /// All rewrites.
    Full,
}

/// The operations that are visited first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// All operations.
    Everywhere,
    /// The operations that have changed since the last run of the driver.
    AtChanges,
}

/// State of the driver that is kept between functions to reuse its allocations.
#[derive(Debug, Default)]
pub(super) struct Driver {
    constants: Constants,
    worklist: Worklist,
    changes: Changes,
    /// For an operation with regions, a nested operation that keeps it alive.
    reasons: FxHashMap<OpId, OpId>,
}

impl Driver {
    /// Rewrites a block and its nested blocks until no rewrite fires.
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
    /// True if constants were made since they were last collected.
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
                    // The worklist holds every operation already, so the recorded changes are
                    // dropped.
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

    /// Queues the operations that changed and those that may now match because of the changes.
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

    /// Asserts that no operation can be rewritten, so that revisiting only what changed suffices.
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

    /// Rewrites an operation once; returns `true` if a rewrite fired.
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

    /// Returns `true` if an operation must stay although it has no uses. For an operation with
    /// regions, caches the nested operation that keeps it alive: every change inside it repeats
    /// this check, and a full search each time would take quadratic time.
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

/// Returns the patterns of an operation.
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

/// A stack of operations to visit, each at most once.
#[derive(Debug, Default)]
struct Worklist {
    stack: Vec<OpId>,
    is_queued: Vec<bool>,
}

impl Worklist {
    /// Fills the empty worklist; `ops` are popped in order.
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

    /// Pushes the operation and the conditionals whose patterns inspect it: the two innermost
    /// enclosing ones and, if the operation is itself an `if`, the operation after it.
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
