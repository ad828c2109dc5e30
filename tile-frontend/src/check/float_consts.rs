//! Evaluates constant floats: the initial value of a reduction, a padding.
//!
//! The arithmetic is the same as in the kernel. Every value is computed as both an `f32` and an
//! `f64`, so that the type of an operand may still be open. `f16` and `bf16` are computed in `f64`
//! and then rounded. The results are correctly rounded, since `f64` has more than twice their bits
//! plus two (Figueroa, *When is double rounding innocuous?*, 1995). A NaN has no specified bits in
//! Rust and is not a constant.

use super::Checker;
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, ExprId, ExprKind, Float, LocalId};
use crate::parse::ast::{BinaryOp, UnaryOp};
use half::{bf16, f16};
use std::collections::BTreeMap;

/// The values of variables that have been looked up. Without this, a chain of variables that are
/// used twice each would take exponential time.
type Known = BTreeMap<LocalId, Option<Float>>;

impl Checker<'_> {
    /// Returns the value of a constant float.
    pub(super) fn float_constant(&self, id: ExprId) -> Option<Float> {
        self.float_value(id, &mut Known::new())
    }

    fn float_value(&self, id: ExprId, known: &mut Known) -> Option<Float> {
        match &self.exprs[id.index()].kind {
            ExprKind::Float(value) => Some(*value),
            ExprKind::Local(local) => {
                if let Some(value) = known.get(local) {
                    return *value;
                }
                let initial = self.initial.get(local).copied();
                let value = initial.and_then(|initial| self.float_value(initial, known));
                known.insert(*local, value);
                value
            }
            ExprKind::Unary(UnaryOp::Neg, value) => Some(-self.float_value(*value, known)?),
            ExprKind::Binary(op, lhs, rhs) => {
                let lhs = self.float_value(*lhs, known)?;
                let rhs = self.float_value(*rhs, known)?;
                float_binary(*op, lhs, rhs, self.scalar_of(id))
            }
            ExprKind::Cast(value) => {
                let to = self.scalar_of(id)?;
                match self.constant(*value) {
                    Some(Const::Int(value)) => float_of_int(value, to),
                    Some(Const::Bool(_)) => None,
                    None => {
                        let from = self.scalar_of(*value)?;
                        float_cast(self.float_value(*value, known)?, from, to)
                    }
                }
            }
            ExprKind::Block(Block { stmts, tail }) if stmts.is_empty() => {
                self.float_value((*tail)?, known)
            }
            _ => None,
        }
    }
}

/// Rounds a value to `f16` or `bf16`; returns a value of any other type unchanged.
fn rounded(value: Float, scalar: HostScalar) -> Float {
    match scalar {
        HostScalar::F16 => Float::new(f16::from_f64(value.double).to_f64()),
        HostScalar::Bf16 => Float::new(bf16::from_f64(value.double).to_f64()),
        _ => value,
    }
}

/// Computes in a type, or in both `f32` and `f64` if the type is open; `None` if the type has no
/// arithmetic.
fn float_binary(op: BinaryOp, lhs: Float, rhs: Float, scalar: Option<HostScalar>) -> Option<Float> {
    let (lhs, rhs) = match scalar {
        None | Some(HostScalar::F32 | HostScalar::F64) => (lhs, rhs),
        Some(scalar @ (HostScalar::F16 | HostScalar::Bf16)) => {
            (rounded(lhs, scalar), rounded(rhs, scalar))
        }
        // The other formats have no arithmetic.
        Some(_) => return None,
    };
    let (double, single) = match op {
        BinaryOp::Add => (lhs.double + rhs.double, lhs.single + rhs.single),
        BinaryOp::Sub => (lhs.double - rhs.double, lhs.single - rhs.single),
        BinaryOp::Mul => (lhs.double * rhs.double, lhs.single * rhs.single),
        BinaryOp::Div => (lhs.double / rhs.double, lhs.single / rhs.single),
        BinaryOp::Rem => (lhs.double % rhs.double, lhs.single % rhs.single),
        _ => return None,
    };
    let value = scalar.map_or(Float { double, single }, |scalar| {
        rounded(Float { double, single }, scalar)
    });
    let is_number = !value.double.is_nan() && !value.single.is_nan();
    is_number.then_some(value)
}

/// Converts an integer as `value as f32` does, rounded once.
fn float_of_int(value: i128, to: HostScalar) -> Option<Float> {
    #[expect(clippy::cast_precision_loss, reason = "this rounds, as `as` does")]
    let (double, single) = (value as f64, value as f32);
    match to {
        HostScalar::F32 | HostScalar::F64 => Some(Float { double, single }),
        // The conversion goes through `f64`, so it applies only where that step is exact.
        HostScalar::F16 | HostScalar::Bf16 if value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS => {
            Some(rounded(Float { double, single }, to))
        }
        _ => None,
    }
}

/// Converts a float as `value as f32` does, rounded once.
fn float_cast(value: Float, from: HostScalar, to: HostScalar) -> Option<Float> {
    let exact = match from {
        HostScalar::F64 => value.double,
        HostScalar::F32 => f64::from(value.single),
        HostScalar::F16 | HostScalar::Bf16 => rounded(value, from).double,
        _ => return None,
    };
    match to {
        HostScalar::F32 | HostScalar::F64 | HostScalar::F16 | HostScalar::Bf16 => {
            Some(rounded(Float::new(exact), to)).filter(|value| !value.double.is_nan())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Float {
        Float::parse(text).expect("a float")
    }

    /// Checks that results have the bits that Rust and `half` compute.
    #[test]
    fn arithmetic_is_that_of_the_type() {
        let (tenth, third) = (literal("0.1"), literal("0.3"));
        let sum = |scalar| float_binary(BinaryOp::Add, tenth, third, scalar).expect("a number");
        for open in [None, Some(HostScalar::F32), Some(HostScalar::F64)] {
            assert_eq!(sum(open).single.to_bits(), (0.1_f32 + 0.3_f32).to_bits());
            assert_eq!(sum(open).double.to_bits(), (0.1_f64 + 0.3_f64).to_bits());
        }
        let half = f16::from_f64(0.1) + f16::from_f64(0.3);
        assert_eq!(sum(Some(HostScalar::F16)), Float::new(half.to_f64()));
        let brain = bf16::from_f64(0.1) + bf16::from_f64(0.3);
        assert_eq!(sum(Some(HostScalar::Bf16)), Float::new(brain.to_f64()));
        // The operands are rounded before they are subtracted: as an f16, 2049 is 2048.
        let far = float_binary(
            BinaryOp::Sub,
            literal("2049"),
            literal("2048"),
            Some(HostScalar::F16),
        );
        assert_eq!(far, Some(Float::new(0.0)));
        assert_eq!(
            float_binary(BinaryOp::Add, tenth, third, Some(HostScalar::F8e4m3)),
            None
        );
    }

    #[test]
    fn infinities_are_constants_and_what_is_no_number_is_not() {
        let (zero, one) = (literal("0"), literal("1"));
        let quotient = |lhs, rhs| float_binary(BinaryOp::Div, lhs, rhs, Some(HostScalar::F32));
        assert_eq!(quotient(-one, zero), Some(Float::new(f64::NEG_INFINITY)));
        assert_eq!(quotient(zero, zero), None);
        let product = float_binary(
            BinaryOp::Mul,
            literal("65504"),
            literal("2"),
            Some(HostScalar::F16),
        );
        assert_eq!(product, Some(Float::new(f64::INFINITY)));
    }

    #[test]
    fn casts_round_once() {
        // The value is halfway between two neighbouring f32 numbers, plus a bit that f64 cannot
        // represent.
        let value = (1_i128 << 60) + (1 << 36) + 1;
        #[expect(clippy::cast_precision_loss, reason = "the oracle")]
        let expected = (value as f32, value as f64);
        let rounded = float_of_int(value, HostScalar::F32).expect("a number");
        assert_eq!((rounded.single, rounded.double), expected);
        assert_eq!(float_of_int(value, HostScalar::Bf16), None);
        assert_eq!(
            float_of_int(2049, HostScalar::F16),
            Some(Float::new(2048.0))
        );
        let tenth = literal("0.1");
        let widened = float_cast(tenth, HostScalar::F32, HostScalar::F64).expect("a number");
        assert_eq!(widened.double.to_bits(), f64::from(0.1_f32).to_bits());
        let through = float_cast(tenth, HostScalar::F16, HostScalar::F32).expect("a number");
        assert_eq!(
            through.single.to_bits(),
            f16::from_f64(0.1).to_f32().to_bits()
        );
        assert_eq!(float_cast(tenth, HostScalar::F32, HostScalar::F8e5m2), None);
    }
}
