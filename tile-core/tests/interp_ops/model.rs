//! Conversions between numbers and bits, written independently of the interpreter.

use crate::input::mask;
use std::cmp::Ordering;
use tile_core::ir::ComparisonPredicate;
use tile_core::types::Scalar;

pub(crate) fn signed(scalar: Scalar, bits: u64) -> i128 {
    let shift = 64 - scalar.bits();
    i128::from((bits << shift).cast_signed() >> shift)
}

/// Returns the low bits of a number.
pub(crate) fn low(scalar: Scalar, value: i128) -> u64 {
    (value as u64) & mask(scalar)
}

pub(crate) fn holds(predicate: ComparisonPredicate, order: Ordering) -> bool {
    match predicate {
        ComparisonPredicate::Equal => order.is_eq(),
        ComparisonPredicate::NotEqual => order.is_ne(),
        ComparisonPredicate::LessThan => order.is_lt(),
        ComparisonPredicate::LessThanOrEqual => order.is_le(),
        ComparisonPredicate::GreaterThan => order.is_gt(),
        ComparisonPredicate::GreaterThanOrEqual => order.is_ge(),
    }
}

/// Returns the value of a float's bits.
pub(crate) fn value(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F16 => half::f16::from_bits(bits as u16).to_f64(),
        Scalar::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

pub(crate) fn same(scalar: Scalar, got: u64, want: u64) -> bool {
    got == want || value(scalar, got).is_nan() && value(scalar, want).is_nan()
}

/// Rounds `value` to the type. The result is correct if `value` is exact, or is itself correctly
/// rounded with more than twice the precision.
pub(crate) fn narrow(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        // Search among the neighbours of the truncated value, which shares no rounding code with
        // the interpreter.
        Scalar::F16 | Scalar::BF16 => {
            let sign = u64::from(value.is_sign_negative()) << 15;
            if value.is_nan() {
                return 0x7fff;
            }
            let (mut low, mut high) = (
                0_u64,
                if scalar == Scalar::F16 {
                    0x7c00
                } else {
                    0x7f80
                },
            );
            let top = high;
            let magnitude = value.abs();
            let value_of = |bits: u64| self::value(scalar, bits);
            while high - low > 1 {
                let middle = u64::midpoint(low, high);
                if value_of(middle) <= magnitude {
                    low = middle
                } else {
                    high = middle
                }
            }
            // Above the greatest number, take the next value as if the exponent range continued.
            let above = if high == top {
                2.0 * value_of(top - 1) - value_of(top - 2)
            } else {
                value_of(high)
            };
            let (down, up) = (magnitude - value_of(low), above - magnitude);
            let pick = if down < up || down == up && low & 1 == 0 {
                low
            } else {
                high
            };
            sign | pick
        }
        Scalar::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}
