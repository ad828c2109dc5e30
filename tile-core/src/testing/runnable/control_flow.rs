//! Branches and loops, in the forms that are rewritten; all loops end.

use super::{LOC, Maker};
use crate::ir::{Attr, ComparisonPredicate, OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, ControlFlowOp, IntegerOp};
use crate::types::{Scalar, Type};

/// An operation that the insertion point is inside of.
#[derive(Clone, Debug)]
pub(super) enum Frame {
    Entry,
    If(Flow),
    For(Flow),
    Loop {
        /// What `continue` gives, after the next count.
        carried: Flow,
        /// What `break` gives.
        results: Flow,
        /// The count of the next iteration.
        next: ValueId,
    },
}

/// What a terminator gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    types: Vec<Type>,
    /// Values that are given rather than others, where there is one.
    preferred: Vec<Option<ValueId>>,
    /// The chains whose tokens follow.
    chains: Vec<usize>,
}

impl Flow {
    fn all_types(&self) -> Vec<Type> {
        let tokens = vec![Type::token(); self.chains.len()];
        [self.types.clone(), tokens].concat()
    }
}

impl Maker<'_> {
    /// Types of values that a region gives, and chains that it extends.
    fn flow(&mut self) -> Flow {
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

    /// The tokens of the chains as a region finds them.
    fn tokens_of(&mut self, flow: &Flow) -> Vec<ValueId> {
        let chains = flow.chains.iter();
        chains.map(|&chain| self.token_of(chain)).collect()
    }

    /// Gives `op` a region; `tokens` are those of the chains of `flow` at its start.
    fn region(
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

    /// Takes the results of an operation with regions into account.
    fn define_results(&mut self, op: OpId, flow: &Flow) {
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

    /// What a terminator gives.
    fn given(&mut self, flow: &Flow) -> Vec<ValueId> {
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

    /// Ends the block of a branch, most often with its results.
    fn end_branch(&mut self) {
        let innermost = self.frames.last().expect("a branch is inside something");
        let Frame::If(own) = innermost.clone() else {
            unreachable!("only branches end here");
        };
        let mut around = self.frames.iter().rev();
        let target = around.find(|frame| !matches!(frame, Frame::If(_)));
        let target = target.expect("an entry is around everything").clone();
        // After a `return` there is nothing left to see.
        let rarity = if matches!(target, Frame::Entry) {
            12
        } else {
            4
        };
        if !self.random.one_in(rarity) {
            let values = self.given(&own);
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

    /// The next iteration of a `loop`.
    fn go_on(&mut self, carried: &Flow, next: ValueId) {
        let values = [vec![next], self.given(carried)].concat();
        self.builder
            .terminate(ControlFlowOp::Continue, &values, LOC);
    }

    fn body_steps(&mut self) -> usize {
        self.random.below(5)
    }

    /// An `if`, at times with another on the same or the opposite condition behind it.
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

    fn branch_on(&mut self, condition: ValueId) {
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
                    // Nothing but another branch, whose results are given on.
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

    /// The chains of a region start at these tokens.
    fn start(&mut self, flow: &Flow, tokens: &[ValueId]) {
        for (&chain, &token) in flow.chains.iter().zip(tokens) {
            self.after_store(chain, token);
        }
    }

    /// An `if` with the results of the one around it, and its `yield`.
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

    /// A `for` or a `loop`.
    pub(super) fn repeat(&mut self) {
        let outermost = self.outermost_loop;
        let flow = self.flow();
        let inits = self.values(&flow.types);
        let inits = [inits, self.tokens_of(&flow)].concat();
        if self.random.one_in(3) {
            self.endless(&flow, &inits);
        } else {
            self.counted(&flow, &inits);
        }
        self.outermost_loop = outermost;
    }

    /// Remembers which values were there before the outermost loop.
    fn enter_loop(&mut self) {
        let mark = self.pool.enter();
        self.outermost_loop.get_or_insert(mark);
    }

    fn counted(&mut self, flow: &Flow, inits: &[ValueId]) {
        let scalar = self.count_type();
        let signedness = self.random.pick(Signedness::ALL);
        let bounds = self.bounds(scalar, signedness);
        self.enter_loop();
        let op = self
            .builder
            .op(ControlFlowOp::For, LOC)
            .args(&bounds)
            .operands("initValues", inits)
            .flag("unsignedCmp", signedness == Signedness::Unsigned)
            .results(&flow.all_types())
            .finish();
        let params = [vec![Type::scalar(scalar)], flow.all_types()].concat();
        self.region(op, &params, flow, |maker, args| {
            maker.start(flow, &args[1 + flow.types.len()..]);
            maker.frames.push(Frame::For(flow.clone()));
            let steps = maker.body_steps();
            maker.steps(steps);
            if maker.frames.len() <= maker.options.depth && maker.random.one_in(2) {
                maker.branch_on_counter(args[0], signedness);
                maker.steps(steps / 2);
            }
            let values = maker.given(flow);
            maker
                .builder
                .terminate(ControlFlowOp::Continue, &values, LOC);
            maker.frames.pop();
        });
        self.define_results(op, flow);
    }

    /// Bounds and step of a `for` with a few iterations.
    fn bounds(&mut self, scalar: Scalar, signedness: Signedness) -> [ValueId; 3] {
        let greatest = match signedness {
            Signedness::Signed => (1_u64 << (scalar.bits() - 1)) - 1,
            Signedness::Unsigned => super::constants::mask(scalar),
        };
        let small = match signedness {
            Signedness::Signed => self.random.pick(&[0, 0, 1, -3, -1, 2]),
            Signedness::Unsigned => self.random.pick(&[0, 0, 1, 2, 3, 5]),
        };
        let small = i64::cast_unsigned(small);
        match self.random.below(8) {
            // Nearly the greatest number; the one after the last iteration fits.
            0 => [greatest - 5, greatest - 2, 1 + self.random.below(2) as u64]
                .map(|bits| self.splat(scalar, bits, &[])),
            // Never runs.
            1 => [5, 5 - self.random.below(3) as u64, 1].map(|bits| self.splat(scalar, bits, &[])),
            2 | 3 => {
                let lower = self.splat(scalar, small, &[]);
                let count = self.value(Type::scalar(scalar));
                let count = self.bits_of(count, 3);
                let ty = Type::scalar(scalar);
                let upper = self.builder.wrapping(IntegerOp::AddI, &[lower, count], LOC);
                self.pool.add(ty, upper);
                let step = self.value(ty);
                let step = self.bits_of(step, 3);
                let one = self.splat(scalar, 1, &[]);
                let step = self.plain(BitwiseOp::OrI, &[step, one], ty);
                [lower, upper, step]
            }
            _ => {
                let upper = small.wrapping_add(self.random.below(6) as u64);
                let step = self.random.pick(&[1, 1, 1, 2, 3]);
                [small, upper, step].map(|bits| self.splat(scalar, bits, &[]))
            }
        }
    }

    /// A branch on a comparison of the counter with something from outside.
    fn branch_on_counter(&mut self, counter: ValueId, signedness: Signedness) {
        let ty = self.builder.ty(counter);
        let (scalar, _) = ty.as_number_tile().expect("a counter");
        let mark = self.outermost_loop.expect("this is in a loop");
        let outer = self.pool.pick_before(mark, ty, &mut self.random);
        let other = match outer {
            Some(other) if self.random.one_in(2) => other,
            _ => {
                let bits = self.random.pick(&[0, 1, 2, 3, u64::MAX]);
                self.splat(scalar, bits, &[])
            }
        };
        let mut args = [counter, other];
        if self.random.one_in(3) {
            args.swap(0, 1);
        }
        let signedness = if self.random.one_in(6) {
            self.random.pick(Signedness::ALL)
        } else {
            signedness
        };
        let predicate = self.random.pick(ComparisonPredicate::ALL);
        let op = self
            .builder
            .op(IntegerOp::CmpI, LOC)
            .args(&args)
            .attr("comparison_predicate", Attr::Predicate(predicate))
            .attr("signedness", Attr::Signedness(signedness))
            .result(Type::scalar(Scalar::I1))
            .finish();
        let condition = self.define(op);
        self.branch_on(condition);
        if self.random.one_in(3) {
            self.branch_on(condition);
        }
    }

    /// A `loop` that counts its iterations and is left after a few.
    fn endless(&mut self, carried: &Flow, inits: &[ValueId]) {
        let mut results = self.flow();
        // A chain that the body extends goes on behind the loop.
        results.chains.clone_from(&carried.chains);
        let int = Type::scalar(Scalar::I32);
        let zero = self.splat(Scalar::I32, 0, &[]);
        let limit = if self.random.one_in(2) {
            let limit = self.value(int);
            self.bits_of(limit, 3)
        } else {
            let limit = self.random.below(5) as u64;
            self.splat(Scalar::I32, limit, &[])
        };
        self.enter_loop();
        let op = self
            .builder
            .op(ControlFlowOp::Loop, LOC)
            .operands("initValues", &[&[zero], inits].concat())
            .results(&results.all_types())
            .finish();
        let params = [vec![int], carried.all_types()].concat();
        self.region(op, &params, carried, |maker, args| {
            maker.start(carried, &args[1 + carried.types.len()..]);
            let one = maker.splat(Scalar::I32, 1, &[]);
            let next = maker.plain(IntegerOp::AddI, &[args[0], one], int);
            maker.frames.push(Frame::Loop {
                carried: carried.clone(),
                results: results.clone(),
                next,
            });
            maker.leave_at(args[0], limit, &results, (carried, next));
            let steps = maker.body_steps();
            maker.steps(steps);
            if maker.random.one_in(4) {
                let values = maker.given(&results);
                maker.builder.terminate(ControlFlowOp::Break, &values, LOC);
            } else {
                maker.go_on(carried, next);
            }
            maker.frames.pop();
        });
        self.define_results(op, &results);
    }

    /// Leaves a `loop` when its count has reached the limit: in a branch, or in one of two
    /// that both end the iteration.
    fn leave_at(
        &mut self,
        count: ValueId,
        limit: ValueId,
        results: &Flow,
        (carried, next): (&Flow, ValueId),
    ) {
        let at_least = ComparisonPredicate::GreaterThanOrEqual;
        let is_last = self
            .builder
            .cmpi(at_least, count, limit, Signedness::Signed, LOC);
        self.pool.add(Type::scalar(Scalar::I1), is_last);
        let both_exit = self.random.one_in(6);
        let op = self
            .builder
            .op(ControlFlowOp::If, LOC)
            .args(&[is_last])
            .finish();
        self.region(op, &[], carried, |maker, _| {
            let values = maker.given(results);
            maker.builder.terminate(ControlFlowOp::Break, &values, LOC);
        });
        if both_exit {
            self.region(op, &[], carried, |maker, _| {
                maker.frames.push(Frame::If(Flow::default()));
                let steps = maker.body_steps();
                maker.steps(steps);
                maker.frames.pop();
                maker.go_on(carried, next);
            });
        } else {
            self.builder.module().add_region(op);
        }
    }
}
