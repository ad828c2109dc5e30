//! Loops, all of which end after a few iterations.

use super::control_flow::{Flow, Frame};
use super::{LOC, Maker};
use crate::ir::{Attr, ComparisonPredicate, Signedness, ValueId};
use crate::ops::{BitwiseOp, ControlFlowOp, IntegerOp};
use crate::types::{Scalar, Type};

impl Maker<'_> {
    /// Makes a `for` or a `loop`.
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

    /// Records the values that exist before the outermost loop.
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

    /// Returns the bounds and the step of a `for` with a few iterations.
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
            // The bounds are close to the greatest number, but the increment after the last
            // iteration still fits.
            0 => [greatest - 5, greatest - 2, 1 + self.random.below(2) as u64]
                .map(|bits| self.splat(scalar, bits, &[])),
            // The loop never runs.
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

    /// Makes a branch on a comparison of the induction variable with an outer value.
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

    /// Makes a `loop` that counts its iterations and breaks after a few.
    fn endless(&mut self, carried: &Flow, inits: &[ValueId]) {
        let mut results = self.flow();
        // A chain that the body extends continues after the loop.
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

    /// Leaves a `loop` when its count has reached the limit: either in an `if` without `else`, or
    /// in one of two branches that both end the iteration.
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
