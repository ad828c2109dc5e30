//! Exact floating point in any format and rounding mode, by integer arithmetic.
//!
//! Operands are bit patterns. The result is the bit pattern of the exact result rounded once. This
//! is the slow path of the interpreter, for directed rounding modes and small formats, and the
//! oracle for the fast paths.

use crate::ir::RoundingMode;
use crate::types::Scalar;

/// The encoding of infinities and NaNs in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    /// The greatest exponent encodes infinity and NaN.
    Ieee,
    /// All ones is NaN; there is no infinity.
    OnlyNan,
    /// The format has neither infinities nor NaNs.
    None,
}

/// A binary format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    exponent_bits: u32,
    mantissa_bits: u32,
    special: Special,
}

impl Format {
    const fn ieee(exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self {
            exponent_bits,
            mantissa_bits,
            special: Special::Ieee,
        }
    }

    pub(super) const F16: Format = Format::ieee(5, 10);
    pub(super) const BF16: Format = Format::ieee(8, 7);
    pub(super) const F32: Format = Format::ieee(8, 23);
    pub(super) const F64: Format = Format::ieee(11, 52);

    /// Returns the format of a float type with a sign.
    fn for_scalar(scalar: Scalar) -> Self {
        match scalar {
            Scalar::F16 => Self::F16,
            Scalar::BF16 => Self::BF16,
            Scalar::F32 => Self::F32,
            Scalar::TF32 => Self::ieee(8, 10),
            Scalar::F64 => Self::F64,
            Scalar::F8E5M2 => Self::ieee(5, 2),
            Scalar::F8E4M3FN => Format {
                exponent_bits: 4,
                mantissa_bits: 3,
                special: Special::OnlyNan,
            },
            Scalar::F4E2M1FN => Format {
                exponent_bits: 2,
                mantissa_bits: 1,
                special: Special::None,
            },
            Scalar::F8E8M0FNU
            | Scalar::I1
            | Scalar::I4
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64 => unreachable!("`{scalar}` has no sign and mantissa"),
        }
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    pub(super) fn sign_bit(self) -> u64 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// Returns the pattern of all exponent bits and no mantissa bits.
    fn top(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    fn max_finite(self) -> u64 {
        match self.special {
            Special::Ieee => self.top() - 1,
            Special::OnlyNan => self.sign_bit() - 2,
            Special::None => self.sign_bit() - 1,
        }
    }

    fn nan(self) -> u64 {
        match self.special {
            // The NaN that a GPU's conversions to f16 and bf16 return.
            Special::Ieee if self.sign_bit() == 1 << 15 => self.sign_bit() - 1,
            Special::Ieee => self.top() | 1 << (self.mantissa_bits - 1),
            Special::OnlyNan => self.sign_bit() - 1,
            // The format has no NaN; MLIR converts NaN to the greatest value.
            Special::None => self.max_finite(),
        }
    }

    fn infinity(self, sign: bool) -> u64 {
        let magnitude = match self.special {
            Special::Ieee => self.top(),
            Special::OnlyNan => self.nan(),
            Special::None => self.max_finite(),
        };
        self.signed(sign, magnitude)
    }

    fn signed(self, sign: bool, magnitude: u64) -> u64 {
        magnitude | if sign { self.sign_bit() } else { 0 }
    }
}

/// A value: `mantissa * 2^exponent`, infinite, or NaN.
#[derive(Clone, Copy, Debug)]
enum Number {
    Nan,
    Infinite { sign: bool },
    Finite(Finite),
}

#[derive(Clone, Copy, Debug)]
struct Finite {
    sign: bool,
    mantissa: u128,
    exponent: i32,
}

fn unpack(format: Format, bits: u64) -> Number {
    let sign = bits & format.sign_bit() != 0;
    let magnitude = bits & (format.sign_bit() - 1);
    match format.special {
        Special::Ieee if magnitude > format.top() => return Number::Nan,
        Special::Ieee if magnitude == format.top() => return Number::Infinite { sign },
        Special::OnlyNan if magnitude == format.nan() => return Number::Nan,
        Special::Ieee | Special::OnlyNan | Special::None => {}
    }
    let fraction = magnitude & ((1 << format.mantissa_bits) - 1);
    let biased = i32::try_from(magnitude >> format.mantissa_bits).expect("few exponent bits");
    let mantissa_bits = format.mantissa_bits.cast_signed();
    let (mantissa, biased) = match biased {
        0 => (fraction, 1),
        biased => (fraction | 1 << format.mantissa_bits, biased),
    };
    Number::Finite(Finite {
        sign,
        mantissa: u128::from(mantissa),
        exponent: biased - format.bias() - mantissa_bits,
    })
}

/// Rounds `value`. If `sticky`, the exact value is larger in magnitude, by less than one unit in
/// the last place of `value`.
fn round(value: Finite, sticky: bool, format: Format, mode: RoundingMode) -> u64 {
    let Finite {
        sign,
        mantissa,
        exponent,
    } = value;
    if mantissa == 0 {
        debug_assert!(!sticky, "callers keep the leading bits");
        return format.signed(sign, 0);
    }
    let mantissa_bits = format.mantissa_bits.cast_signed();
    let top = mantissa.ilog2().cast_signed() + exponent;
    let unit = top.max(1 - format.bias()) - mantissa_bits;
    let shift = unit - exponent;
    let (kept, half, rest) = match u32::try_from(shift) {
        Ok(0) | Err(_) => (mantissa << -shift, false, sticky),
        Ok(shift) if shift > 127 => (0, false, true),
        Ok(shift) => {
            let below = mantissa & ((1 << (shift - 1)) - 1);
            let half = mantissa >> (shift - 1) & 1 == 1;
            (mantissa >> shift, half, sticky || below != 0)
        }
    };
    let up = match mode {
        RoundingMode::Zero | RoundingMode::NearestIntToZero => false,
        RoundingMode::NegativeInf => sign && (half || rest),
        RoundingMode::PositiveInf => !sign && (half || rest),
        RoundingMode::NearestAway => half,
        RoundingMode::NearestEven | RoundingMode::Approx | RoundingMode::Full => {
            half && (rest || kept & 1 == 1)
        }
    };
    let kept = u64::try_from(kept).expect("at most 53 bits") + u64::from(up);
    // The leading bit of `kept`, if set, adds one to the exponent.
    let biased = u64::try_from(unit + mantissa_bits + format.bias() - 1).expect("not below zero");
    if biased > format.top() >> format.mantissa_bits {
        return overflow(sign, format, mode);
    }
    let magnitude = (biased << format.mantissa_bits) + kept;
    if magnitude > format.max_finite() {
        return overflow(sign, format, mode);
    }
    format.signed(sign, magnitude)
}

fn overflow(sign: bool, format: Format, mode: RoundingMode) -> u64 {
    let away = match mode {
        RoundingMode::Zero | RoundingMode::NearestIntToZero => false,
        RoundingMode::NegativeInf => sign,
        RoundingMode::PositiveInf => !sign,
        RoundingMode::NearestEven
        | RoundingMode::NearestAway
        | RoundingMode::Approx
        | RoundingMode::Full => true,
    };
    if away {
        format.infinity(sign)
    } else {
        format.signed(sign, format.max_finite())
    }
}

/// Returns the sign of a sum that is exactly zero.
fn zero_sign(a: bool, b: bool, mode: RoundingMode) -> bool {
    if a == b {
        a
    } else {
        mode == RoundingMode::NegativeInf
    }
}

/// Moves the leading bit to bit 125. A sum then fits, and a value of at most 106 significant bits
/// can be shifted right by one bit without losing any of them.
fn normalize(value: Finite) -> Finite {
    let shift = value.mantissa.leading_zeros() - 2;
    Finite {
        mantissa: value.mantissa << shift,
        exponent: value.exponent - shift.cast_signed(),
        ..value
    }
}

fn sum(a: Finite, b: Finite, format: Format, mode: RoundingMode) -> u64 {
    match (a.mantissa, b.mantissa) {
        (0, 0) => return format.signed(zero_sign(a.sign, b.sign, mode), 0),
        (0, _) => return round(b, false, format, mode),
        (_, 0) => return round(a, false, format, mode),
        _ => {}
    }
    let (a, b) = (normalize(a), normalize(b));
    let (big, small) = if (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) {
        (a, b)
    } else {
        (b, a)
    };
    let distance = (big.exponent - small.exponent).cast_unsigned();
    let shifted = small.mantissa.checked_shr(distance).unwrap_or(0);
    let lost = shifted.checked_shl(distance).unwrap_or(0) != small.mantissa;
    let mantissa = if big.sign == small.sign {
        big.mantissa + shifted
    } else {
        big.mantissa - shifted - u128::from(lost)
    };
    if mantissa == 0 {
        return format.signed(zero_sign(a.sign, b.sign, mode), 0);
    }
    round(Finite { mantissa, ..big }, lost, format, mode)
}

fn product(a: Finite, b: Finite) -> Finite {
    Finite {
        sign: a.sign != b.sign,
        mantissa: a.mantissa * b.mantissa,
        exponent: a.exponent + b.exponent,
    }
}

/// Returns `a + b`.
pub(super) fn add(format: Format, a: u64, b: u64, mode: RoundingMode) -> u64 {
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _) | (_, Number::Nan) => format.nan(),
        (Number::Infinite { sign: a }, Number::Infinite { sign: b }) if a != b => format.nan(),
        (Number::Infinite { sign }, _) | (_, Number::Infinite { sign }) => format.infinity(sign),
        (Number::Finite(a), Number::Finite(b)) => sum(a, b, format, mode),
    }
}

/// Returns `a - b`.
pub(super) fn sub(format: Format, a: u64, b: u64, mode: RoundingMode) -> u64 {
    add(format, a, b ^ format.sign_bit(), mode)
}

/// Returns `a * b`.
pub(super) fn mul(format: Format, a: u64, b: u64, mode: RoundingMode) -> u64 {
    match multiply(unpack(format, a), unpack(format, b)) {
        Number::Nan => format.nan(),
        Number::Infinite { sign } => format.infinity(sign),
        Number::Finite(value) => round(value, false, format, mode),
    }
}

fn multiply(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite { sign }, Number::Infinite { sign: other }) => Number::Infinite {
            sign: sign != other,
        },
        (Number::Infinite { sign }, Number::Finite(x))
        | (Number::Finite(x), Number::Infinite { sign }) => {
            if x.mantissa == 0 {
                Number::Nan
            } else {
                Number::Infinite {
                    sign: sign != x.sign,
                }
            }
        }
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(product(a, b)),
    }
}

/// Returns `a * b + c`.
pub(super) fn fma(format: Format, a: u64, b: u64, c: u64, mode: RoundingMode) -> u64 {
    let product = multiply(unpack(format, a), unpack(format, b));
    match (product, unpack(format, c)) {
        (Number::Nan, _) | (_, Number::Nan) => format.nan(),
        (Number::Infinite { sign: a }, Number::Infinite { sign: b }) if a != b => format.nan(),
        (Number::Infinite { sign }, _) | (_, Number::Infinite { sign }) => format.infinity(sign),
        (Number::Finite(a), Number::Finite(b)) => sum(a, b, format, mode),
    }
}

/// Returns `a / b`.
pub(super) fn div(format: Format, a: u64, b: u64, mode: RoundingMode) -> u64 {
    let (a, b) = match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _) | (_, Number::Nan) => return format.nan(),
        (Number::Infinite { .. }, Number::Infinite { .. }) => return format.nan(),
        (Number::Infinite { sign }, Number::Finite(b)) => return format.infinity(sign != b.sign),
        (Number::Finite(a), Number::Infinite { sign }) => {
            return format.signed(a.sign != sign, 0);
        }
        (Number::Finite(a), Number::Finite(b)) => (a, b),
    };
    let sign = a.sign != b.sign;
    match (a.mantissa, b.mantissa) {
        (0, 0) => return format.nan(),
        (0, _) => return format.signed(sign, 0),
        (_, 0) => return format.infinity(sign),
        _ => {}
    }
    // The quotient has at least 125 - 53 significant bits.
    let a = normalize(a);
    let value = Finite {
        sign,
        mantissa: a.mantissa / b.mantissa,
        exponent: a.exponent - b.exponent,
    };
    round(value, !a.mantissa.is_multiple_of(b.mantissa), format, mode)
}

/// Returns the square root of `a`.
pub(super) fn sqrt(format: Format, a: u64, mode: RoundingMode) -> u64 {
    let a = match unpack(format, a) {
        Number::Nan | Number::Infinite { sign: true } => return format.nan(),
        Number::Infinite { sign: false } => return format.infinity(false),
        Number::Finite(a) if a.mantissa == 0 => return format.signed(a.sign, 0),
        Number::Finite(a) if a.sign => return format.nan(),
        Number::Finite(a) => normalize(a),
    };
    let odd = a.exponent & 1;
    let mantissa = a.mantissa << odd;
    let root = mantissa.isqrt();
    let value = Finite {
        sign: false,
        mantissa: root,
        exponent: (a.exponent - odd) / 2,
    };
    round(value, root * root != mantissa, format, mode)
}

/// Returns the integer with the given sign and magnitude.
pub(super) fn from_integer(format: Format, sign: bool, magnitude: u64) -> u64 {
    let value = Finite {
        sign,
        mantissa: u128::from(magnitude),
        exponent: 0,
    };
    round(value, false, format, RoundingMode::NearestEven)
}

/// Converts between formats.
pub(super) fn convert(from: Format, bits: u64, to: Format, mode: RoundingMode) -> u64 {
    match unpack(from, bits) {
        Number::Nan => to.nan(),
        Number::Infinite { sign } => to.infinity(sign),
        Number::Finite(value) => round(value, false, to, mode),
    }
}

/// Returns the exact value of stored bits.
pub(super) fn decode(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F8E8M0FNU if bits == 0xff => f64::NAN,
        Scalar::F8E8M0FNU => f64::from_bits((bits + 1023 - 127) << 52),
        Scalar::TF32 => decode(Scalar::F32, bits),
        scalar => f64::from_bits(convert(
            Format::for_scalar(scalar),
            bits,
            Format::F64,
            RoundingMode::NearestEven,
        )),
    }
}

/// Returns the stored bits of `value`, rounded once.
pub(super) fn encode(scalar: Scalar, value: f64, mode: RoundingMode) -> u64 {
    match scalar {
        Scalar::F8E8M0FNU => scale(value, mode),
        Scalar::TF32 => {
            convert(
                Format::F64,
                value.to_bits(),
                Format::for_scalar(scalar),
                mode,
            ) << 13
        }
        scalar => convert(
            Format::F64,
            value.to_bits(),
            Format::for_scalar(scalar),
            mode,
        ),
    }
}

/// Returns the stored bits of an integer, rounded once to nearest even.
pub(super) fn encode_integer(scalar: Scalar, value: i128) -> u64 {
    let magnitude = u64::try_from(value.unsigned_abs()).expect("at most 64 bits");
    let bits = from_integer(Format::for_scalar(scalar), value < 0, magnitude);
    if scalar == Scalar::TF32 {
        bits << 13
    } else {
        bits
    }
}

/// Encodes `value` as a power of two; values below 2^-127 become 2^-127. The result is NaN if
/// `value` is not positive, is infinite, or is rounded up to more than 2^127.
fn scale(value: f64, mode: RoundingMode) -> u64 {
    const NAN: u64 = 0xff;
    if value.is_nan() || value <= 0.0 || value.is_infinite() {
        return NAN;
    }
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52).expect("eleven bits") - 1023;
    let inexact = bits & ((1 << 52) - 1) != 0;
    let up = inexact && mode == RoundingMode::PositiveInf;
    match u64::try_from(exponent + i32::from(up) + 127) {
        Ok(biased) if mode == RoundingMode::Zero => biased.min(NAN - 1),
        Ok(biased) => biased.min(NAN),
        Err(_) => 0,
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "exact results")]
mod tests;
