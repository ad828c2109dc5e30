//! Branches, loops and terminators.

use super::{Generator, MAX_DEPTH};
use crate::ir::{OpId, ValueId};
use crate::ops::{ControlFlowOp, Version};
use crate::types::{Scalar, Type};

/// An operation that encloses the insertion point.
#[derive(Clone, Debug)]
pub(super) enum Frame {
    /// An entry or function, with the types that it returns.
    Function(Vec<Type>),
    /// A branch of `if`, with the types that it yields.
    If(Vec<Type>),
    /// `for`, with the types that it carries.
    For(Vec<Type>),
    /// `loop`, with the types that it carries and those of its results.
    Loop {
        carried: Vec<Type>,
        results: Vec<Type>,
    },
    /// The body of `reduce` or `scan`, with the types that it yields.
    Pure(Vec<Type>),
}

impl Generator<'_, '_, '_> {
    pub(super) fn control_flow(&mut self, opcode: ControlFlowOp) {
        match opcode {
            ControlFlowOp::Assert => self.assert(),
            ControlFlowOp::For | ControlFlowOp::If | ControlFlowOp::Loop
                if self.frames.len() >= MAX_DEPTH => {}
            ControlFlowOp::For => self.for_(),
            ControlFlowOp::If => self.if_(),
            ControlFlowOp::Loop => self.loop_(),
            ControlFlowOp::Break
            | ControlFlowOp::Continue
            | ControlFlowOp::Return
            | ControlFlowOp::Yield => unreachable!("terminators are not candidates"),
        }
    }

    /// Adds to `op` a region with one block of about `steps` operations and the required
    /// terminator.
    pub(super) fn region(&mut self, op: OpId, params: &[Type], frame: Frame, steps: usize) {
        let block = self.builder.add_region_block(op);
        let outer = self.builder.set_block(block);
        let mark = self.pool.enter();
        let loc = self.argument_loc();
        for &ty in params {
            let value = self.builder.module().add_block_arg(block, ty, loc);
            self.name(value);
            self.pool.add(ty, value);
        }
        self.frames.push(frame);
        self.steps(steps);
        self.terminate();
        self.frames.pop();
        self.pool.leave(mark);
        self.builder.set_block(outer);
    }

    /// Returns an approximate number of operations for a nested body.
    fn body_steps(&mut self) -> usize {
        1 + self.random.below(6)
    }

    /// Terminates the block.
    fn terminate(&mut self) {
        let frame = self.frames.last().expect("a block is inside something");
        let (opcode, types) = match frame {
            Frame::Function(results) => (ControlFlowOp::Return, results.clone()),
            Frame::Pure(results) => (ControlFlowOp::Yield, results.clone()),
            Frame::For(carried) => (ControlFlowOp::Continue, carried.clone()),
            Frame::Loop { carried, results } => {
                if self.random.one_in(3) {
                    (ControlFlowOp::Break, results.clone())
                } else {
                    (ControlFlowOp::Continue, carried.clone())
                }
            }
            Frame::If(results) => self.branch_end(results.clone()),
        };
        let operands = self.values(&types);
        let loc = self.loc();
        self.builder.terminate(opcode, &operands, loc);
    }

    /// Returns the terminator of a branch of `if`, usually the `yield` of its results, and the
    /// types of its operands.
    fn branch_end(&mut self, results: Vec<Type>) -> (ControlFlowOp, Vec<Type>) {
        let around = self.frames.iter().rev();
        let target = around
            .map_while(|frame| match frame {
                Frame::If(_) => Some(None),
                other => Some(Some(other.clone())),
            })
            .flatten()
            .next();
        if !self.random.one_in(3) {
            return (ControlFlowOp::Yield, results);
        }
        match target.expect("an entry is around everything") {
            Frame::Function(results) => (ControlFlowOp::Return, results),
            Frame::For(carried) => (ControlFlowOp::Continue, carried),
            Frame::Loop { carried, results } => {
                if self.random.one_in(2) {
                    (ControlFlowOp::Break, results)
                } else {
                    (ControlFlowOp::Continue, carried)
                }
            }
            Frame::If(_) | Frame::Pure(_) => (ControlFlowOp::Yield, results),
        }
    }

    fn assert(&mut self) {
        let condition = self.tile_type(|element| element == Scalar::I1.into());
        let condition = self.value(condition);
        let message = self.text();
        let loc = self.loc();
        let op = self
            .builder
            .op(ControlFlowOp::Assert, loc)
            .args(&[condition])
            .attr("message", crate::ir::Attr::Str(message.into()))
            .finish();
        self.discardable(op);
    }

    fn if_(&mut self) {
        let condition = self.value(Type::scalar(Scalar::I1));
        let has_else = !self.random.one_in(3);
        let results = if has_else {
            self.carried(3)
        } else {
            Vec::new()
        };
        let loc = self.loc();
        let op = self.builder.op(ControlFlowOp::If, loc).args(&[condition]);
        let op = op.results(&results).finish();
        for branch in 0..2 {
            if branch == 1 && !has_else {
                self.builder.module().add_region(op);
                continue;
            }
            let steps = self.body_steps();
            self.region(op, &[], Frame::If(results.clone()), steps);
        }
        self.define_all(op);
    }

    fn for_(&mut self) {
        let int = self.scalar(|scalar| scalar.is_integer() && scalar != Scalar::I4);
        let int = Type::scalar(int);
        let bounds = self.values(&[int; 3]);
        let carried = self.carried(3);
        let inits = self.values(&carried);
        let unsigned = self.has(Version::V13_2) && self.random.one_in(2);
        let loc = self.loc();
        let op = self
            .builder
            .op(ControlFlowOp::For, loc)
            .args(&bounds)
            .operands("initValues", &inits)
            .flag("unsignedCmp", unsigned)
            .results(&carried)
            .finish();
        let params = [vec![int], carried.clone()].concat();
        let steps = self.body_steps();
        self.region(op, &params, Frame::For(carried), steps);
        self.define_all(op);
    }

    fn loop_(&mut self) {
        let carried = self.carried(3);
        let results = if self.random.one_in(2) {
            carried.clone()
        } else {
            self.carried(3)
        };
        let inits = self.values(&carried);
        let loc = self.loc();
        let op = self
            .builder
            .op(ControlFlowOp::Loop, loc)
            .operands("initValues", &inits)
            .results(&results)
            .finish();
        let params = carried.clone();
        let steps = self.body_steps();
        self.region(op, &params, Frame::Loop { carried, results }, steps);
        self.define_all(op);
    }

    /// Like [`Generator::define`], for operations with any number of results.
    pub(super) fn define_all(&mut self, op: OpId) {
        let results: &[ValueId] = &self.builder.module().op(op).results;
        if results.is_empty() {
            self.discardable(op);
        } else {
            self.define(op);
        }
    }
}
