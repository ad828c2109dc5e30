//! Computes the bounds of the unrolled loop without overflow.

use super::plan::{Plan, greatest, mask, signedness};
use crate::ir::{OpId, RoundingMode, Signedness, ValueId};
use crate::ops::IntegerOp;
use crate::rewrite::Rewriter;
use crate::transform::arithmetic::Arithmetic;

/// The loop over groups of bodies.
pub(super) struct Groups {
    /// The upper bound, at which the remainder loop starts.
    pub(super) end: ValueId,
    pub(super) step: ValueId,
    /// The distance of the induction variable of each body but the first from that of the first
    /// body.
    pub(super) offsets: Vec<ValueId>,
    /// True if there is no remainder loop.
    pub(super) is_all: bool,
}

/// Makes the bounds before the loop.
pub(super) fn groups(rewriter: &mut Rewriter, id: OpId, plan: Plan) -> Groups {
    let op = rewriter.op(id);
    let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
    let loc = op.loc;
    let signedness = signedness(rewriter, id);
    let known_lower = rewriter.splat_integer(lower).map(|(_, bits)| bits);
    let known_step = rewriter.splat_integer(step).map(|(_, bits)| bits);
    let (scalar, _) = rewriter
        .ty(step)
        .as_number_tile()
        .expect("bounds are integers");
    rewriter.build_before(id, |builder| {
        let make = Arithmetic {
            builder,
            scalar,
            loc,
        };
        let mut make = Bounds {
            make,
            lower,
            upper,
            step,
            signedness,
            factor: plan.factor,
        };
        match (plan.trips, known_lower, known_step) {
            (Some(trips), Some(lower), Some(step)) => make.groups_for_trips(trips, lower, step),
            (_, _, Some(step)) => make.groups_for_step(step),
            _ => make.groups_for_any_step(),
        }
    })
}

struct Bounds<'b, 'm> {
    make: Arithmetic<'b, 'm>,
    lower: ValueId,
    upper: ValueId,
    step: ValueId,
    signedness: Signedness,
    factor: u64,
}

impl Bounds<'_, '_> {
    /// Makes the bounds of the groups for a loop with constant bounds and a constant step.
    fn groups_for_trips(&mut self, trips: u64, lower: u64, step: u64) -> Groups {
        let whole = trips - trips % self.factor;
        let is_all = whole == trips;
        let end = if is_all {
            self.upper
        } else {
            let end = lower.wrapping_add(whole * step);
            self.make.constant(end & mask(self.make.scalar))
        };
        let (step, offsets) = self.steps(step);
        Groups {
            end,
            step,
            offsets,
            is_all,
        }
    }

    /// Makes the bounds of the groups for a loop with a constant step.
    fn groups_for_step(&mut self, step: u64) -> Groups {
        let distance = self.distance();
        let trips = if step == 1 {
            distance
        } else {
            self.trips(distance)
        };
        let whole = self.whole(trips);
        let covered = if step == 1 {
            whole
        } else {
            self.covered(distance, trips, whole)
        };
        let end = self.make.wrapping(IntegerOp::AddI, self.lower, covered);
        let (step, offsets) = self.steps(step);
        Groups {
            end,
            step,
            offsets,
            is_all: false,
        }
    }

    /// Makes the bounds of the groups for a loop with an unknown step. If the step of a group is
    /// not representable, all iterations are left to the remainder loop.
    fn groups_for_any_step(&mut self) -> Groups {
        let most = self
            .make
            .constant(greatest(self.make.scalar, self.signedness) / self.factor);
        let fits = self.make.is_at_most(self.step, most);
        let distance = self.distance();
        let trips = self.trips(distance);
        let whole = self.whole(trips);
        let zero = self.make.constant(0);
        let whole = self.make.select(fits, whole, zero);
        let covered = self.covered(distance, trips, whole);
        let end = self.make.wrapping(IntegerOp::AddI, self.lower, covered);
        let factor = self.make.constant(self.factor);
        let group = self.make.wrapping(IntegerOp::MulI, self.step, factor);
        let step = self.make.select(fits, group, self.step);
        let mut offsets = vec![self.step];
        for _ in 2..self.factor {
            let last = offsets[offsets.len() - 1];
            offsets.push(self.make.wrapping(IntegerOp::AddI, last, self.step));
        }
        Groups {
            end,
            step,
            offsets,
            is_all: false,
        }
    }

    /// Returns the step of a group and the offsets in it, for a constant step.
    fn steps(&mut self, step: u64) -> (ValueId, Vec<ValueId>) {
        let group = self.make.constant(step * self.factor);
        let offsets = (1..self.factor).map(|body| self.make.constant(body * step));
        (group, offsets.collect())
    }

    /// Makes the distance from the lower to the upper bound as an unsigned number; 0 if the upper
    /// bound is below the lower bound.
    fn distance(&mut self) -> ValueId {
        let (lower, upper, signedness) = (self.lower, self.upper, self.signedness);
        let end = self.make.signed(IntegerOp::MaxI, upper, lower, signedness);
        self.make.wrapping(IntegerOp::SubI, end, lower)
    }

    fn trips(&mut self, distance: ValueId) -> ValueId {
        let rounding = RoundingMode::PositiveInf;
        self.make
            .divi(distance, self.step, Signedness::Unsigned, rounding)
    }

    /// Makes the number of iterations in whole groups.
    fn whole(&mut self, trips: ValueId) -> ValueId {
        let factor = self.make.constant(self.factor);
        let rest = self
            .make
            .signed(IntegerOp::RemI, trips, factor, Signedness::Unsigned);
        self.make.wrapping(IntegerOp::SubI, trips, rest)
    }

    /// Makes the distance that `whole` iterations cover, limited to the upper bound, since the last
    /// step may go beyond it.
    fn covered(&mut self, distance: ValueId, trips: ValueId, whole: ValueId) -> ValueId {
        let covered = self.make.wrapping(IntegerOp::MulI, whole, self.step);
        let is_all = self.make.is_equal(whole, trips);
        self.make.select(is_all, distance, covered)
    }
}
