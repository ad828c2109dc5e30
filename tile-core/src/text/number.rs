//! Converts bit patterns to literals and back.
//!
//! A float is printed as in MLIR: a decimal that reads back to the same bits, or its bit pattern in
//! hexadecimal (NaN, infinities). An integer is printed signed, an `i1` as `true` or `false`.

use crate::types::Scalar;
use std::fmt::{self, Write};

/// The layout of a float type of at most 32 bits.
#[derive(Clone, Copy)]
struct Layout {
    exponent_bits: u32,
    mantissa_bits: u32,
    specials: Specials,
}

/// The meaning of the largest exponent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// Infinities and NaNs.
    Ieee,
    /// Numbers; only the all-ones pattern is NaN.
    OneNan,
    /// Numbers only.
    None,
}

/// Returns the layout of `scalar`; `None` for f64, f8E8M0FNU and integers.
fn layout(scalar: Scalar) -> Option<Layout> {
    let (exponent_bits, mantissa_bits, specials) = match scalar {
        Scalar::F16 => (5, 10, Specials::Ieee),
        Scalar::BF16 => (8, 7, Specials::Ieee),
        Scalar::TF32 => (8, 10, Specials::Ieee),
        Scalar::F32 => (8, 23, Specials::Ieee),
        Scalar::F8E5M2 => (5, 2, Specials::Ieee),
        Scalar::F8E4M3FN => (4, 3, Specials::OneNan),
        Scalar::F4E2M1FN => (2, 1, Specials::None),
        Scalar::F64
        | Scalar::F8E8M0FNU
        | Scalar::I1
        | Scalar::I4
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64 => return None,
    };
    Some(Layout {
        exponent_bits,
        mantissa_bits,
        specials,
    })
}

fn pow2(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

impl Layout {
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Returns the value of the magnitude bits, if it is finite.
    fn decode(self, magnitude: u64) -> Option<f64> {
        let exponent = magnitude >> self.mantissa_bits;
        let fraction = magnitude & ((1 << self.mantissa_bits) - 1);
        let top = (1 << self.exponent_bits) - 1;
        let special = exponent == top
            && match self.specials {
                Specials::Ieee => true,
                Specials::OneNan => fraction == (1 << self.mantissa_bits) - 1,
                Specials::None => false,
            };
        if special {
            return None;
        }
        let least = 1 - self.bias() - self.mantissa_bits.cast_signed();
        let exponent = i32::try_from(exponent).expect("few exponent bits");
        #[expect(clippy::cast_precision_loss, reason = "at most 24 bits")]
        Some(if exponent == 0 {
            fraction as f64 * pow2(least)
        } else {
            (fraction + (1 << self.mantissa_bits)) as f64 * pow2(least + exponent - 1)
        })
    }

    /// Returns the magnitude bits of the number nearest to `value`, which must not be negative,
    /// with ties to even; `None` if the result exceeds the largest number.
    fn encode(self, value: f64) -> Option<u64> {
        let least = 1 - self.bias() - self.mantissa_bits.cast_signed();
        let raw = i32::try_from(value.to_bits() >> 52).expect("eleven bits") - 1023;
        let exponent = raw.max(1 - self.bias());
        // `value` in units in the last place of the result's binade. The product is exact, since
        // one factor is a power of two.
        let units = value * pow2(self.mantissa_bits.cast_signed() - exponent);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 25 bits, not negative"
        )]
        let units = units.round_ties_even() as u64;
        let binade = u64::try_from(exponent - self.mantissa_bits.cast_signed() - least)
            .expect("the exponent is at least the smallest");
        // The hidden bit adds one to the exponent field of a normal number.
        let bits = (binade << self.mantissa_bits) + units;
        let width = self.exponent_bits + self.mantissa_bits;
        (bits < 1 << width && self.decode(bits).is_some()).then_some(bits)
    }
}

/// Returns the value of a finite float.
fn decode(scalar: Scalar, bits: u64) -> Option<f64> {
    if scalar == Scalar::F64 {
        return Some(f64::from_bits(bits)).filter(|value| value.is_finite());
    }
    if scalar == Scalar::F8E8M0FNU {
        let exponent = i32::try_from(bits).ok()?;
        return (exponent < 255).then(|| pow2(exponent - 127));
    }
    let layout = layout(scalar)?;
    let sign = layout.exponent_bits + layout.mantissa_bits;
    let value = layout.decode(bits & ((1 << sign) - 1))?;
    Some(if bits >> sign & 1 == 1 { -value } else { value })
}

/// Returns the bits of the float nearest to `value`; `None` if `value` is out of range.
pub(super) fn encode(scalar: Scalar, value: f64) -> Option<u64> {
    if scalar == Scalar::F64 {
        return value.is_finite().then(|| value.to_bits());
    }
    if !value.is_finite() {
        return None;
    }
    if scalar == Scalar::F8E8M0FNU {
        return nearest_power(value);
    }
    let layout = layout(scalar)?;
    let magnitude = layout.encode(value.abs())?;
    let sign = u64::from(value.is_sign_negative());
    Some(magnitude | sign << (layout.exponent_bits + layout.mantissa_bits))
}

/// Returns the bits of the f8E8M0FNU nearest to `value`, with ties up; `None` if `value` is out of
/// range.
fn nearest_power(value: f64) -> Option<u64> {
    // Halfway between two powers of two, the fraction is one half.
    let half = 1 << 51;
    let exponent = (value.to_bits() + half) >> 52;
    // Both a negative number and a number that is too large are above the range.
    exponent.checked_sub(1023 - 127).filter(|&bits| bits < 255)
}

/// Prints the literal for the bit pattern `bits` of type `scalar`.
pub(super) fn print(out: &mut String, scalar: Scalar, bits: u64) {
    if scalar == Scalar::I1 && bits <= 1 {
        out.push_str(if bits == 1 { "true" } else { "false" });
    } else if scalar.is_integer() {
        write!(out, "{}", signed(scalar, bits)).expect("strings do not fail");
    } else if print_decimal(out, scalar, bits).is_none() {
        write!(out, "0x{bits:X}").expect("strings do not fail");
    }
}

/// Prints a float like MLIR: with six digits, padded to seven, if they read back to the same bits,
/// and otherwise with all significant digits of the type.
fn print_decimal(out: &mut String, scalar: Scalar, bits: u64) -> Option<()> {
    let value = decode(scalar, bits)?;
    let start = out.len();
    if value.is_sign_negative() {
        out.push('-');
    }
    let magnitude = out.len();
    for (digits, style) in [(6, Style::Padded), (full_digits(scalar), Style::Plain)] {
        let decimal = Decimal::new(value.abs(), digits);
        if style.print(out, &decimal, digits).is_some() {
            let read = out[start..].parse().ok();
            if read.and_then(|value| encode(scalar, value)) == Some(bits) {
                return Some(());
            }
            out.truncate(magnitude);
        }
    }
    out.truncate(start);
    None
}

/// Returns the number of decimal digits that distinguish all numbers of the type, as computed by
/// LLVM.
fn full_digits(scalar: Scalar) -> usize {
    let precision = match (scalar, layout(scalar)) {
        (_, Some(layout)) => layout.mantissa_bits as usize + 1,
        (Scalar::F64, None) => 53,
        (_, None) => 1,
    };
    2 + precision * 59 / 196
}

/// The decimal `0.DIGITS * 10^point`, without trailing zeros; zero has no digits.
struct Decimal {
    digits: Scratch,
    point: i32,
}

/// A text buffer on the stack, which is longer than any float of 24 digits.
struct Scratch {
    bytes: [u8; 40],
    len: usize,
}

impl Write for Scratch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let space = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        space.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

impl Scratch {
    const EMPTY: Scratch = Scratch {
        bytes: [0; 40],
        len: 0,
    };

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("what is written is text")
    }

    fn push(&mut self, digit: u8) {
        self.bytes[self.len] = digit;
        self.len += 1;
    }
}

impl Decimal {
    /// Rounds `value`, which must not be negative, to `count` digits like LLVM: cuts the digits
    /// that LLVM estimates to be superfluous, then rounds ties up.
    fn new(value: f64, count: usize) -> Self {
        let mut digits = Scratch::EMPTY;
        if value == 0.0 {
            return Self { digits, point: 0 };
        }
        // Six extra digits follow all those that are kept.
        let mut scratch = Scratch::EMPTY;
        write!(scratch, "{value:.*e}", count + 5).expect("the scratch is long enough");
        let (mut mantissa, mut exponent) = split(scratch.text());
        let (fives, cut) = superfluous(value, count);
        let digits_text;
        // Three zeros at the end may be the result of rounding that has carried into the kept
        // digits. Start from the exact digits instead.
        if cut > 0 && mantissa.ends_with("000") {
            digits_text = format!("{value:.800e}");
            (mantissa, exponent) = split(&digits_text);
        }
        let kept = usize::try_from(exponent + 1 + fives - cut).expect("digits are left");
        let source = mantissa.bytes().filter(u8::is_ascii_digit).take(kept);
        source.take(count + 1).for_each(|digit| digits.push(digit));
        let mut point = exponent + 1;
        let up = digits.len > count && digits.bytes[count] >= b'5';
        digits.len = digits.len.min(count);
        if up {
            while digits.len > 0 && digits.bytes[digits.len - 1] == b'9' {
                digits.len -= 1;
            }
            if let Some(last) = digits.len.checked_sub(1) {
                digits.bytes[last] += 1;
            } else {
                digits.push(b'1');
                point += 1;
            }
        }
        while digits.len > 0 && digits.bytes[digits.len - 1] == b'0' {
            digits.len -= 1;
        }
        Self { digits, point }
    }
}

/// Splits a number like `1.5e-3` into mantissa and exponent.
fn split(text: &str) -> (&str, i32) {
    let (mantissa, exponent) = text.split_once('e').expect("the text has an exponent");
    (
        mantissa,
        exponent.parse().expect("the exponent is a number"),
    )
}

/// Returns the power of ten and the number of digits that LLVM cuts off before it rounds to
/// `count`. LLVM represents a number as an integer over a power of ten, and cuts the digits that
/// the bit length of the integer proves to be superfluous.
fn superfluous(value: f64, count: usize) -> (i32, i32) {
    let fraction = value.to_bits() & ((1 << 52) - 1);
    let raw = i32::try_from(value.to_bits() >> 52).expect("eleven bits");
    let (significand, exponent) = match raw {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, raw - 1075),
    };
    let zeros = significand.trailing_zeros();
    let (significand, exponent) = (significand >> zeros, exponent + zeros.cast_signed());
    let (twos, fives) = (exponent.max(0), (-exponent).max(0));
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "exact enough: the integer is below 2^2600, and no power of two if `fives` is not 0"
    )]
    let bits = {
        let log = (significand as f64).log2() + f64::from(fives) * 5f64.log2();
        log.floor() as i32 + 1 + twos
    };
    let count = i32::try_from(count).expect("few digits");
    let needed = (count * 196 + 58) / 59;
    (fives, (bits - needed).max(0) * 59 / 196)
}

/// The format of a decimal.
#[derive(Clone, Copy)]
enum Style {
    /// `1.500000e+00`
    Padded,
    /// `3.14159274`, and `1.23456775E-4` where that would have many zeros.
    Plain,
}

impl Style {
    /// Prints a decimal that was rounded to `precision` digits; returns `None` if the style would
    /// print it without a point, so that it would read as an integer.
    fn print(self, out: &mut String, decimal: &Decimal, precision: usize) -> Option<()> {
        let digits = decimal.digits.text();
        let (first, rest) = digits.split_at(digits.len().min(1));
        // The powers of ten of the first and of the last digit.
        let exponent = if digits.is_empty() {
            0
        } else {
            decimal.point - 1
        };
        let last = exponent + 1 - i32::try_from(digits.len()).expect("few digits");
        match self {
            Style::Padded => {
                let first = if first.is_empty() { "0" } else { first };
                let sign = if exponent < 0 { '-' } else { '+' };
                let exponent = exponent.unsigned_abs();
                write!(out, "{first}.{rest:0<6}e{sign}{exponent:02}").ok()?;
            }
            Style::Plain if last < 0 && exponent >= 0 => {
                let whole = usize::try_from(decimal.point).expect("one digit at least");
                write!(out, "{}.{}", &digits[..whole], &digits[whole..]).ok()?;
            }
            Style::Plain if (-3..0).contains(&exponent) => {
                let zeros = usize::try_from(-decimal.point).expect("a small number");
                write!(out, "0.{:0<zeros$}{digits}", "").ok()?;
            }
            Style::Plain
                if (0..=3).contains(&last)
                    && decimal.point.cast_unsigned() as usize <= precision =>
            {
                return None;
            }
            Style::Plain => {
                let rest = if rest.is_empty() { "0" } else { rest };
                write!(out, "{first}.{rest}E{exponent:+}").ok()?;
            }
        }
        Some(())
    }
}

/// Parses a number of type `scalar` outside of Tile IR, and returns its bit pattern. Accepts `true`
/// and `false` for `i1`, and integers in the signed or unsigned range of the type. Accepts floats
/// in decimal, which are rounded to nearest, as `inf` or `nan`, or as bits (`0x...`).
///
/// Returns `None` if the text is not such a number, or if the number does not fit the type.
pub fn parse(scalar: Scalar, text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    };
    // The parsers of the standard library also accept signs.
    if !digits.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '.') {
        return None;
    }
    match (scalar, text) {
        (Scalar::I1, "true") => return Some(1),
        (Scalar::I1, "false") => return Some(0),
        (Scalar::I64, _) if !negative => return magnitude,
        (scalar, _) if scalar.is_integer() => {
            let value = i128::from(magnitude?);
            return integer_bits(scalar, if negative { -value } else { value });
        }
        _ => {}
    }
    if digits.starts_with("0x") {
        let fits = |&bits: &u64| scalar.bits() == 64 || bits >> scalar.bits() == 0;
        return magnitude.filter(fits).filter(|_| !negative);
    }
    let value: f64 = text.parse().ok()?;
    if value.is_finite() {
        return encode(scalar, value);
    }
    // Only the words mean infinity; a decimal that overflows is rejected.
    let is_word = digits.starts_with(|first: char| first.is_ascii_alphabetic());
    is_word.then(|| special(scalar, value)).flatten()
}

/// Returns the bits of `value`, an infinity or a NaN, if the type has it.
fn special(scalar: Scalar, value: f64) -> Option<u64> {
    match scalar {
        Scalar::F64 => return Some(value.to_bits()),
        Scalar::F8E8M0FNU => return value.is_nan().then_some(0xff),
        _ => {}
    }
    let layout = layout(scalar)?;
    let width = layout.exponent_bits + layout.mantissa_bits;
    let top = ((1 << layout.exponent_bits) - 1) << layout.mantissa_bits;
    let magnitude = match (layout.specials, value.is_nan()) {
        (Specials::Ieee, false) => top,
        (Specials::Ieee, true) => top | 1 << (layout.mantissa_bits - 1),
        (Specials::OneNan, true) => (1 << width) - 1,
        (Specials::OneNan, false) | (Specials::None, _) => return None,
    };
    Some(magnitude | u64::from(value.is_sign_negative()) << width)
}

/// Returns the bits as a two's complement number; an `i1` is 0 or -1.
pub(super) fn signed(scalar: Scalar, bits: u64) -> i64 {
    let unused = 64 - scalar.bits();
    (bits << unused).cast_signed() >> unused
}

/// Returns the bit pattern of an integer literal, if the value is in the signed or the unsigned
/// range of the type (for i64: in the signed range).
pub(super) fn integer_bits(scalar: Scalar, value: i128) -> Option<u64> {
    let width = scalar.bits();
    let least = -(1i128 << (width - 1));
    let greatest = match scalar {
        Scalar::I64 => i128::from(i64::MAX),
        _ => (1i128 << width) - 1,
    };
    if value < least || value > greatest {
        return None;
    }
    let mask = (1i128 << width) - 1;
    u64::try_from(value & mask).ok()
}

#[cfg(test)]
mod tests {
    use super::{encode, parse, print};
    use crate::types::Scalar;

    fn printed(scalar: Scalar, bits: u64) -> String {
        let mut out = String::new();
        print(&mut out, scalar, bits);
        out
    }

    #[test]
    fn numbers_outside_of_ir_are_read() {
        for (scalar, text, bits) in [
            (Scalar::I1, "true", Some(1)),
            (Scalar::I1, "-1", Some(1)),
            (Scalar::I1, "2", None),
            (Scalar::I32, "true", None),
            (Scalar::I32, "+5", None),
            (Scalar::I32, "-+5", None),
            (Scalar::I32, "--5", None),
            (Scalar::I32, "", None),
            (Scalar::I32, "1.0", None),
            (Scalar::I8, "-128", Some(0x80)),
            (Scalar::I8, "-129", None),
            (Scalar::I8, "0x100", None),
            (Scalar::I64, "0xffffffffffffffff", Some(u64::MAX)),
            (Scalar::I64, "-9223372036854775808", Some(1 << 63)),
            (Scalar::I64, "-9223372036854775809", None),
            (Scalar::F32, ".5", Some(0x3f00_0000)),
            (Scalar::F32, "infinity", Some(0x7f80_0000)),
            (Scalar::F32, "1e39", None),
            (Scalar::F64, "1e999", None),
            (Scalar::F64, "-inf", Some(0xfff0 << 48)),
            (Scalar::F16, "nan", Some(0x7e00)),
            (Scalar::F16, "0x10000", None),
            (Scalar::F16, "-0x1", None),
            (Scalar::TF32, "1", Some(0x3f80_0000 >> 13)),
            (Scalar::F8E4M3FN, "inf", None),
            (Scalar::F8E4M3FN, "-nan", Some(0xff)),
            (Scalar::F8E8M0FNU, "nan", Some(0xff)),
            (Scalar::F8E8M0FNU, "2", Some(128)),
            (Scalar::F4E2M1FN, "nan", None),
            (Scalar::F4E2M1FN, "-6", Some(0xf)),
        ] {
            assert_eq!(parse(scalar, text), bits, "`{text}` of `{scalar}`");
        }
    }

    #[test]
    fn floats_print_as_mlir_prints_them() {
        let single = |value: f32| printed(Scalar::F32, u64::from(value.to_bits()));
        assert_eq!(single(1.0), "1.000000e+00");
        assert_eq!(single(-0.0), "-0.000000e+00");
        assert_eq!(single(0.1), "1.000000e-01");
        assert_eq!(single(123_456.0), "1.234560e+05");
        assert_eq!(single(1e30), "1.000000e+30");
        assert_eq!(single(f32::NEG_INFINITY), "0xFF800000");
        assert_eq!(single(std::f32::consts::PI), "3.14159274");
        assert_eq!(single(-1234.567), "-1234.56702");
        assert_eq!(single(0.001_234_567_8), "0.00123456784");
        assert_eq!(single(0.000_123_456_78), "1.23456775E-4");
        assert_eq!(single(9.765_625e-4), "9.765625E-4");
        assert_eq!(single(16_777_215.0), "0x4B7FFFFF");
        assert_eq!(single(f32::from_bits(1)), "1.401300e-45");
        let double = |value: f64| printed(Scalar::F64, value.to_bits());
        assert_eq!(double(1.0 / 3.0), "0.33333333333333331");
        assert_eq!(double(2f64.powi(-25)), "2.9802322387695313E-8");
        assert_eq!(double(f64::from_bits(1)), "4.940660e-324");
        assert_eq!(double(1e300), "1.000000e+300");
        assert_eq!(printed(Scalar::F16, 0x7E00), "0x7E00");
        // 9.765625e-4 and 0.0999755859375 are truncated; 0.001953125 is rounded.
        assert_eq!(printed(Scalar::F16, 0x1400), "9.765620e-04");
        assert_eq!(printed(Scalar::F16, 0x2E66), "9.997550e-02");
        assert_eq!(printed(Scalar::F8E4M3FN, 1), "1.953130e-03");
        assert_eq!(printed(Scalar::F8E8M0FNU, 127), "1.000000e+00");
        assert_eq!(printed(Scalar::F8E8M0FNU, 0), "5.877470e-39");
        assert_eq!(printed(Scalar::F8E8M0FNU, 255), "0xFF");
    }

    #[test]
    fn every_narrow_float_reads_back_from_what_is_printed() {
        let narrow = [
            Scalar::F16,
            Scalar::BF16,
            Scalar::TF32,
            Scalar::F8E4M3FN,
            Scalar::F8E5M2,
            Scalar::F8E8M0FNU,
            Scalar::F4E2M1FN,
        ];
        for scalar in narrow {
            let mut decimals = 0;
            for bits in 0..1u64 << scalar.bits() {
                let text = printed(scalar, bits);
                if let Some(hex) = text.strip_prefix("0x") {
                    assert_eq!(u64::from_str_radix(hex, 16), Ok(bits));
                } else {
                    let value = text.parse().expect("a decimal");
                    assert_eq!(encode(scalar, value), Some(bits), "{scalar} {text}");
                    decimals += 1;
                }
            }
            assert!(decimals > 1 << (scalar.bits() - 1), "{scalar}");
        }
    }

    #[test]
    fn random_floats_read_back_from_what_is_printed() {
        for step in 0..100_000u64 {
            let random = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for (scalar, bits) in [(Scalar::F64, random), (Scalar::F32, random >> 32)] {
                let text = printed(scalar, bits);
                match text.strip_prefix("0x") {
                    Some(hex) => assert_eq!(u64::from_str_radix(hex, 16), Ok(bits)),
                    None => assert_eq!(encode(scalar, text.parse().expect("a float")), Some(bits)),
                }
            }
        }
    }

    #[test]
    fn a_power_of_two_is_the_nearest() {
        let power = |value: f64| encode(Scalar::F8E8M0FNU, value);
        assert_eq!(power(1.0), Some(127));
        assert_eq!(power(1.49), Some(127));
        assert_eq!(power(3.0), Some(129));
        assert_eq!(power(2f64.powi(-127)), Some(0));
        assert_eq!(power(2f64.powi(127)), Some(254));
        for outside in [0.0, -1.0, 2f64.powi(-129), 2f64.powi(128)] {
            assert_eq!(power(outside), None, "{outside}");
        }
    }

    #[test]
    fn encoding_agrees_with_the_hardware_for_f32_and_f16() {
        for step in 0..100_000u64 {
            let bits = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let value = f64::from_bits(bits);
            if !value.is_finite() {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "the rounding under test")]
            let single = value as f32;
            let expected = single.is_finite().then(|| u64::from(single.to_bits()));
            assert_eq!(encode(Scalar::F32, value), expected, "{value:e}");
            let half = half::f16::from_f64(value);
            let expected = half.is_finite().then(|| u64::from(half.to_bits()));
            assert_eq!(encode(Scalar::F16, value), expected, "{value:e}");
        }
    }
}
