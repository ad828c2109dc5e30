//! Transcendental functions, bit-identical on every machine.
//!
//! Results are at most one unit in the last place from the correctly rounded ones; special values
//! are those of annex F of the C standard. f64 is computed by the `libm` crate (plain Rust, no call
//! of the platform's library), or in more bits where that is not accurate enough. Narrower types
//! are computed in f64 and rounded once; the most used functions have vectorized loops for them
//! (`single.rs`).
//!
//! Functions work on slices, so that a type can have loops of its own.

mod angle;
mod double;
mod exponential;
mod power;
mod single;

use super::loops::map1;
use super::number::{Float, Wide};
use crate::ops::FloatOp;
pub(super) use power::powi;

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Cos,
    CosH,
    Exp,
    Exp2,
    Log,
    Log2,
    RSqrt,
    Sin,
    SinH,
    Tan,
    TanH,
}

impl Function {
    /// Returns the function that an operation computes elementwise.
    pub(super) fn for_op(op: FloatOp) -> Option<Self> {
        Some(match op {
            FloatOp::Cos => Self::Cos,
            FloatOp::CosH => Self::CosH,
            FloatOp::Exp => Self::Exp,
            FloatOp::Exp2 => Self::Exp2,
            FloatOp::Log => Self::Log,
            FloatOp::Log2 => Self::Log2,
            FloatOp::RSqrt => Self::RSqrt,
            FloatOp::Sin => Self::Sin,
            FloatOp::SinH => Self::SinH,
            FloatOp::Tan => Self::Tan,
            FloatOp::TanH => Self::TanH,
            FloatOp::AbsF
            | FloatOp::AddF
            | FloatOp::Atan2
            | FloatOp::Ceil
            | FloatOp::CmpF
            | FloatOp::DivF
            | FloatOp::Floor
            | FloatOp::Fma
            | FloatOp::FPowI
            | FloatOp::MaxF
            | FloatOp::MinF
            | FloatOp::MmaF
            | FloatOp::MmaFScaled
            | FloatOp::MulF
            | FloatOp::NegF
            | FloatOp::Pow
            | FloatOp::RemF
            | FloatOp::Sqrt
            | FloatOp::SubF => return None,
        })
    }
}

/// The handling of subnormal operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subnormals {
    Kept,
    /// Replaced by zero of the same sign.
    Flushed,
}

/// Appends the value of the function at every element of `source` to `result`.
pub(super) fn each<F: Float>(
    function: Function,
    subnormals: Subnormals,
    source: &[F::L],
    result: &mut Vec<F::L>,
) {
    let exact = is_exact::<F>();
    macro_rules! each {
        ($f:expr) => {
            match subnormals {
                Subnormals::Kept => {
                    map1(|x| F::from_f64($f(F::widen(x).to_f64())), source, result);
                }
                Subnormals::Flushed => {
                    let f = |x| {
                        let y = F::from_f64($f(F::widen(x).flush().to_f64()));
                        F::narrow(F::widen(y).flush())
                    };
                    map1(f, source, result);
                }
            }
        };
    }
    // The functions in f64 are calls, so one loop over a pointer serves them all; those in f32 are
    // compiled into their loops as vectors.
    let f: fn(f64) -> f64 = match function {
        Function::Cos => libm::cos,
        Function::CosH if exact => exponential::cosh,
        Function::CosH => return each!(single::cosh),
        Function::Exp if exact => libm::exp,
        Function::Exp => return each!(single::exp),
        Function::Exp2 if exact => libm::exp2,
        Function::Exp2 => return each!(single::exp2),
        Function::Log if exact => libm::log,
        Function::Log => return each!(single::log),
        Function::Log2 if exact => libm::log2,
        Function::Log2 => return each!(single::log2),
        Function::RSqrt if exact => power::rsqrt,
        Function::RSqrt => return each!(|x: f64| 1.0 / x.sqrt()),
        Function::Sin => libm::sin,
        Function::SinH if exact => exponential::sinh,
        Function::SinH => return each!(single::sinh),
        Function::Tan => libm::tan,
        Function::TanH if exact => exponential::tanh,
        Function::TanH => return each!(single::tanh),
    };
    each!(f);
}

/// Returns `x^y`.
pub(super) fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Returns the angle of the point (`x`, `y`), with the argument order of C's `atan2`.
pub(super) fn atan2<F: Float>(y: f64, x: f64) -> f64 {
    if is_exact::<F>() {
        angle::atan2(y, x)
    } else {
        libm::atan2(y, x)
    }
}

/// Returns `true` if the type has as many bits as f64. Other types have at most half as many.
fn is_exact<F: Float>() -> bool {
    size_of::<F::L>() == 8
}
