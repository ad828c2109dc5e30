//! Constants of number types, such as `f32::MAX`, and of `std::f32::consts`.

use crate::hir::signature::HostScalar;

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::check) enum Value {
    /// An integer of the type that the constant belongs to.
    Int(i128),
    /// A float of the type that the constant belongs to.
    Float(f64),
    /// A `u32`, whatever the type.
    Count(u32),
}

/// A constant of number types.
pub(super) struct Constant {
    /// Its name.
    pub(super) name: &'static str,
    /// `true` if Rust's own types have it.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    pub(super) is_in_rust: bool,
    /// Its documentation, one sentence.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    pub(super) doc: &'static str,
    /// Returns its value for an element type; `None` if the type does not have it.
    value: fn(HostScalar) -> Option<Value>,
}

macro_rules! constants {
    ($($(#[doc = $doc:literal])+ $name:ident $is_in_rust:literal = |$scalar:ident| $value:expr;)+) => {
        /// The constants.
        pub(super) const CONSTANTS: &[Constant] = &[$(
            Constant {
                name: stringify!($name),
                is_in_rust: $is_in_rust,
                doc: concat!($($doc),+),
                value: |$scalar| $value,
            },
        )+];
    };
}

constants! {
    /// The least number.
    MIN true = |scalar| match limits(scalar) {
        Some(limits) => limits.is_signed.then_some(Value::Float(-limits.max)),
        None => Some(Value::Int(integers(scalar)?.0)),
    };
    /// The greatest number that is not infinite.
    MAX true = |scalar| match limits(scalar) {
        Some(limits) => Some(Value::Float(limits.max)),
        None => Some(Value::Int(integers(scalar)?.1)),
    };
    /// The least normal number above 0.
    MIN_POSITIVE true = |scalar| Some(Value::Float(limits(scalar)?.min_positive));
    /// The distance from 1 to the next number.
    EPSILON true = |scalar| Some(Value::Float(limits(scalar)?.epsilon));
    /// Positive infinity.
    INFINITY true = |scalar| limits(scalar)?.has_infinity.then_some(Value::Float(f64::INFINITY));
    /// Negative infinity.
    NEG_INFINITY true = |scalar| limits(scalar)?.has_infinity.then_some(Value::Float(f64::NEG_INFINITY));
    /// NaN.
    NAN true = |scalar| limits(scalar)?.has_nan.then_some(Value::Float(f64::NAN));
    /// 0.
    ZERO false = |scalar| match limits(scalar) {
        Some(limits) => limits.is_signed.then_some(Value::Float(0.0)),
        None => integers(scalar).map(|_| Value::Int(0)),
    };
    /// 1.
    ONE false = |scalar| match limits(scalar) {
        Some(_) => Some(Value::Float(1.0)),
        None => integers(scalar).map(|_| Value::Int(1)),
    };
    /// The width in bits, a `u32`.
    BITS false = |scalar| (scalar != HostScalar::Bool).then(|| Value::Count(scalar.bits()));
    /// The number of binary digits of the significand, with the leading one; a `u32`.
    MANTISSA_DIGITS true = |scalar| {
        // The epsilon is a power of two, so only the exponent matters.
        let exponent = (limits(scalar)?.epsilon.to_bits() >> 52) as i32 - 1023;
        Some(Value::Count(u32::try_from(1 - exponent).ok()?))
    };
}

/// Returns the least and the greatest number of an integer type.
fn integers(scalar: HostScalar) -> Option<(i128, i128)> {
    scalar.range().filter(|_| scalar.is_integer())
}

/// The numbers that a float type can represent.
struct Limits {
    /// The greatest finite value.
    max: f64,
    /// The least positive normal value.
    min_positive: f64,
    /// The distance from 1 to the next value.
    epsilon: f64,
    has_infinity: bool,
    has_nan: bool,
    /// `false` if the type has neither negative numbers nor zero.
    is_signed: bool,
}

/// Returns what a float type can represent; `None` for other types and for `tf32`, which has no constants.
fn limits(scalar: HostScalar) -> Option<Limits> {
    let (max, min_positive, epsilon) = match scalar {
        HostScalar::F64 => (f64::MAX, f64::MIN_POSITIVE, f64::EPSILON),
        HostScalar::F32 => (
            f64::from(f32::MAX),
            f64::from(f32::MIN_POSITIVE),
            f64::from(f32::EPSILON),
        ),
        HostScalar::F16 => (65504.0, 2.0_f64.powi(-14), 2.0_f64.powi(-10)),
        HostScalar::Bf16 => (
            (2.0 - 2.0_f64.powi(-7)) * 2.0_f64.powi(127),
            2.0_f64.powi(-126),
            2.0_f64.powi(-7),
        ),
        HostScalar::F8e4m3 => (448.0, 2.0_f64.powi(-6), 0.125),
        HostScalar::F8e5m2 => (57344.0, 2.0_f64.powi(-14), 0.25),
        HostScalar::F4e2m1 => (6.0, 1.0, 0.5),
        HostScalar::F8e8m0 => (2.0_f64.powi(127), 2.0_f64.powi(-127), 1.0),
        _ => return None,
    };
    Some(Limits {
        max,
        min_positive,
        epsilon,
        has_infinity: !matches!(
            scalar,
            HostScalar::F8e4m3 | HostScalar::F4e2m1 | HostScalar::F8e8m0
        ),
        has_nan: scalar != HostScalar::F4e2m1,
        is_signed: scalar != HostScalar::F8e8m0,
    })
}

/// Returns the constant of a number type with this name.
pub(in crate::check) fn associated(scalar: HostScalar, name: &str) -> Option<Value> {
    let constant = CONSTANTS.iter().find(|constant| constant.name == name);
    if let Some(constant) = constant {
        return (constant.value)(scalar);
    }
    // The crate `half` has these on its types, but for `TAU`.
    if !matches!(scalar, HostScalar::F16 | HostScalar::Bf16) || name == "TAU" {
        return None;
    }
    let (_, value) = MATHEMATICAL.iter().find(|(known, _)| *known == name)?;
    Some(Value::Float(*value))
}

/// Returns the names of the constants of a number type.
pub(in crate::check) fn associated_names(scalar: HostScalar) -> Vec<&'static str> {
    let constants = CONSTANTS
        .iter()
        .filter(|constant| (constant.value)(scalar).is_some());
    constants.map(|constant| constant.name).collect()
}

/// Returns the greatest finite number of a float type.
pub(crate) fn max_of(scalar: HostScalar) -> Option<f64> {
    limits(scalar).map(|limits| limits.max)
}

/// The constants of `std::f64::consts`; the constants of `f32` are the same numbers, rounded.
pub(in crate::check) const MATHEMATICAL: [(&str, f64); 19] = {
    use std::f64::consts as c;
    [
        ("E", c::E),
        ("FRAC_1_PI", c::FRAC_1_PI),
        ("FRAC_1_SQRT_2", c::FRAC_1_SQRT_2),
        ("FRAC_2_PI", c::FRAC_2_PI),
        ("FRAC_2_SQRT_PI", c::FRAC_2_SQRT_PI),
        ("FRAC_PI_2", c::FRAC_PI_2),
        ("FRAC_PI_3", c::FRAC_PI_3),
        ("FRAC_PI_4", c::FRAC_PI_4),
        ("FRAC_PI_6", c::FRAC_PI_6),
        ("FRAC_PI_8", c::FRAC_PI_8),
        ("LN_10", c::LN_10),
        ("LN_2", c::LN_2),
        ("LOG10_2", c::LOG10_2),
        ("LOG10_E", c::LOG10_E),
        ("LOG2_10", c::LOG2_10),
        ("LOG2_E", c::LOG2_E),
        ("PI", c::PI),
        ("SQRT_2", c::SQRT_2),
        ("TAU", c::TAU),
    ]
};
