//! Ranges and the loops over them.

use super::arithmetic::Arithmetic;
use super::plan::{count, number};
use super::rewriter::Rewriter;
use crate::ir::{ComparisonPredicate, Loc, Signedness, ValueId};
use crate::ops::ControlFlowOp;
use crate::types::Scalar;

/// The range `lower`, `lower + step`, … below `upper`, by values of the new module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) lower: ValueId,
    pub(super) upper: ValueId,
    pub(super) step: ValueId,
    pub(super) signedness: Signedness,
}

/// A function that emits the innermost body of a loop nest. It computes the next carried values
/// from the loop variables and the carried values.
type Body<'b, 'm> = dyn FnMut(&mut Rewriter<'m>, &[ValueId], &[ValueId]) -> Vec<ValueId> + 'b;

/// The range of a `for`.
#[derive(Clone, Copy)]
struct Header {
    numbers: Range,
    /// The range, if the `for` counts its trips; if `None`, the `for` counts the numbers
    /// themselves.
    counted: Option<Range>,
}

impl<'m> Rewriter<'m> {
    /// Computes the trip count of a range, as an unsigned number of the type of the range.
    pub(super) fn trips(&mut self, range: Range, loc: Loc) -> ValueId {
        let Range {
            lower,
            upper,
            step,
            signedness,
        } = range;
        let scalar = self.scalar(lower);
        let constants = [lower, upper, step].map(|value| self.known(value));
        if let [Some(lower), Some(upper), Some(step)] = constants {
            let trips = count(scalar, signedness, [lower, upper, step]);
            return self.constant(scalar, trips, loc);
        }
        let distance = self.compute(Arithmetic::Sub, upper, lower, loc);
        let trips = if self.known(step) == Some(1) {
            if signedness == Signedness::Unsigned && self.known(lower) == Some(0) {
                // The lower bound is 0 and no unsigned upper bound is less, so the distance is
                // exact.
                return distance;
            }
            distance
        } else {
            // Round up without overflow: 1 + (distance - 1) / step.
            let one = self.constant(scalar, 1, loc);
            let below = self.compute(Arithmetic::Sub, distance, one, loc);
            let whole = self.compute(Arithmetic::Div, below, step, loc);
            self.compute(Arithmetic::Add, whole, one, loc)
        };
        let is_some = self.compare(ComparisonPredicate::LessThan, lower, upper, signedness, loc);
        let zero = self.constant(scalar, 0, loc);
        self.select(is_some, trips, zero, loc)
    }

    /// Returns `true` if the number after the last one of a range fits its type, so that a `for`
    /// may compute it.
    fn stays_in_type(&self, range: Range) -> bool {
        let scalar = self.scalar(range.lower);
        let Some(step) = self.known(range.step) else {
            return false;
        };
        let step = number(scalar, range.signedness, step);
        let highest = match range.signedness {
            Signedness::Signed => (1_i128 << (scalar.bits() - 1)) - 1,
            Signedness::Unsigned => (1_i128 << scalar.bits()) - 1,
        };
        let upper = self.known(range.upper);
        let upper = upper.map_or(highest, |bits| number(scalar, range.signedness, bits));
        upper - 1 + step <= highest
    }

    /// Emits a `for` over a range and returns the final carried values. The body gets the number
    /// and the carried values, and returns the next carried values.
    pub(super) fn loop_over(
        &mut self,
        range: Range,
        inits: &[ValueId],
        loc: Loc,
        body: impl FnOnce(&mut Self, ValueId, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let header = self.header(range, loc);
        self.for_over(header, inits, loc, body)
    }

    fn header(&mut self, range: Range, loc: Loc) -> Header {
        if self.stays_in_type(range) {
            return Header {
                numbers: range,
                counted: None,
            };
        }
        let scalar = self.scalar(range.lower);
        let numbers = Range {
            lower: self.constant(scalar, 0, loc),
            upper: self.trips(range, loc),
            step: self.constant(scalar, 1, loc),
            signedness: Signedness::Unsigned,
        };
        Header {
            numbers,
            counted: Some(range),
        }
    }

    /// Computes the number of a range at trip `trip`.
    pub(super) fn number_at(&mut self, range: Range, trip: ValueId, loc: Loc) -> ValueId {
        let distance = self.compute(Arithmetic::Mul, trip, range.step, loc);
        self.compute(Arithmetic::Add, range.lower, distance, loc)
    }

    fn for_over(
        &mut self,
        header: Header,
        inits: &[ValueId],
        loc: Loc,
        body: impl FnOnce(&mut Self, ValueId, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Range {
            lower,
            upper,
            step,
            signedness,
        } = header.numbers;
        let types: Vec<_> = inits.iter().map(|&init| self.to.ty(init)).collect();
        let variable = self.to.ty(lower);
        let mut builder = self.builder();
        let op = builder
            .op(ControlFlowOp::For, loc)
            .operand("lowerBound", lower)
            .operand("upperBound", upper)
            .operand("step", step)
            .operands("initValues", inits)
            .flag("unsignedCmp", signedness == Signedness::Unsigned)
            .results(&types)
            .finish();
        let block = builder.add_region_block(op);
        let trip = self.to.add_block_arg(block, variable, loc);
        let carried: Vec<ValueId> = types
            .iter()
            .map(|&ty| self.to.add_block_arg(block, ty, loc))
            .collect();
        self.inside(block, |this| {
            let number = match header.counted {
                None => trip,
                Some(range) => this.number_at(range, trip, loc),
            };
            let next = body(this, number, &carried);
            this.builder()
                .terminate(ControlFlowOp::Continue, &next, loc);
        });
        self.to.op(op).results.to_vec()
    }

    /// Emits nested `for`s. The body gets the numbers, outermost first.
    pub(super) fn nest(
        &mut self,
        ranges: &[Range],
        inits: &[ValueId],
        loc: Loc,
        body: &mut Body<'_, 'm>,
    ) -> Vec<ValueId> {
        // Emit the headers before all loops, so that no loop repeats their computation.
        let headers: Vec<Header> = ranges
            .iter()
            .map(|&range| self.header(range, loc))
            .collect();
        self.nest_in(&mut Vec::new(), &headers, inits, loc, body)
    }

    fn nest_in(
        &mut self,
        outer: &mut Vec<ValueId>,
        headers: &[Header],
        inits: &[ValueId],
        loc: Loc,
        body: &mut Body<'_, 'm>,
    ) -> Vec<ValueId> {
        let Some((&header, inner)) = headers.split_first() else {
            return body(self, outer, inits);
        };
        self.for_over(header, inits, loc, |this, number, carried| {
            outer.push(number);
            let next = this.nest_in(outer, inner, carried, loc, body);
            outer.pop();
            next
        })
    }
}

/// Returns the type in which iterations are counted: block ids are `i32`, and loop variables may be
/// wider.
pub(super) fn counting_type(scalar: Scalar) -> Scalar {
    if scalar.bits() < Scalar::I32.bits() {
        Scalar::I32
    } else {
        scalar
    }
}
