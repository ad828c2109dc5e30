//! Tests whether the body and the identity of a reduction satisfy the laws that `reduce` and `scan`
//! assume.
//!
//! A reduction is undefined behaviour unless its elements satisfy the following laws, which a
//! checked entry tests before the reduction runs:
//!
//! ```text
//!   f(identity, x) = x = f(x, identity)
//!   f(f(a, b), c) = f(a, f(b, c))
//! ```
//!
//! Integers are compared exactly, floats up to rounding ([`tolerance`]). Trials that overflow or
//! are NaN prove nothing. A body of a single associative operation (sums, products, extrema,
//! bitwise operations) is not tested for associativity, because sums that cancel may differ by
//! much.
//!
//! Only a few elements of each row are tested, including those at the ends, so that the test of a
//! row costs as much as a few more elements.

use super::float_value::{tolerance, value};
use super::machine::{Machine, Stop};
use super::reduce::{Body, Tuple, is_commutative};
use crate::ir::{BlockId, Module, Op};
use crate::ops::{CoreOp, IntegerOp, Opcode};

/// The maximum number of tested positions along an axis, and of tested groups of instances.
const SAMPLES: usize = 8;

/// The test of one reduction.
pub(super) struct Laws {
    body: Body,
    /// Is `true` if the body is not known to be associative.
    tries_groups: bool,
    /// The name of the combining operation, for messages.
    name: &'static str,
}

/// The outcome of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A fault, which was recorded and ends the test, since one per reduction is enough.
    Fault,
}

impl Laws {
    pub(super) fn new(module: &Module, op: &Op, block: BlockId, body: Body) -> Self {
        let promises = module.block(block).ops.iter().any(|&id| {
            let op = module.op(id);
            matches!(
                op.opcode,
                Opcode::Integer(IntegerOp::AddI | IntegerOp::MulI)
            ) && op.overflow() != crate::ir::IntegerOverflow::None
        });
        let name = if op.opcode == CoreOp::Reduce.into() {
            "reduction"
        } else {
            "scan"
        };
        Self {
            body,
            // Reordering sums that promise not to overflow may make them overflow.
            tries_groups: !promises && !is_commutative(module, block),
            name,
        }
    }

    /// Tests the laws on the elements of the operands.
    pub(super) fn check(&self, machine: &mut Machine<'_>) -> Result<(), Stop> {
        let body = &self.body;
        body.begin(machine);
        let groups = body.instances() / body.lanes;
        let positions = spread(body.axis.extent, SAMPLES);
        for group in spread(groups, SAMPLES) {
            let first = group * body.lanes;
            // A non-associative body seldom has an identity, so associativity is tested first.
            if self.tries_groups {
                for &position in &positions {
                    if self.groups(machine, first, position)? == Found::Fault {
                        return Ok(());
                    }
                }
            }
            for &position in &positions {
                if self.identity(machine, first, position)? == Found::Fault {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn identity(
        &self,
        machine: &mut Machine<'_>,
        first: usize,
        position: usize,
    ) -> Result<Found, Stop> {
        let body = &self.body;
        let element = body.elements(machine, first, position);
        let identity = body.identity();
        let behind = body.combine(machine, &element, &identity)?;
        let before = body.combine(machine, &identity, &element)?;
        for lane in 0..body.lanes {
            let x = self.row(&element, lane);
            if x.iter().any(Number::is_nan) {
                continue;
            }
            for (result, call) in [(&behind, "f(init, x)"), (&before, "f(x, init)")] {
                let result = self.row(result, lane);
                if !alike(&result, &x, &[&x]) {
                    let init = self.row(&identity, lane);
                    machine.undefined(Stop::Here(format!(
                        "the initial value {} of the {} changes an element: {call} is {}, and x is {}",
                        text(&init),
                        self.name,
                        text(&result),
                        text(&x),
                    )))?;
                    return Ok(Found::Fault);
                }
            }
        }
        Ok(Found::Nothing)
    }

    fn groups(
        &self,
        machine: &mut Machine<'_>,
        first: usize,
        position: usize,
    ) -> Result<Found, Stop> {
        let body = &self.body;
        let extent = body.axis.extent;
        if position + 3 > extent {
            return Ok(Found::Nothing);
        }
        let [a, b, c] = [0, 1, 2].map(|next| body.elements(machine, first, position + next));
        let ab = body.combine(machine, &b, &a)?;
        let left = body.combine(machine, &c, &ab)?;
        let bc = body.combine(machine, &c, &b)?;
        let right = body.combine(machine, &bc, &a)?;
        for lane in 0..body.lanes {
            let [a, b, c, ab, bc, left, right] =
                [&a, &b, &c, &ab, &bc, &left, &right].map(|tuple| self.row(tuple, lane));
            let parts = [&a, &b, &c, &ab, &bc];
            let operands = parts.into_iter().chain([&left, &right]);
            if operands.flatten().any(|number| !number.is_finite()) {
                continue;
            }
            if !alike(&left, &right, &parts) {
                machine.undefined(Stop::Here(format!(
                    "what combines the elements of the {} is not associative: f(f(a, b), c) is {}, and \
                     f(a, f(b, c)) is {}, for a = {}, b = {}, c = {}",
                    self.name,
                    text(&left),
                    text(&right),
                    text(&a),
                    text(&b),
                    text(&c),
                )))?;
                return Ok(Found::Fault);
            }
        }
        Ok(Found::Nothing)
    }

    /// Returns the numbers of one instance.
    fn row(&self, tuple: &Tuple, lane: usize) -> Vec<Number> {
        let pairs = self.body.operands.iter().zip(tuple);
        let number = |(operand, data): (&super::reduce::Operand, &super::tile::Data)| {
            let bits = data.bits_at(lane);
            match value(operand.scalar, bits) {
                Some(value) => Number::Float(value, tolerance(operand.scalar)),
                None => Number::Integer(bits, operand.scalar.bits()),
            }
        };
        pairs.map(number).collect()
    }
}

/// Returns at most `count` of the numbers below `end`, evenly spread.
fn spread(end: usize, count: usize) -> Vec<usize> {
    let count = count.min(end);
    (0..count).map(|index| index * end / count).collect()
}

/// An element of a tile.
#[derive(Clone, Copy, Debug)]
enum Number {
    /// Its bits, and their number.
    Integer(u64, u32),
    /// Its value, and the maximum rounding difference.
    Float(f64, f64),
}

impl Number {
    fn is_nan(&self) -> bool {
        matches!(self, Number::Float(value, _) if value.is_nan())
    }

    fn is_finite(&self) -> bool {
        match self {
            Number::Integer(..) => true,
            Number::Float(value, _) => value.is_finite(),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Number::Integer(..) => 0.0,
            Number::Float(value, _) => value.abs(),
        }
    }
}

/// Returns `true` if two results are equal up to the rounding of the numbers they were computed
/// from.
#[expect(
    clippy::float_cmp,
    reason = "infinities are equal and have no difference"
)]
fn alike(one: &[Number], other: &[Number], parts: &[&Vec<Number>]) -> bool {
    let pairs = one.iter().zip(other).enumerate();
    pairs.into_iter().all(|(index, pair)| match pair {
        (Number::Float(a, tolerance), Number::Float(b, _)) => {
            let sizes = parts.iter().map(|part| part[index].size());
            let size = sizes.fold(a.abs().max(b.abs()), f64::max);
            a == b || (a - b).abs() <= tolerance * size
        }
        (Number::Integer(a, _), Number::Integer(b, _)) => a == b,
        _ => false,
    })
}

/// Formats the numbers of a tuple like Rust literals; integers with their sign.
fn text(numbers: &[Number]) -> String {
    let one = |number: &Number| match *number {
        Number::Float(value, _) => format!("{value:?}"),
        Number::Integer(bits, width) => {
            let unused = 64 - width;
            format!("{}", (bits << unused).cast_signed() >> unused)
        }
    };
    match numbers {
        [number] => one(number),
        several => format!(
            "({})",
            several.iter().map(one).collect::<Vec<_>>().join(", ")
        ),
    }
}
