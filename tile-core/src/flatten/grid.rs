//! Distributes an outermost loop over the tile blocks of a launch, for any grid.
//!
//! With up to three dimensions, dimension `d` is axis `d` of the grid. With more, the last two are
//! axes `y` and `z`, and all others are linearized along `x`, with the last of them varying
//! fastest:
//!
//! ```text
//!   dimensions      n0 n1 n2 n3 n4        trip t of x  =  (t0 * n1 + t1) * n2 + t2
//!   axes           [   x    ] y  z        t2 = t % n2,  t1 = t / n2 % n1,  t0 = t / n2 / n1
//! ```
//!
//! Block `id` of `num` along an axis runs the trips `id`, `id + num`, … (a grid-stride loop). A
//! grid as large as the trip count therefore gives each block one trip; a smaller grid gives some
//! blocks more, and a larger grid leaves blocks idle. Along an unused axis, only the first block
//! has work.

use super::arithmetic::Arithmetic;
use super::combine::Accumulator;
use super::range::{Range, counting_type};
use super::rewriter::Rewriter;
use crate::ir::{ComparisonPredicate, Loc, OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, CoreOp};
use crate::types::{Scalar, Type};
use std::ops::Range as Dims;

/// The iterations of an outermost loop.
pub(super) struct Space {
    ranges: Vec<Range>,
    /// The trip counts of the dimensions that are linearized along one axis, as `i64`.
    counts: Vec<ValueId>,
    axes: Vec<Axis>,
    /// The coordinates of the block, and the grid, as `i32`.
    pub(super) ids: [ValueId; 3],
    pub(super) nums: [ValueId; 3],
}

/// A used axis of the grid.
struct Axis {
    dims: Dims<usize>,
    /// The trip count, in the type in which trips are counted.
    trips: ValueId,
}

/// Returns the dimensions of each used axis.
pub(super) fn axes(dims: usize) -> Vec<Dims<usize>> {
    if dims <= 3 {
        return (0..dims).map(|dim| dim..dim + 1).collect();
    }
    vec![0..dims - 2, dims - 2..dims - 1, dims - 1..dims]
}

impl Rewriter<'_> {
    /// Returns the iterations of an outermost loop.
    pub(super) fn space(&mut self, parallel: OpId, loc: Loc) -> Space {
        let ranges = self.ranges(parallel);
        let mut space = Space {
            counts: Vec::new(),
            axes: Vec::new(),
            ids: self.three(CoreOp::GetTileBlockId, loc),
            nums: self.three(CoreOp::GetNumTileBlocks, loc),
            ranges,
        };
        for dims in axes(space.ranges.len()) {
            let trips = if dims.len() == 1 {
                let trips = self.trips(space.ranges[dims.start], loc);
                self.resized(trips, counting_type(self.scalar(trips)), loc)
            } else {
                let mut product = self.constant(Scalar::I64, 1, loc);
                for dim in dims.clone() {
                    let trips = self.trips(space.ranges[dim], loc);
                    let trips = self.resized(trips, Scalar::I64, loc);
                    space.counts.push(trips);
                    product = self.compute(Arithmetic::Mul, product, trips, loc);
                }
                product
            };
            space.axes.push(Axis { dims, trips });
        }
        space
    }

    fn three(&mut self, op: CoreOp, loc: Loc) -> [ValueId; 3] {
        let int = Type::scalar(Scalar::I32);
        let mut builder = self.builder();
        let results = builder.op(op, loc).results(&[int; 3]).finish_values();
        [results[0], results[1], results[2]]
    }

    /// Emits the iterations of this block; returns the carried values.
    pub(super) fn shared_loop(
        &mut self,
        parallel: OpId,
        space: &Space,
        sums: &[Accumulator],
        start: &[ValueId],
    ) -> Vec<ValueId> {
        let loc = self.from.op(parallel).loc;
        let mut ranges = Vec::new();
        for (axis, (&id, &num)) in space.axes.iter().zip(space.ids.iter().zip(&space.nums)) {
            let scalar = self.scalar(axis.trips);
            ranges.push(Range {
                lower: self.resized(id, scalar, loc),
                upper: axis.trips,
                step: self.resized(num, scalar, loc),
                signedness: Signedness::Unsigned,
            });
        }
        ranges[0].upper = self.unless_beyond(space, ranges[0].upper, loc);
        self.nest(&ranges, start, loc, &mut |this, trips, carried| {
            let numbers = this.numbers(space, trips, loc);
            this.iteration(parallel, sums, &numbers, carried)
        })
    }

    /// Returns `trips` in the blocks that are first along every unused axis, and 0 in all others.
    fn unless_beyond(&mut self, space: &Space, trips: ValueId, loc: Loc) -> ValueId {
        let Some((&first, others)) = space.ids[space.axes.len()..].split_first() else {
            return trips;
        };
        let mut any = first;
        for &other in others {
            any = self
                .builder()
                .like_first(BitwiseOp::OrI, &[any, other], loc);
        }
        let zero = self.constant(Scalar::I32, 0, loc);
        let signedness = Signedness::Unsigned;
        let is_first = self.compare(ComparisonPredicate::Equal, any, zero, signedness, loc);
        let none = self.constant(self.scalar(trips), 0, loc);
        self.select(is_first, trips, none, loc)
    }

    /// Computes the loop variables of an iteration from its trips per axis.
    fn numbers(&mut self, space: &Space, trips: &[ValueId], loc: Loc) -> Vec<ValueId> {
        let mut numbers = Vec::new();
        for (axis, &trip) in space.axes.iter().zip(trips) {
            let trips = self.separated(space, axis, trip, loc);
            for (dim, trip) in axis.dims.clone().zip(trips) {
                let range = space.ranges[dim];
                let trip = self.resized(trip, self.scalar(range.lower), loc);
                numbers.push(self.number_at(range, trip, loc));
            }
        }
        numbers
    }

    /// Splits a trip of an axis into the trips of its dimensions.
    fn separated(&mut self, space: &Space, axis: &Axis, trip: ValueId, loc: Loc) -> Vec<ValueId> {
        if axis.dims.len() == 1 {
            return vec![trip];
        }
        let mut rest = trip;
        let mut trips = Vec::new();
        // The first dimension needs no division: its trip is the remaining quotient.
        for &count in space.counts[1..].iter().rev() {
            trips.push(self.compute(Arithmetic::Rem, rest, count, loc));
            rest = self.compute(Arithmetic::Div, rest, count, loc);
        }
        trips.push(rest);
        trips.reverse();
        trips
    }

    /// Returns the number of blocks along each axis that have an iteration, as `i64`; 1 along an
    /// unused axis.
    pub(super) fn busy(&mut self, space: &Space, loc: Loc) -> [ValueId; 3] {
        [0, 1, 2].map(|axis_index| match space.axes.get(axis_index) {
            None => self.constant(Scalar::I64, 1, loc),
            Some(axis) => {
                let trips = self.resized(axis.trips, Scalar::I64, loc);
                let num = self.resized(space.nums[axis_index], Scalar::I64, loc);
                self.compute(Arithmetic::Min, trips, num, loc)
            }
        })
    }
}
