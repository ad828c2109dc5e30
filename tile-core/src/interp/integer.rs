//! Integer arithmetic.
//!
//! Arithmetic wraps, unless the operation has an overflow flag; violating the flag, division by
//! zero, an unrepresentable quotient and a shift by the width or more are undefined behaviour,
//! reported as faults.

use super::compile::Compiler;
use super::machine::{Exec, Slot, binary, partial, unary};
use super::number::{Int, with_int};
use super::reduce::Fold;
use super::tile::Lane;
use crate::ir::{Attr, ComparisonPredicate, IntegerOverflow, Op, RoundingMode, Signedness};
use crate::ops::IntegerOp;
use crate::types::Scalar;

/// Compiles an integer operation.
pub(super) fn compile(kind: IntegerOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    if kind == IntegerOp::MmaI {
        return super::mma::mmai(cx, op);
    }
    let scalar = cx.scalar(op.operands[0]);
    with_int!(scalar, I => elementwise::<I>(kind, cx, op), else panic!("verified code has integers here"))
}

fn is_signed(op: &Op) -> bool {
    op.signedness() == Signedness::Signed
}

fn elementwise<I: Int>(kind: IntegerOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    match kind {
        IntegerOp::AbsI => {
            let [a] = cx.args(op);
            unary(a, cx.result(op), I::abs)
        }
        IntegerOp::NegI => {
            let [a] = cx.args(op);
            let out = cx.result(op);
            if op.overflow() == IntegerOverflow::None {
                return unary(a, out, I::neg);
            }
            let least = I::wrap(1 << (I::BITS - 1));
            partial(
                [a, a],
                out,
                cx.shape(op.result()),
                move |a, _| (a != least).then(|| I::neg(a)),
                |a, _| I::neg(a),
                |a, _| format!("negation of {} overflows", I::signed(a)),
            )
        }
        IntegerOp::AddI => arithmetic::<I>(cx, op, "+", I::add, i128::checked_add),
        IntegerOp::SubI => arithmetic::<I>(cx, op, "-", I::sub, i128::checked_sub),
        IntegerOp::MulI => arithmetic::<I>(cx, op, "*", I::mul, i128::checked_mul),
        IntegerOp::MulhiI => {
            let args = cx.args(op);
            binary(args, cx.result(op), I::mul_high)
        }
        IntegerOp::MaxI => {
            let args = cx.args(op);
            let out = cx.result(op);
            match op.signedness() {
                Signedness::Signed => binary(args, out, I::max_signed),
                Signedness::Unsigned => binary(args, out, |a: I::L, b: I::L| a.max(b)),
            }
        }
        IntegerOp::MinI => {
            let args = cx.args(op);
            let out = cx.result(op);
            match op.signedness() {
                Signedness::Signed => binary(args, out, I::min_signed),
                Signedness::Unsigned => binary(args, out, |a: I::L, b: I::L| a.min(b)),
            }
        }
        IntegerOp::CmpI => compare::<I>(cx, op),
        IntegerOp::DivI => {
            let Some(Attr::Rounding(rounding)) = op.attr("rounding").cloned() else {
                panic!("verified code has a rounding here");
            };
            let divide = divider::<I>(op.signedness(), rounding);
            fallible::<I>(cx, op, "/", divide, zero::<I>)
        }
        IntegerOp::RemI => {
            let rem = if is_signed(op) {
                I::rem_signed
            } else {
                I::rem_unsigned
            };
            fallible::<I>(cx, op, "%", rem, zero::<I>)
        }
        IntegerOp::ShlI => {
            let overflow = op.overflow();
            let shift = move |a: I::L, b: I::L| {
                let result = I::shift_left(a, b)?;
                let back = |signed: bool| {
                    let back = if signed {
                        I::shift_right_signed
                    } else {
                        I::shift_right_unsigned
                    };
                    back(result, b) == Some(a)
                };
                let (signed, unsigned) = promises(overflow);
                ((!signed || back(true)) && (!unsigned || back(false))).then_some(result)
            };
            fallible::<I>(cx, op, "<<", shift, |a, b| {
                I::shift_left(a, b).unwrap_or_default()
            })
        }
        IntegerOp::ShrI => {
            let shift = if is_signed(op) {
                I::shift_right_signed
            } else {
                I::shift_right_unsigned
            };
            fallible::<I>(cx, op, ">>", shift, zero::<I>)
        }
        IntegerOp::MmaI => unreachable!("handled by the caller"),
    }
}

/// Returns whether the flag promises that the result fits as a signed number, and as an unsigned
/// number.
fn promises(overflow: IntegerOverflow) -> (bool, bool) {
    match overflow {
        IntegerOverflow::None => (false, false),
        IntegerOverflow::NoSignedWrap => (true, false),
        IntegerOverflow::NoUnsignedWrap => (false, true),
        IntegerOverflow::NoWrap => (true, true),
    }
}

fn arithmetic<I: Int>(
    cx: &mut Compiler<'_>,
    op: &Op,
    sign: &'static str,
    wrapping: fn(I::L, I::L) -> I::L,
    exact: fn(i128, i128) -> Option<i128>,
) -> Exec {
    let (signed, unsigned) = promises(op.overflow());
    if !signed && !unsigned {
        let args = cx.args(op);
        let out = cx.result(op);
        // The call is repeated for each function, so that the loop is compiled for each of them.
        return match sign {
            "+" => binary(args, out, I::add),
            "-" => binary(args, out, I::sub),
            _ => binary(args, out, I::mul),
        };
    }
    let f = move |a: I::L, b: I::L| {
        let result = wrapping(a, b);
        let wide = |a: I::L| (i128::from(I::signed(a)), i128::from(a.to_bits()));
        let ((sa, ua), (sb, ub), (sr, ur)) = (wide(a), wide(b), wide(result));
        let fits =
            (!signed || exact(sa, sb) == Some(sr)) && (!unsigned || exact(ua, ub) == Some(ur));
        fits.then_some(result)
    };
    fallible::<I>(cx, op, sign, f, wrapping)
}

fn zero<I: Int>(_: I::L, _: I::L) -> I::L {
    I::L::default()
}

/// Compiles an operation whose `f` returns `None` for undefined behaviour. A launch that continues
/// then uses the result of `instead`.
fn fallible<I: Int>(
    cx: &mut Compiler<'_>,
    op: &Op,
    sign: &'static str,
    f: impl Fn(I::L, I::L) -> Option<I::L> + Send + Sync + 'static,
    instead: fn(I::L, I::L) -> I::L,
) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let promise = match sign {
        "+" | "-" | "*" | "<<" => op.overflow().name(),
        _ => IntegerOverflow::None.name(),
    };
    partial(args, out, cx.shape(op.result()), f, instead, move |a, b| {
        let why = reason::<I>(sign, promise, b);
        format!(
            "{} {sign} {} is undefined: {why}",
            I::signed(a),
            I::signed(b)
        )
    })
}

/// Returns the reason why an operation with the right operand `b` is undefined.
fn reason<I: Int>(sign: &str, promise: &str, b: I::L) -> String {
    let bits = I::BITS;
    match sign {
        "/" | "%" if b.to_bits() == 0 => "division by zero".to_owned(),
        "/" | "%" => format!("the quotient does not fit {bits} bits"),
        "<<" | ">>" if b.to_bits() >= u64::from(bits) => {
            format!("the distance is not below the width of {bits} bits")
        }
        _ => format!("the result does not fit {bits} bits, which `overflow<{promise}>` promises"),
    }
}

/// Returns the division that rounds toward zero, down or up.
fn divider<I: Int>(
    signedness: Signedness,
    rounding: RoundingMode,
) -> impl Fn(I::L, I::L) -> Option<I::L> + Send + Sync + 'static {
    let one = I::wrap(1);
    let zero = I::wrap(0);
    move |a, b| {
        let (quotient, rest, is_negative) = match signedness {
            Signedness::Signed => {
                let negative = (I::signed(a) < 0) != (I::signed(b) < 0);
                (I::div_signed(a, b)?, I::rem_signed(a, b)?, negative)
            }
            Signedness::Unsigned => (I::div_unsigned(a, b)?, I::rem_unsigned(a, b)?, false),
        };
        let exact = rest == zero;
        Some(match rounding {
            RoundingMode::NegativeInf if !exact && is_negative => I::sub(quotient, one),
            RoundingMode::PositiveInf if !exact && !is_negative => I::add(quotient, one),
            _ => quotient,
        })
    }
}

fn compare<I: Int>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let (predicate, signed) = (op.predicate(), is_signed(op));
    macro_rules! compare {
        ($f:expr) => {
            binary(args, out, |a: I::L, b: I::L| {
                let f: fn(I::L, I::L) -> bool = $f;
                u8::from(f(a, b))
            })
        };
    }
    match (predicate, signed) {
        (ComparisonPredicate::Equal, _) => compare!(|a, b| a == b),
        (ComparisonPredicate::NotEqual, _) => compare!(|a, b| a != b),
        (ComparisonPredicate::LessThan, true) => compare!(|a, b| I::less_signed(a, b)),
        (ComparisonPredicate::LessThan, false) => compare!(|a, b| a < b),
        (ComparisonPredicate::LessThanOrEqual, true) => compare!(|a, b| !I::less_signed(b, a)),
        (ComparisonPredicate::LessThanOrEqual, false) => compare!(|a, b| a <= b),
        (ComparisonPredicate::GreaterThan, true) => compare!(|a, b| I::less_signed(b, a)),
        (ComparisonPredicate::GreaterThan, false) => compare!(|a, b| a > b),
        (ComparisonPredicate::GreaterThanOrEqual, true) => compare!(|a, b| !I::less_signed(a, b)),
        (ComparisonPredicate::GreaterThanOrEqual, false) => compare!(|a, b| a >= b),
    }
}

type Combiner = Box<dyn Fn(Fold, Slot) -> Exec>;

/// Returns the combiner of a reduction whose body is one operation, if that operation cannot fault.
pub(super) fn combiner(kind: IntegerOp, op: &Op, scalar: Scalar) -> Option<Combiner> {
    let wraps = |op: &Op| op.overflow() == IntegerOverflow::None;
    with_int!(scalar, I => match kind {
        IntegerOp::AddI if wraps(op) => Some(Box::new(|fold: Fold, out| fold.exec(out, I::add))),
        IntegerOp::MulI if wraps(op) => Some(Box::new(|fold: Fold, out| fold.exec(out, I::mul))),
        IntegerOp::MaxI if is_signed(op) => {
            Some(Box::new(|fold: Fold, out| fold.exec(out, I::max_signed)))
        }
        IntegerOp::MaxI => Some(Box::new(|fold: Fold, out| {
            fold.exec(out, |a: <I as Int>::L, b: <I as Int>::L| a.max(b))
        })),
        IntegerOp::MinI if is_signed(op) => {
            Some(Box::new(|fold: Fold, out| fold.exec(out, I::min_signed)))
        }
        IntegerOp::MinI => Some(Box::new(|fold: Fold, out| {
            fold.exec(out, |a: <I as Int>::L, b: <I as Int>::L| a.min(b))
        })),
        _ => None,
    }, else None)
}
