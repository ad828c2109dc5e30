//! Regions, terminators, and branches in the forms that are rewritten.

use super::{LOC, Maker};
use crate::ir::{OpId, ValueId};
use crate::ops::ControlFlowOp;
use crate::types::{Scalar, Type};

/// An operation that encloses the insertion point.
#[derive(Clone, Debug)]
pub(super) enum Frame {
    Entry,
    If(Flow),
    For(Flow),
    Loop {
        /// The operands of `continue`, after the next count.
        carried: Flow,
        /// The operands of `break`.
        results: Flow,
        /// The count of the next iteration.
        next: ValueId,
    },
}

/// The operands of a terminator.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) types: Vec<Type>,
    /// Preferred values, where there are any.
    preferred: Vec<Option<ValueId>>,
    /// The chains whose tokens follow the values.
    pub(super) chains: Vec<usize>,
}

impl Flow {
    pub(super) fn all_types(&self) -> Vec<Type> {
        let tokens = vec![Type::token(); self.chains.len()];
        [self.types.clone(), tokens].concat()
    }
}

impl Maker<'_> {
    /// Returns the types of values that a region returns, and the chains that it extends.
    pub(super) fn flow(&mut self) -> Flow {
        let types: Vec<Type> = (0..self.random.below(4))
            .map(|_| {
                if self.random.one_in(4) {
                    Type::scalar(Scalar::I1)
                } else {
                    self.tile_type(|_| true)
                }
            })
            .collect();
        let chains = self.open.clone();
        let chains = chains.into_iter().filter(|_| self.random.one_in(2));
        Flow {
            preferred: vec![None; types.len()],
            types,
            chains: chains.collect(),
        }
    }

    /// Returns the tokens of the chains at the start of a region.
    pub(super) fn tokens_of(&mut self, flow: &Flow) -> Vec<ValueId> {
        let chains = flow.chains.iter();
        chains.map(|&chain| self.token_of(chain)).collect()
    }

    /// Adds a region to `op`; `tokens` are those of the chains of `flow` at its start.
    pub(super) fn region(
        &mut self,
        op: OpId,
        params: &[Type],
        flow: &Flow,
        body: impl FnOnce(&mut Self, &[ValueId]),
    ) {
        let block = self.builder.add_region_block(op);
        let outer = self.builder.set_block(block);
        let mark = self.pool.enter();
        self.marks.push(mark);
        let args: Vec<ValueId> = params
            .iter()
            .map(|&ty| self.builder.module().add_block_arg(block, ty, LOC))
            .collect();
        for (&ty, &arg) in params.iter().zip(&args) {
            self.pool.add(ty, arg);
        }
        let chains = self.chains.clone();
        let open = std::mem::replace(&mut self.open, flow.chains.clone());
        body(self, &args);
        self.open = open;
        self.chains = chains;
        self.pool.leave(mark);
        self.marks.pop();
        self.builder.set_block(outer);
    }

    /// Adds the results of an operation with regions to the pool.
    pub(super) fn define_results(&mut self, op: OpId, flow: &Flow) {
        let results = self.builder.module().op(op).results.clone();
        for &result in &results {
            let ty = self.builder.ty(result);
            self.pool.add(ty, result);
        }
        for (&chain, &token) in flow.chains.iter().zip(&results[flow.types.len()..]) {
            self.after_store(chain, token);
        }
        self.fuel = self.fuel.saturating_sub(1);
    }

    /// Returns the operands of a terminator.
    pub(super) fn given(&mut self, flow: &Flow) -> Vec<ValueId> {
        let mut leaves = self.leaves();
        let mut values = Vec::new();
        for (&ty, &preferred) in flow.types.iter().zip(&flow.preferred) {
            let leaf = leaves.iter().rposition(|&(other, _)| other == ty);
            let value = match (preferred, leaf) {
                (Some(value), _) if !self.random.one_in(4) => value,
                (_, Some(leaf)) if !self.random.one_in(4) => leaves.remove(leaf).1,
                _ if ty == Type::scalar(Scalar::I1) && self.random.one_in(2) => {
                    let bits = self.random.below(2) as u64;
                    self.splat(Scalar::I1, bits, &[])
                }
                _ => self.value(ty),
            };
            values.push(value);
        }
        self.store_leaves(&leaves, 3);
        values.extend(self.tokens_of(flow));
        values
    }

    /// Terminates the block of a branch, usually with its results.
    fn end_branch(&mut self) {
        let innermost = self.frames.last().expect("a branch is inside something");
        let Frame::If(own_frame) = innermost.clone() else {
            unreachable!("only branches end here");
        };
        let mut around = self.frames.iter().rev();
        let target = around.find(|frame| !matches!(frame, Frame::If(_)));
        let target = target.expect("an entry is around everything").clone();
        // After a `return` nothing is observable.
        let rarity = if matches!(target, Frame::Entry) {
            12
        } else {
            4
        };
        if !self.random.one_in(rarity) {
            let values = self.given(&own_frame);
            return self.builder.terminate(ControlFlowOp::Yield, &values, LOC);
        }
        match target {
            Frame::Entry => {
                let leaves = self.leaves();
                self.store_leaves(&leaves, 3);
                self.output();
                self.builder.terminate(ControlFlowOp::Return, &[], LOC);
            }
            Frame::For(flow) => {
                let values = self.given(&flow);
                self.builder
                    .terminate(ControlFlowOp::Continue, &values, LOC);
            }
            Frame::Loop { results, .. } if self.random.one_in(2) => {
                let values = self.given(&results);
                self.builder.terminate(ControlFlowOp::Break, &values, LOC);
            }
            Frame::Loop { carried, next, .. } => self.go_on(&carried, next),
            Frame::If(_) => unreachable!("these were skipped"),
        }
    }

    /// Makes a `continue`, which starts the next iteration of a `loop`.
    pub(super) fn go_on(&mut self, carried: &Flow, next: ValueId) {
        let values = [vec![next], self.given(carried)].concat();
        self.builder
            .terminate(ControlFlowOp::Continue, &values, LOC);
    }

    pub(super) fn body_steps(&mut self) -> usize {
        self.random.below(5)
    }

    /// Makes an `if`, sometimes followed by another on the same or the opposite condition.
    pub(super) fn branch(&mut self) {
        let condition = match self.random.below(6) {
            0 => {
                let bits = self.random.below(2) as u64;
                self.splat(Scalar::I1, bits, &[])
            }
            1 => {
                let condition = self.value(Type::scalar(Scalar::I1));
                self.negation(condition)
            }
            2 | 3 => {
                let scalar = self.scalar(|_| true).expect("there are types");
                self.comparison(Type::scalar(scalar))
            }
            _ => self.value(Type::scalar(Scalar::I1)),
        };
        let second = match self.random.below(4) {
            0 => Some(condition),
            1 => Some(self.negation(condition)),
            _ => None,
        };
        self.branch_on(condition);
        if let Some(condition) = second {
            self.branch_on(condition);
        }
    }

    pub(super) fn branch_on(&mut self, condition: ValueId) {
        let mut flow = self.flow();
        let has_else = !flow.all_types().is_empty() || self.random.one_in(2);
        let tokens = self.tokens_of(&flow);
        for (ty, preferred) in flow.types.iter().zip(&mut flow.preferred) {
            if self.random.one_in(3) {
                *preferred = self.pool.pick(*ty, &mut self.random);
            }
        }
        let op = self
            .builder
            .op(ControlFlowOp::If, LOC)
            .args(&[condition])
            .results(&flow.all_types())
            .finish();
        for branch in 0..2 {
            if branch == 1 && !has_else {
                self.builder.module().add_region(op);
                continue;
            }
            self.region(op, &[], &flow, |maker, _| {
                maker.start(&flow, &tokens);
                maker.frames.push(Frame::If(flow.clone()));
                let is_nest = maker.frames.len() <= maker.options.depth && maker.random.one_in(6);
                if is_nest {
                    // The branch holds only another `if`, and passes its results on.
                    maker.nested(&flow);
                } else {
                    let steps = maker.body_steps();
                    maker.steps(steps);
                    maker.end_branch();
                }
                maker.frames.pop();
            });
        }
        self.define_results(op, &flow);
    }

    /// Sets the tokens of the chains of `flow` at the start of a region.
    pub(super) fn start(&mut self, flow: &Flow, tokens: &[ValueId]) {
        for (&chain, &token) in flow.chains.iter().zip(tokens) {
            self.after_store(chain, token);
        }
    }

    /// Makes an `if` with the results of the enclosing one, and its `yield`.
    fn nested(&mut self, flow: &Flow) {
        let truth = Type::scalar(Scalar::I1);
        let condition = self.pool.pick(truth, &mut self.random);
        let condition = condition.unwrap_or_else(|| self.value(truth));
        let tokens = self.tokens_of(flow);
        let op = self
            .builder
            .op(ControlFlowOp::If, LOC)
            .args(&[condition])
            .results(&flow.all_types())
            .finish();
        let has_else = !flow.all_types().is_empty();
        for branch in 0..2 {
            if branch == 1 && !has_else {
                self.builder.module().add_region(op);
                continue;
            }
            self.region(op, &[], flow, |maker, _| {
                maker.start(flow, &tokens);
                maker.frames.push(Frame::If(flow.clone()));
                let steps = maker.body_steps();
                maker.steps(if branch == 0 { steps } else { 0 });
                maker.end_branch();
                maker.frames.pop();
            });
        }
        let results = self.builder.module().op(op).results.clone();
        self.builder.terminate(ControlFlowOp::Yield, &results, LOC);
    }
}
