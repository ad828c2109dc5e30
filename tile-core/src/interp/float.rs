//! Floating-point operations.
//!
//! - Arithmetic is rounded once, in the mode of the operation. The modes `approx` and `full` are
//!   computed as nearest even.
//! - The dialect does not specify the NaN of a result. Here it is the quiet NaN with positive sign
//!   and no other bits; `absf` and `negf` change only the sign.
//! - `flush_to_zero` replaces subnormal operands and results by zero of the same sign.
//! - `divf` in mode `approx` returns zero for a divisor above 2^126, as specified.
//! - Transcendental functions are those of [`mod@function`], also in the modes `approx` and `full`.

use super::compile::Compiler;
use super::exact;
use super::function::{self, Function, Subnormals};
use super::machine::{Exec, Flow, Slot, binary, ternary, unary};
use super::number::{Float, Int, Wide, with_float, with_int};
use super::reduce::Fold;
use super::tile::Lane;
use crate::ir::{ComparisonOrdering, ComparisonPredicate, Op, RoundingMode};
use crate::ops::FloatOp;
use crate::types::Scalar;

/// Compiles a float operation.
pub(super) fn compile(kind: FloatOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    match kind {
        FloatOp::MmaF => return super::mma::mmaf(cx, op),
        FloatOp::MmaFScaled => return super::mma_scaled::mmaf_scaled(cx, op),
        _ => {}
    }
    let scalar = cx.scalar(op.operands[0]);
    with_float!(scalar, F => elementwise::<F>(kind, cx, op), else panic!("verified code has floats here"))
}

fn elementwise<F: Float>(kind: FloatOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    match kind {
        FloatOp::AbsF => bits::<F>(cx, op, |bits, sign| bits & !sign),
        FloatOp::NegF => bits::<F>(cx, op, |bits, sign| bits ^ sign),
        FloatOp::Ceil => plain::<F>(cx, op, Wide::ceil),
        FloatOp::Floor => plain::<F>(cx, op, Wide::floor),
        FloatOp::AddF => arithmetic::<F>(cx, op, |a, b| a + b, exact::add),
        FloatOp::SubF => arithmetic::<F>(cx, op, |a, b| a - b, exact::sub),
        FloatOp::MulF => arithmetic::<F>(cx, op, |a, b| a * b, exact::mul),
        FloatOp::DivF if op.rounding_mode() == RoundingMode::Approx => {
            arithmetic::<F>(cx, op, approximate_quotient, exact::div)
        }
        FloatOp::DivF => arithmetic::<F>(cx, op, |a, b| a / b, exact::div),
        FloatOp::RemF => {
            let args = cx.args(op);
            binary(args, cx.result(op), |a: F::L, b: F::L| {
                F::narrow(F::widen(a).remainder(F::widen(b)))
            })
        }
        FloatOp::Sqrt => sqrt::<F>(cx, op),
        FloatOp::Fma => fma::<F>(cx, op),
        FloatOp::MaxF => extremum::<F>(cx, op, larger),
        FloatOp::MinF => extremum::<F>(cx, op, smaller),
        FloatOp::CmpF => compare::<F>(cx, op),
        FloatOp::Cos
        | FloatOp::CosH
        | FloatOp::Exp
        | FloatOp::Exp2
        | FloatOp::Log
        | FloatOp::Log2
        | FloatOp::RSqrt
        | FloatOp::Sin
        | FloatOp::SinH
        | FloatOp::Tan
        | FloatOp::TanH => function::<F>(kind, cx, op),
        FloatOp::Atan2 => function_of_two::<F>(cx, op, function::atan2::<F>),
        FloatOp::Pow => function_of_two::<F>(cx, op, function::pow),
        FloatOp::FPowI => fpowi::<F>(cx, op),
        FloatOp::MmaF | FloatOp::MmaFScaled => unreachable!("handled by the caller"),
    }
}

fn bits<F: Float>(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static,
) -> Exec {
    let [a] = cx.args(op);
    let sign = F::FORMAT.sign_bit();
    unary(a, cx.result(op), move |a: F::L| {
        F::L::from_bits(f(a.to_bits(), sign))
    })
}

fn plain<F: Float>(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(F::W) -> F::W + Send + Sync + 'static,
) -> Exec {
    let [a] = cx.args(op);
    unary(a, cx.result(op), move |a: F::L| F::narrow(f(F::widen(a))))
}

fn function<F: Float>(kind: FloatOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let function = Function::for_op(kind).expect("the caller has a function");
    let subnormals = match kind {
        FloatOp::Exp2 | FloatOp::RSqrt if op.has_flag("flush_to_zero") => Subnormals::Flushed,
        _ => Subnormals::Kept,
    };
    let [a] = cx.args(op);
    let out = cx.result(op);
    Box::new(move |machine| {
        machine.write(out, |machine, result| {
            function::each::<F>(function, subnormals, machine.operand(a), result);
        });
        Ok(Flow::Next)
    })
}

fn function_of_two<F: Float>(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(f64, f64) -> f64 + Send + Sync + 'static,
) -> Exec {
    let args = cx.args(op);
    binary(args, cx.result(op), move |a: F::L, b: F::L| {
        F::from_f64(f(F::widen(a).to_f64(), F::widen(b).to_f64()))
    })
}

fn fpowi<F: Float>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let args = cx.args(op);
    let exponent = cx.scalar(op.operands[1]);
    let out = cx.result(op);
    with_int!(exponent, I => binary(args, out, |a: F::L, n: <I as Int>::L| {
        F::from_f64(function::powi(F::widen(a).to_f64(), I::signed(n)))
    }), else panic!("verified code has an integer exponent"))
}

/// Returns `a / b` computed with the reciprocal, which is flushed to zero if it is subnormal.
fn approximate_quotient<W: Wide>(a: W, b: W) -> W {
    if b.to_f64().abs() > 2.0_f64.powi(126) {
        return a * (W::ONE / b).flush();
    }
    a / b
}

/// Replaces a subnormal by zero of the same sign.
fn flush<F: Float>(lane: F::L) -> F::L {
    F::narrow(F::widen(lane).flush())
}

/// Returns `true` if arithmetic in this mode rounds to nearest even.
fn is_nearest(mode: RoundingMode) -> bool {
    match mode {
        RoundingMode::NearestEven | RoundingMode::Approx | RoundingMode::Full => true,
        RoundingMode::Zero
        | RoundingMode::NegativeInf
        | RoundingMode::PositiveInf
        | RoundingMode::NearestIntToZero
        | RoundingMode::NearestAway => false,
    }
}

type ExactBinary = fn(exact::Format, u64, u64, RoundingMode) -> u64;

fn arithmetic<F: Float>(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(F::W, F::W) -> F::W + Send + Sync + 'static,
    slow: ExactBinary,
) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let mode = op.rounding_mode();
    let ftz = op.has_flag("flush_to_zero");
    match (is_nearest(mode), ftz) {
        (true, false) => binary(args, out, move |a: F::L, b: F::L| {
            F::narrow(f(F::widen(a), F::widen(b)))
        }),
        (true, true) => binary(args, out, move |a: F::L, b: F::L| {
            let result = f(F::widen(a).flush(), F::widen(b).flush());
            flush::<F>(F::narrow(result))
        }),
        (false, _) => binary(args, out, move |a: F::L, b: F::L| {
            let (a, b) = if ftz {
                (flush::<F>(a), flush::<F>(b))
            } else {
                (a, b)
            };
            let result = F::L::from_bits(slow(F::FORMAT, a.to_bits(), b.to_bits(), mode));
            if ftz { flush::<F>(result) } else { result }
        }),
    }
}

fn sqrt<F: Float>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let [a] = cx.args(op);
    let out = cx.result(op);
    let mode = op.rounding_mode();
    let ftz = op.has_flag("flush_to_zero");
    if is_nearest(mode) && !ftz {
        return unary(a, out, |a: F::L| F::narrow(F::widen(a).sqrt()));
    }
    unary(a, out, move |a: F::L| {
        let a = if ftz { flush::<F>(a) } else { a };
        F::L::from_bits(exact::sqrt(F::FORMAT, a.to_bits(), mode))
    })
}

fn fma<F: Float>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let mode = op.rounding_mode();
    let ftz = op.has_flag("flush_to_zero");
    if is_nearest(mode) && !ftz {
        return ternary(args, out, |a: F::L, b: F::L, c: F::L| F::fused(a, b, c));
    }
    ternary(args, out, move |a: F::L, b: F::L, c: F::L| {
        let [a, b, c] = [a, b, c].map(|x| if ftz { flush::<F>(x) } else { x });
        let bits = exact::fma(F::FORMAT, a.to_bits(), b.to_bits(), c.to_bits(), mode);
        let result = F::L::from_bits(bits);
        if ftz { flush::<F>(result) } else { result }
    })
}

// These comparisons have no branches, so that the loops that use them are vectorized.

/// Returns `true` if the first of two numbers is larger, where +0 is above -0.
fn larger<W: Wide>(a: W, b: W) -> bool {
    (a > b) | ((a == b) & b.is_negative())
}

/// Returns `true` if the first of two numbers is smaller, where -0 is below +0.
fn smaller<W: Wide>(a: W, b: W) -> bool {
    (a < b) | ((a == b) & a.is_negative())
}

/// Returns the number that `wins` prefers; a NaN loses, or wins if `propagate`.
fn picked<W: Wide>(a: W, b: W, propagate: bool, wins: impl Fn(W, W) -> bool) -> W {
    if propagate {
        let number = if wins(a, b) { a } else { b };
        return if a.is_nan() | b.is_nan() {
            W::NAN
        } else {
            number
        };
    }
    // No comparison with a NaN wins.
    if wins(a, b) | b.is_nan() { a } else { b }
}

fn extremum<F: Float>(
    cx: &mut Compiler<'_>,
    op: &Op,
    wins: impl Fn(F::W, F::W) -> bool + Copy + Send + Sync + 'static,
) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let propagate = op.has_flag("propagate_nan");
    let ftz = op.has_flag("flush_to_zero");
    match (propagate, ftz) {
        (false, false) => binary(args, out, move |a: F::L, b: F::L| {
            F::narrow(picked(F::widen(a), F::widen(b), false, wins))
        }),
        (true, false) => binary(args, out, move |a: F::L, b: F::L| {
            F::narrow(picked(F::widen(a), F::widen(b), true, wins))
        }),
        (propagate, true) => binary(args, out, move |a: F::L, b: F::L| {
            let (a, b) = (F::widen(a).flush(), F::widen(b).flush());
            F::narrow(picked(a, b, propagate, wins))
        }),
    }
}

fn compare<F: Float>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let args = cx.args(op);
    let out = cx.result(op);
    let unordered = op.comparison_ordering() == ComparisonOrdering::Unordered;
    macro_rules! compare {
        ($f:expr) => {
            binary(args, out, move |a: F::L, b: F::L| {
                let (a, b) = (F::widen(a), F::widen(b));
                let f: fn(F::W, F::W) -> bool = $f;
                let has_nan = a.is_nan() | b.is_nan();
                u8::from(if has_nan { unordered } else { f(a, b) })
            })
        };
    }
    match op.predicate() {
        ComparisonPredicate::Equal => compare!(|a, b| a == b),
        ComparisonPredicate::NotEqual => compare!(|a, b| a != b),
        ComparisonPredicate::LessThan => compare!(|a, b| a < b),
        ComparisonPredicate::LessThanOrEqual => compare!(|a, b| a <= b),
        ComparisonPredicate::GreaterThan => compare!(|a, b| a > b),
        ComparisonPredicate::GreaterThanOrEqual => compare!(|a, b| a >= b),
    }
}

type Combiner = Box<dyn Fn(Fold, Slot) -> Exec>;

/// Returns the combiner of a reduction whose body is one operation in its plain form.
pub(super) fn combiner(kind: FloatOp, op: &Op, scalar: Scalar) -> Option<Combiner> {
    let rounds = matches!(kind, FloatOp::AddF | FloatOp::MulF);
    if op.has_flag("flush_to_zero") || rounds && !is_nearest(op.rounding_mode()) {
        return None;
    }
    with_float!(scalar, F => {
        type L = <F as Float>::L;
        let combiner: Combiner = match kind {
            FloatOp::AddF => Box::new(|fold: Fold, out| {
                fold.exec(out, |a: L, b: L| F::narrow(F::widen(a) + F::widen(b)))
            }),
            FloatOp::MulF => Box::new(|fold: Fold, out| {
                fold.exec(out, |a: L, b: L| F::narrow(F::widen(a) * F::widen(b)))
            }),
            FloatOp::MaxF => extremes::<F>(op, larger),
            FloatOp::MinF => extremes::<F>(op, smaller),
            _ => return None,
        };
        Some(combiner)
    }, else None)
}

/// Compiles a minimum or maximum. `wins` is a generic function rather than a pointer, so that the
/// loop that calls it is vectorized.
fn extremes<F: Float>(
    op: &Op,
    wins: impl Fn(F::W, F::W) -> bool + Copy + Send + Sync + 'static,
) -> Combiner {
    if op.has_flag("propagate_nan") {
        Box::new(move |fold, out| {
            fold.exec(out, move |a: F::L, b: F::L| {
                F::narrow(picked(F::widen(a), F::widen(b), true, wins))
            })
        })
    } else {
        Box::new(move |fold, out| {
            fold.exec(out, move |a: F::L, b: F::L| {
                F::narrow(picked(F::widen(a), F::widen(b), false, wins))
            })
        })
    }
}
