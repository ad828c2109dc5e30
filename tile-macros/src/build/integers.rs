//! Functions of integers that the dialect has no operation for, as Rust defines them. Where
//! Rust panics in release builds too, they give what `docs/differences.md` says.

use super::Build;
use super::math::At;
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, MathOp};
use tile_core::ir::{ComparisonPredicate as P, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

impl Build<'_, '_> {
    /// The high half of a product.
    pub(super) fn mul_hi(&mut self, [x, y]: [ValueId; 2], at: At) -> ValueId {
        let high = self.b.like_first(IntegerOp::MulhiI, &[x, y], at.loc);
        if !at.scalar.is_signed() {
            return high;
        }
        // Each negative factor counts 2^width too much.
        let zero = self.int_like(x, at, 0);
        let mut result = high;
        for (factor, other) in [(x, y), (y, x)] {
            let negative = self.cmp(P::LessThan, factor, zero, at);
            let excess = self.select(negative, other, zero, at.loc);
            result = self.wrap(IntegerOp::SubI, &[result, excess], at);
        }
        result
    }

    fn limits(&mut self, like: ValueId, at: At) -> [ValueId; 2] {
        let (least, greatest) = at.scalar.range().expect("an integer has a range");
        [least, greatest].map(|value| self.int_like(like, at, value))
    }

    /// A product leaves the range if its high half is not the sign of the low one.
    pub(super) fn saturating_mul(&mut self, values: [ValueId; 2], at: At) -> ValueId {
        let [x, y] = values;
        let product = self.wrap(IntegerOp::MulI, &values, at);
        let high = self.mul_hi(values, at);
        let [min, max] = self.limits(x, at);
        let zero = self.int_like(x, at, 0);
        if !at.scalar.is_signed() {
            let beyond = self.cmp(P::NotEqual, high, zero, at);
            return self.select(beyond, max, product, at.loc);
        }
        let places = self.int_like(x, at, i128::from(at.scalar.bits()) - 1);
        let sign = self.sign(IntegerOp::ShrI, &[product, places], at);
        let beyond = self.cmp(P::NotEqual, high, sign, at);
        let both = self.bits(BitwiseOp::XorI, &[x, y], at);
        let differ = self.cmp(P::LessThan, both, zero, at);
        let limit = self.select(differ, min, max, at.loc);
        self.select(beyond, limit, product, at.loc)
    }

    /// Only `MIN / -1` leaves the range; the division itself is by something else there.
    pub(super) fn saturating_div(&mut self, [x, y]: [ValueId; 2], at: At) -> ValueId {
        if !at.scalar.is_signed() {
            return self.sign(IntegerOp::DivI, &[x, y], at);
        }
        let [one, minus] = [1, -1].map(|value| self.int_like(x, at, value));
        let negates = self.cmp(P::Equal, y, minus, at);
        let divisor = self.select(negates, one, y, at.loc);
        let quotient = self.sign(IntegerOp::DivI, &[x, divisor], at);
        let negative = self.saturating_neg(x, at);
        self.select(negates, negative, quotient, at.loc)
    }

    pub(super) fn saturating_neg(&mut self, x: ValueId, at: At) -> ValueId {
        let [min, max] = self.limits(x, at);
        let zero = self.int_like(x, at, 0);
        let negative = self.wrap(IntegerOp::SubI, &[zero, x], at);
        let least = self.cmp(P::Equal, x, min, at);
        self.select(least, max, negative, at.loc)
    }

    pub(super) fn saturating_abs(&mut self, x: ValueId, at: At) -> ValueId {
        let [min, max] = self.limits(x, at);
        let magnitude = self.b.like_first(IntegerOp::AbsI, &[x], at.loc);
        let least = self.cmp(P::Equal, x, min, at);
        self.select(least, max, magnitude, at.loc)
    }

    /// Exchanges neighbouring fields, of `least` bits first, until they are half of all.
    pub(super) fn exchanged(&mut self, x: ValueId, least: u32, at: At) -> ValueId {
        let bits = at.scalar.bits();
        let mut result = x;
        let mut size = least;
        while size < bits {
            // `size` ones, `size` zeros, and so on.
            let field = (1_i128 << size) - 1;
            let pattern = (0..bits / (2 * size)).fold(0, |mask, _| mask << (2 * size) | field);
            let mask = self.int_like(result, at, pattern);
            let down = self.shift_right_logical(result, i128::from(size), at);
            let down = self.bits(BitwiseOp::AndI, &[down, mask], at);
            let up = self.bits(BitwiseOp::AndI, &[result, mask], at);
            let by = self.int_like(result, at, i128::from(size));
            let up = self.wrap(IntegerOp::ShlI, &[up, by], at);
            result = self.bits(BitwiseOp::OrI, &[down, up], at);
            size *= 2;
        }
        result
    }

    /// Every bit below the highest 1 set.
    pub(super) fn filled(&mut self, x: ValueId, at: At) -> ValueId {
        let mut filled = x;
        let mut by = 1;
        while by < at.scalar.bits() {
            let moved = self.shift_right_logical(filled, i128::from(by), at);
            filled = self.bits(BitwiseOp::OrI, &[filled, moved], at);
            by *= 2;
        }
        filled
    }

    /// `x` with all bits flipped.
    pub(super) fn flipped(&mut self, x: ValueId, at: At) -> ValueId {
        let all = self.int_like(x, at, -1);
        self.bits(BitwiseOp::XorI, &[x, all], at)
    }

    pub(super) fn next_power_of_two(&mut self, x: ValueId, at: At) -> ValueId {
        let [zero, one] = [0, 1].map(|value| self.int_like(x, at, value));
        let less = self.wrap(IntegerOp::SubI, &[x, one], at);
        let none = self.cmp(P::Equal, x, zero, at);
        let less = self.select(none, zero, less, at.loc);
        let filled = self.filled(less, at);
        self.wrap(IntegerOp::AddI, &[filled, one], at)
    }

    /// The root of a float is off by one at most, which two comparisons find.
    pub(super) fn isqrt(&mut self, x: ValueId, at: At) -> ValueId {
        let bits = at.scalar.bits();
        let integer = at.scalar.scalar();
        let float = if bits > 32 { Scalar::F64 } else { Scalar::F32 };
        let at = At {
            sign: Signedness::Unsigned,
            ..at
        };
        let x = if at.scalar.is_signed() {
            let zero = self.int_like(x, at, 0);
            self.b
                .signed(IntegerOp::MaxI, &[x, zero], Signedness::Signed, at.loc)
        } else {
            x
        };
        let unsigned = Some(Signedness::Unsigned);
        let wide = self
            .b
            .convert(ConversionOp::IToF, x, float, unsigned, at.loc);
        let root = self.b.like_first(FloatOp::Sqrt, &[wide], at.loc);
        let root = self
            .b
            .convert(ConversionOp::FToI, root, integer, unsigned, at.loc);
        if bits <= 16 {
            // Such numbers and the distances of their roots from whole ones fit.
            return root;
        }
        let greatest = self.int_like(x, at, (1_i128 << (bits / 2)) - 1);
        let root = self.sign(IntegerOp::MinI, &[root, greatest], at);
        let one = self.int_like(x, at, 1);
        let square = self.wrap(IntegerOp::MulI, &[root, root], at);
        let high = self
            .b
            .cmpi(P::GreaterThan, square, x, Signedness::Unsigned, at.loc);
        let rest = self.wrap(IntegerOp::SubI, &[x, square], at);
        let twice = self.wrap(IntegerOp::AddI, &[root, root], at);
        let low = self
            .b
            .cmpi(P::GreaterThan, rest, twice, Signedness::Unsigned, at.loc);
        let more = self.wrap(IntegerOp::AddI, &[root, one], at);
        let less = self.wrap(IntegerOp::SubI, &[root, one], at);
        let raised = self.select(low, more, root, at.loc);
        self.select(high, less, raised, at.loc)
    }

    /// `result`, a `u32`, where `x` is positive, and its greatest number elsewhere.
    fn of_positive(&mut self, x: ValueId, result: ValueId, at: At) -> ValueId {
        let zero = self.int_like(x, at, 0);
        let positive = self.cmp(P::GreaterThan, x, zero, at);
        let none = self.splat_like(result, u64::from(u32::MAX), at.loc);
        self.select(positive, result, none, at.loc)
    }

    pub(super) fn ilog2(&mut self, x: ValueId, at: At) -> ValueId {
        let zeros = self.leading_zeros(x, at);
        let top = self.splat_like(zeros, u64::from(at.scalar.bits() - 1), at.loc);
        let result = self.b.wrapping(IntegerOp::SubI, &[top, zeros], at.loc);
        self.of_positive(x, result, at)
    }

    /// How many powers of ten but 1 are not above.
    pub(super) fn ilog10(&mut self, x: ValueId, at: At) -> ValueId {
        let (_, greatest) = at.scalar.range().expect("an integer has a range");
        let mut result = None;
        let mut power = 10;
        while power <= greatest {
            let limit = self.int_like(x, at, power);
            let reached = self.cmp(P::GreaterThanOrEqual, x, limit, at);
            let reached = self.cast(reached, HostScalar::Bool, HostScalar::U32, at.loc);
            result = Some(match result {
                None => reached,
                Some(sum) => self.b.wrapping(IntegerOp::AddI, &[sum, reached], at.loc),
            });
            power *= 10;
        }
        let result = result.expect("every integer type holds 10");
        self.of_positive(x, result, at)
    }

    pub(super) fn leading_zeros(&mut self, x: ValueId, at: At) -> ValueId {
        // With every bit below the highest 1 set, the zeros are those above it.
        let filled = self.filled(x, at);
        let above = self.flipped(filled, at);
        self.population(above, at)
    }

    pub(super) fn trailing_zeros(&mut self, x: ValueId, at: At) -> ValueId {
        // `!x & (x - 1)` has exactly the zeros below the lowest 1.
        let one = self.int_like(x, at, 1);
        let less = self.wrap(IntegerOp::SubI, &[x, one], at);
        let flipped = self.flipped(x, at);
        let below = self.bits(BitwiseOp::AndI, &[less, flipped], at);
        self.population(below, at)
    }

    /// How many bits are 1, as a `u32`.
    pub(super) fn population(&mut self, x: ValueId, at: At) -> ValueId {
        let count = self.ones(x, at);
        self.cast(count, at.scalar.unsigned(), HostScalar::U32, at.loc)
    }

    /// By repeated squaring. An exponent that is known multiplies as often as it has to, one
    /// that is not, for each of its bits that can matter.
    pub(super) fn pow(&mut self, args: &[ExprId], at: At) -> ValueId {
        let base = self.tile(args[0]);
        if let Some(exponent) = self.exponent(args[1]) {
            return self.known_power(base, exponent, at);
        }
        let exponent = self.tile(args[1]);
        self.power(base, exponent, at)
    }

    fn known_power(&mut self, mut base: ValueId, mut exponent: i128, at: At) -> ValueId {
        let mut result = self.int_like(base, at, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.wrap(IntegerOp::MulI, &[result, base], at);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = self.wrap(IntegerOp::MulI, &[base, base], at);
            }
        }
        result
    }

    /// Modulo `2^w`, squared `w - 2` times and more, an odd number is 1 and an even one 0:
    /// the bits of the exponent from there on count as one.
    fn power(&mut self, mut base: ValueId, exponent: ValueId, at: At) -> ValueId {
        let amount = At {
            scalar: HostScalar::U32,
            sign: Signedness::Unsigned,
            ..at
        };
        let one = self.int_like(base, at, 1);
        let zero = self.int_like(exponent, amount, 0);
        let mut result = one;
        let steps = (at.scalar.bits() - 2).min(u32::BITS);
        for step in 0..steps {
            let mask = self.int_like(exponent, amount, 1 << step);
            let bit = self.bits(BitwiseOp::AndI, &[exponent, mask], amount);
            let counts = self.cmp(P::NotEqual, bit, zero, amount);
            let factor = self.select(counts, base, one, at.loc);
            result = self.wrap(IntegerOp::MulI, &[result, factor], at);
            base = self.wrap(IntegerOp::MulI, &[base, base], at);
        }
        if steps == u32::BITS {
            return result;
        }
        let mask = self.int_like(exponent, amount, i128::from(u32::MAX) >> steps << steps);
        let rest = self.bits(BitwiseOp::AndI, &[exponent, mask], amount);
        let counts = self.cmp(P::NotEqual, rest, zero, amount);
        let factor = self.select(counts, base, one, at.loc);
        self.wrap(IntegerOp::MulI, &[result, factor], at)
    }

    /// Bits moved around.
    pub(super) fn rotated(
        &mut self,
        op: MathOp,
        [x, amount]: [ValueId; 2],
        from: HostScalar,
        at: At,
    ) -> ValueId {
        let amount = self.cast(amount, from, at.scalar, at.loc);
        let mask = self.int_like(x, at, i128::from(at.scalar.bits()) - 1);
        let there = self.bits(BitwiseOp::AndI, &[amount, mask], at);
        let zero = self.int_like(x, at, 0);
        let back = self.wrap(IntegerOp::SubI, &[zero, there], at);
        let back = self.bits(BitwiseOp::AndI, &[back, mask], at);
        let (up, down) = if op == MathOp::RotateLeft {
            (there, back)
        } else {
            (back, there)
        };
        let up = self.wrap(IntegerOp::ShlI, &[x, up], at);
        let args = [x, down];
        let down = self
            .b
            .signed(IntegerOp::ShrI, &args, Signedness::Unsigned, at.loc);
        self.bits(BitwiseOp::OrI, &[up, down], at)
    }
}
