//! Builds integer functions that are not operations of the dialect, as Rust defines them. If Rust
//! panics in release builds, the result is the one in `docs/differences.md`.

use super::Build;
use super::math::OpInfo;
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, MathOp};
use tile_core::ir::{ComparisonPredicate as P, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

impl Build<'_, '_> {
    /// Computes the high half of a multiplication.
    pub(super) fn mul_hi(&mut self, [x, y]: [ValueId; 2], info: OpInfo) -> ValueId {
        let high = self.b.like_first(IntegerOp::MulhiI, &[x, y], info.loc);
        if !info.scalar.is_signed() {
            return high;
        }
        // Read as unsigned, each negative factor is too large by 2^width.
        let zero = self.int_like(x, info, 0);
        let mut result = high;
        for (factor, other) in [(x, y), (y, x)] {
            let negative = self.cmp(P::LessThan, factor, zero, info);
            let excess = self.select(negative, other, zero, info.loc);
            result = self.wrap(IntegerOp::SubI, &[result, excess], info);
        }
        result
    }

    fn limits(&mut self, like: ValueId, info: OpInfo) -> [ValueId; 2] {
        let (least, greatest) = info.scalar.range().expect("an integer has a range");
        [least, greatest].map(|value| self.int_like(like, info, value))
    }

    /// Multiplies with saturation. A multiplication overflows if its high half is not the sign
    /// extension of the low half.
    pub(super) fn saturating_mul(&mut self, values: [ValueId; 2], info: OpInfo) -> ValueId {
        let [x, y] = values;
        let product = self.wrap(IntegerOp::MulI, &values, info);
        let high = self.mul_hi(values, info);
        let [min, max] = self.limits(x, info);
        let zero = self.int_like(x, info, 0);
        if !info.scalar.is_signed() {
            let beyond = self.cmp(P::NotEqual, high, zero, info);
            return self.select(beyond, max, product, info.loc);
        }
        let places = self.int_like(x, info, i128::from(info.scalar.bits()) - 1);
        let sign = self.sign(IntegerOp::ShrI, &[product, places], info);
        let beyond = self.cmp(P::NotEqual, high, sign, info);
        let both = self.bits(BitwiseOp::XorI, &[x, y], info);
        let differ = self.cmp(P::LessThan, both, zero, info);
        let limit = self.select(differ, min, max, info.loc);
        self.select(beyond, limit, product, info.loc)
    }

    /// Divides with saturation. Only `MIN / -1` overflows, so its divisor is replaced.
    pub(super) fn saturating_div(&mut self, [x, y]: [ValueId; 2], info: OpInfo) -> ValueId {
        if !info.scalar.is_signed() {
            return self.sign(IntegerOp::DivI, &[x, y], info);
        }
        let [one, minus] = [1, -1].map(|value| self.int_like(x, info, value));
        let negates = self.cmp(P::Equal, y, minus, info);
        let divisor = self.select(negates, one, y, info.loc);
        let quotient = self.sign(IntegerOp::DivI, &[x, divisor], info);
        let negative = self.saturating_neg(x, info);
        self.select(negates, negative, quotient, info.loc)
    }

    pub(super) fn saturating_neg(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [min, max] = self.limits(x, info);
        let zero = self.int_like(x, info, 0);
        let negative = self.wrap(IntegerOp::SubI, &[zero, x], info);
        let least = self.cmp(P::Equal, x, min, info);
        self.select(least, max, negative, info.loc)
    }

    pub(super) fn saturating_abs(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [min, max] = self.limits(x, info);
        let magnitude = self.b.like_first(IntegerOp::AbsI, &[x], info.loc);
        let least = self.cmp(P::Equal, x, min, info);
        self.select(least, max, magnitude, info.loc)
    }

    /// Swaps adjacent bit fields, from `least` bits up to half of the width.
    pub(super) fn exchanged(&mut self, x: ValueId, least: u32, info: OpInfo) -> ValueId {
        let bits = info.scalar.bits();
        let mut result = x;
        let mut size = least;
        while size < bits {
            // `size` ones, `size` zeros, and so on.
            let field = (1_i128 << size) - 1;
            let pattern = (0..bits / (2 * size)).fold(0, |mask, _| mask << (2 * size) | field);
            let mask = self.int_like(result, info, pattern);
            let down = self.shift_right_logical(result, i128::from(size), info);
            let down = self.bits(BitwiseOp::AndI, &[down, mask], info);
            let up = self.bits(BitwiseOp::AndI, &[result, mask], info);
            let by = self.int_like(result, info, i128::from(size));
            let up = self.wrap(IntegerOp::ShlI, &[up, by], info);
            result = self.bits(BitwiseOp::OrI, &[down, up], info);
            size *= 2;
        }
        result
    }

    /// Sets every bit below the highest set bit.
    pub(super) fn filled(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let mut filled = x;
        let mut by = 1;
        while by < info.scalar.bits() {
            let moved = self.shift_right_logical(filled, i128::from(by), info);
            filled = self.bits(BitwiseOp::OrI, &[filled, moved], info);
            by *= 2;
        }
        filled
    }

    /// Returns `x` with all bits flipped.
    pub(super) fn flipped(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let all_ones = self.int_like(x, info, -1);
        self.bits(BitwiseOp::XorI, &[x, all_ones], info)
    }

    pub(super) fn next_power_of_two(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [zero, one] = [0, 1].map(|value| self.int_like(x, info, value));
        let less = self.wrap(IntegerOp::SubI, &[x, one], info);
        let none = self.cmp(P::Equal, x, zero, info);
        let less = self.select(none, zero, less, info.loc);
        let filled = self.filled(less, info);
        self.wrap(IntegerOp::AddI, &[filled, one], info)
    }

    /// Computes the integer square root. The root computed in floats is off by at most one, which
    /// two comparisons correct.
    pub(super) fn isqrt(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let bits = info.scalar.bits();
        let integer = info.scalar.scalar();
        let float = if bits > 32 { Scalar::F64 } else { Scalar::F32 };
        let info = OpInfo {
            sign: Signedness::Unsigned,
            ..info
        };
        let x = if info.scalar.is_signed() {
            let zero = self.int_like(x, info, 0);
            self.b
                .signed(IntegerOp::MaxI, &[x, zero], Signedness::Signed, info.loc)
        } else {
            x
        };
        let unsigned = Some(Signedness::Unsigned);
        let wide = self
            .b
            .convert(ConversionOp::IToF, x, float, unsigned, info.loc);
        let root = self.b.like_first(FloatOp::Sqrt, &[wide], info.loc);
        let root = self
            .b
            .convert(ConversionOp::FToI, root, integer, unsigned, info.loc);
        if bits <= 16 {
            // In f32, numbers of 16 bits are exact, and the root is precise enough to truncate
            // correctly.
            return root;
        }
        let greatest = self.int_like(x, info, (1_i128 << (bits / 2)) - 1);
        let root = self.sign(IntegerOp::MinI, &[root, greatest], info);
        let one = self.int_like(x, info, 1);
        let square = self.wrap(IntegerOp::MulI, &[root, root], info);
        let high = self
            .b
            .cmpi(P::GreaterThan, square, x, Signedness::Unsigned, info.loc);
        let rest = self.wrap(IntegerOp::SubI, &[x, square], info);
        let twice = self.wrap(IntegerOp::AddI, &[root, root], info);
        let low = self
            .b
            .cmpi(P::GreaterThan, rest, twice, Signedness::Unsigned, info.loc);
        let more = self.wrap(IntegerOp::AddI, &[root, one], info);
        let less = self.wrap(IntegerOp::SubI, &[root, one], info);
        let raised = self.select(low, more, root, info.loc);
        self.select(high, less, raised, info.loc)
    }

    /// Returns `result`, a `u32`, where `x` is positive; elsewhere `u32::MAX`.
    fn log_of_positive(&mut self, x: ValueId, result: ValueId, info: OpInfo) -> ValueId {
        let zero = self.int_like(x, info, 0);
        let positive = self.cmp(P::GreaterThan, x, zero, info);
        let none = self.splat_like(result, u64::from(u32::MAX), info.loc);
        self.select(positive, result, none, info.loc)
    }

    pub(super) fn ilog2(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let zeros = self.leading_zeros(x, info);
        let top = self.splat_like(zeros, u64::from(info.scalar.bits() - 1), info.loc);
        let result = self.b.wrapping(IntegerOp::SubI, &[top, zeros], info.loc);
        self.log_of_positive(x, result, info)
    }

    /// Counts the powers of ten, except 1, that are not above `x`.
    pub(super) fn ilog10(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let (_, greatest) = info.scalar.range().expect("an integer has a range");
        let mut result = None;
        let mut power = 10;
        while power <= greatest {
            let limit = self.int_like(x, info, power);
            let reached = self.cmp(P::GreaterThanOrEqual, x, limit, info);
            let reached = self.cast(reached, HostScalar::Bool, HostScalar::U32, info.loc);
            result = Some(match result {
                None => reached,
                Some(sum) => self.b.wrapping(IntegerOp::AddI, &[sum, reached], info.loc),
            });
            power *= 10;
        }
        let result = result.expect("every integer type holds 10");
        self.log_of_positive(x, result, info)
    }

    pub(super) fn leading_zeros(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        // After setting every bit below the highest set bit, the zeros that remain are above it.
        let filled = self.filled(x, info);
        let above = self.flipped(filled, info);
        self.population(above, info)
    }

    pub(super) fn trailing_zeros(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        // `!x & (x - 1)` has ones exactly at the zeros below the lowest set bit.
        let one = self.int_like(x, info, 1);
        let less = self.wrap(IntegerOp::SubI, &[x, one], info);
        let flipped = self.flipped(x, info);
        let below = self.bits(BitwiseOp::AndI, &[less, flipped], info);
        self.population(below, info)
    }

    /// Counts the set bits, as a `u32`.
    pub(super) fn population(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let count = self.ones(x, info);
        self.cast(count, info.scalar.unsigned(), HostScalar::U32, info.loc)
    }

    /// Computes powers by repeated squaring. A known exponent takes only the multiplications that
    /// its bits require; an unknown exponent takes a multiplication for each bit that can matter.
    pub(super) fn pow(&mut self, args: &[ExprId], info: OpInfo) -> ValueId {
        let base = self.tile(args[0]);
        if let Some(exponent) = self.exponent(args[1]) {
            return self.known_power(base, exponent, info);
        }
        let exponent = self.tile(args[1]);
        self.power(base, exponent, info)
    }

    fn known_power(&mut self, mut base: ValueId, mut exponent: i128, info: OpInfo) -> ValueId {
        let mut result = self.int_like(base, info, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.wrap(IntegerOp::MulI, &[result, base], info);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = self.wrap(IntegerOp::MulI, &[base, base], info);
            }
        }
        result
    }

    /// Computes powers with an unknown exponent. Modulo `2^w`, squaring `w - 2` times or more turns
    /// an odd number into 1 and an even number into 0, so the higher bits of the exponent are
    /// combined into one.
    fn power(&mut self, mut base: ValueId, exponent: ValueId, info: OpInfo) -> ValueId {
        let amount = OpInfo {
            scalar: HostScalar::U32,
            sign: Signedness::Unsigned,
            ..info
        };
        let one = self.int_like(base, info, 1);
        let zero = self.int_like(exponent, amount, 0);
        let mut result = one;
        let steps = (info.scalar.bits() - 2).min(u32::BITS);
        for step in 0..steps {
            let mask = self.int_like(exponent, amount, 1 << step);
            let bit = self.bits(BitwiseOp::AndI, &[exponent, mask], amount);
            let counts = self.cmp(P::NotEqual, bit, zero, amount);
            let factor = self.select(counts, base, one, info.loc);
            result = self.wrap(IntegerOp::MulI, &[result, factor], info);
            base = self.wrap(IntegerOp::MulI, &[base, base], info);
        }
        if steps == u32::BITS {
            return result;
        }
        let mask = self.int_like(exponent, amount, i128::from(u32::MAX) >> steps << steps);
        let rest = self.bits(BitwiseOp::AndI, &[exponent, mask], amount);
        let counts = self.cmp(P::NotEqual, rest, zero, amount);
        let factor = self.select(counts, base, one, info.loc);
        self.wrap(IntegerOp::MulI, &[result, factor], info)
    }

    /// Rotates bits.
    pub(super) fn rotated(
        &mut self,
        op: MathOp,
        [x, amount]: [ValueId; 2],
        from: HostScalar,
        info: OpInfo,
    ) -> ValueId {
        let amount = self.cast(amount, from, info.scalar, info.loc);
        let mask = self.int_like(x, info, i128::from(info.scalar.bits()) - 1);
        let there = self.bits(BitwiseOp::AndI, &[amount, mask], info);
        let zero = self.int_like(x, info, 0);
        let back = self.wrap(IntegerOp::SubI, &[zero, there], info);
        let back = self.bits(BitwiseOp::AndI, &[back, mask], info);
        let (up, down) = if op == MathOp::RotateLeft {
            (there, back)
        } else {
            (back, there)
        };
        let up = self.wrap(IntegerOp::ShlI, &[x, up], info);
        let args = [x, down];
        let down = self
            .b
            .signed(IntegerOp::ShrI, &args, Signedness::Unsigned, info.loc);
        self.bits(BitwiseOp::OrI, &[up, down], info)
    }
}
