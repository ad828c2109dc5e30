//! Conversion specifications of `printf` (C, "The `fprintf` function"), as device code supports
//! them.

use crate::isa::types::signed;

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Number(usize),
    /// `*`
    Argument,
}

/// A conversion specification: `%-08.3lld`.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag")]
pub(super) struct Spec {
    pub(super) left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zeros: bool,
    pub(super) width: Option<Count>,
    pub(super) precision: Option<Count>,
    /// The width of an integer argument in bits, after promotion.
    bits: u8,
    pub(super) conversion: u8,
}

fn count(rest: &mut &[u8]) -> Option<Count> {
    if let [b'*', tail @ ..] = rest {
        *rest = tail;
        return Some(Count::Argument);
    }
    let mut number = None;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        let so_far: usize = number.unwrap_or(0);
        number = Some((10 * so_far + usize::from(digit - b'0')).min(super::MAX_BYTES));
        *rest = tail;
    }
    number.map(Count::Number)
}

impl Spec {
    /// Parses the text after `%` and returns the specification and its length.
    pub(super) fn read(text: &[u8]) -> Option<(Self, usize)> {
        let mut spec = Self::default();
        let mut rest = text;
        while let [flag, tail @ ..] = rest {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zeros = true,
                _ => break,
            }
            rest = tail;
        }
        spec.width = count(&mut rest);
        if let [b'.', tail @ ..] = rest {
            rest = tail;
            spec.precision = count(&mut rest).or(Some(Count::Number(0)));
        }
        spec.bits = 32;
        loop {
            let (bits, length) = match rest {
                [b'h', b'h', ..] => (8, 2),
                [b'h', ..] => (16, 1),
                [b'l', b'l', ..] => (64, 2),
                [b'l' | b'z' | b'j' | b't', ..] => (64, 1),
                _ => break,
            };
            spec.bits = bits;
            rest = &rest[length..];
        }
        let (&conversion, tail) = rest.split_first()?;
        if !b"diouxXcspfFeEgGaA".contains(&conversion) {
            return None;
        }
        spec.conversion = conversion;
        Some((spec, text.len() - tail.len()))
    }

    /// Returns the size of the argument in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self.conversion {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' if self.bits == 64 => 8,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' => 4,
            _ => 8,
        }
    }

    fn number(count: Option<Count>) -> Option<usize> {
        match count {
            Some(Count::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// Appends the converted `value`, or `text` for `%s`.
    pub(super) fn print(&self, value: u64, text: &[u8], out: &mut Vec<u8>) {
        let precision = Self::number(self.precision);
        let mut zeros = self.zeros && !self.left;
        let mut sign = "";
        let positive = if self.plus {
            "+"
        } else if self.space {
            " "
        } else {
            ""
        };
        let body: Vec<u8> = match self.conversion {
            b'c' => vec![value as u8],
            b's' => text[..precision.unwrap_or(text.len()).min(text.len())].to_vec(),
            b'p' => format!("{value:#x}").into_bytes(),
            b'd' | b'i' => {
                let value = signed(value, self.bits);
                sign = if value < 0 { "-" } else { positive };
                zeros &= precision.is_none();
                digits(&value.unsigned_abs().to_string(), precision)
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = value & crate::isa::types::mask(u16::from(self.bits));
                zeros &= precision.is_none();
                let (text, prefix) = match self.conversion {
                    b'u' => (value.to_string(), ""),
                    b'o' => (format!("{value:o}"), "0"),
                    b'x' => (format!("{value:x}"), "0x"),
                    _ => (format!("{value:X}"), "0X"),
                };
                if self.alternative && value != 0 {
                    sign = prefix;
                }
                digits(&text, precision)
            }
            _ => {
                let value = f64::from_bits(value);
                sign = if value.is_sign_negative() {
                    "-"
                } else {
                    positive
                };
                zeros &= value.is_finite();
                let upper = self.conversion.is_ascii_uppercase();
                let text = real(
                    value.abs(),
                    self.conversion.to_ascii_lowercase(),
                    precision,
                    self.alternative,
                );
                if upper { text.to_uppercase() } else { text }.into_bytes()
            }
        };
        let numeric = !matches!(self.conversion, b'c' | b's' | b'p');
        let width = Self::number(self.width).unwrap_or(0);
        let fill = width.saturating_sub(sign.len() + body.len());
        let zeros = zeros && numeric;
        if !self.left && !zeros {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out.extend_from_slice(sign.as_bytes());
        if zeros {
            out.extend(std::iter::repeat_n(b'0', fill));
        }
        out.extend_from_slice(&body);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
    }
}

/// Formats at least `precision` digits; zero with precision zero has none.
fn digits(text: &str, precision: Option<usize>) -> Vec<u8> {
    let precision = precision.unwrap_or(1);
    if precision == 0 && text == "0" {
        return Vec::new();
    }
    let mut digits = vec![b'0'; precision.saturating_sub(text.len())];
    digits.extend_from_slice(text.as_bytes());
    digits
}

/// Formats a nonnegative floating-point number.
fn real(value: f64, conversion: u8, precision: Option<usize>, alternative: bool) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return "inf".into();
    }
    let mut text = match conversion {
        b'f' => format!("{value:.*}", precision.unwrap_or(6)),
        b'e' => exponential(value, precision.unwrap_or(6)),
        b'g' => general(value, precision.unwrap_or(6).max(1), alternative),
        _ => hexadecimal(value, precision),
    };
    if alternative && !text.contains('.') {
        let exponent = if conversion == b'a' { 'p' } else { 'e' };
        let end = text.find(exponent).unwrap_or(text.len());
        text.insert(end, '.');
    }
    text
}

/// Formats the number as `d.ddde+xx`.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{exponent:0>2}")
}

/// Formats the number as the shorter of `%e` and `%f`, without trailing zeros.
fn general(value: f64, precision: usize, alternative: bool) -> String {
    let text = exponential(value, precision - 1);
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    let places = i64::try_from(precision).unwrap_or(i64::MAX);
    let fixed = exponent >= -4 && i64::from(exponent) < places;
    let (number, tail) = if fixed {
        let precision_left = places - 1 - i64::from(exponent);
        // The difference is between 0 and the precision plus 4.
        (
            format!("{value:.*}", precision_left as usize),
            String::new(),
        )
    } else {
        let (number, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        (number.to_owned(), format!("e{exponent}"))
    };
    let number = if alternative || !number.contains('.') {
        number.as_str()
    } else {
        number.trim_end_matches('0').trim_end_matches('.')
    };
    format!("{number}{tail}")
}

/// Formats the number as `0x1.8p+1`.
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52 & 0x7ff).cast_signed();
    let (mut lead, exponent) = match (biased, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1u64, biased - 1023),
    };
    let mut fraction = fraction;
    let mut places = 13;
    if let Some(precision) = precision.filter(|&precision| precision < 13) {
        // Rounds to nearest, ties to even.
        let drop = 4 * (13 - precision);
        let whole = lead << 52 | fraction;
        let half = 1u64 << (drop - 1);
        let odd = whole >> drop & 1;
        let rounded = (whole + half - 1 + odd) >> drop;
        lead = rounded >> (4 * precision);
        fraction = rounded & ((1 << (4 * precision)) - 1);
        places = precision;
    }
    let mut digits = if places == 0 {
        String::new()
    } else {
        format!("{fraction:0places$x}")
    };
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => {
            digits.extend(std::iter::repeat_n('0', precision.saturating_sub(places)));
        }
    }
    let dot = if digits.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{lead}{dot}{digits}p{sign}{}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(format: &str, value: u64) -> String {
        let (spec, length) = Spec::read(format.as_bytes()).expect("a conversion");
        assert_eq!(length, format.len());
        let mut out = Vec::new();
        spec.print(value, b"text", &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    /// The expected texts are the output of the C library.
    #[test]
    fn conversions_are_those_of_c() {
        for (format, value, expected) in [
            ("d", 5, "5"),
            ("5d", 5, "    5"),
            ("-5d", 5, "5    "),
            ("05d", u64::from(-5i32 as u32), "-0005"),
            ("+d", 5, "+5"),
            (" d", 5, " 5"),
            (".3d", 5, "005"),
            ("8.3d", u64::from(-5i32 as u32), "    -005"),
            ("lld", -5i64 as u64, "-5"),
            ("u", u64::MAX, "4294967295"),
            ("hhu", 0x1ff, "255"),
            ("llx", u64::MAX, "ffffffffffffffff"),
            ("#x", 255, "0xff"),
            ("#010x", 255, "0x000000ff"),
            ("X", 255, "FF"),
            ("o", 8, "10"),
            ("c", 65, "A"),
            ("s", 0, "text"),
            ("6s", 0, "  text"),
            (".2s", 0, "te"),
            ("p", 0x1000, "0x1000"),
        ] {
            assert_eq!(printed(format, value), expected, "%{format}");
        }
        for (format, value, expected) in [
            ("f", 1.5f64, "1.500000"),
            (".0f", 2.5, "2"),
            ("+.2f", 1.005, "+1.00"),
            ("08.2f", -1.5, "-0001.50"),
            ("e", 12345.678, "1.234568e+04"),
            (".0e", 12345.678, "1e+04"),
            ("g", 0.0001, "0.0001"),
            ("g", 0.00001, "1e-05"),
            ("g", 1e6, "1e+06"),
            ("g", 100_000.0, "100000"),
            ("G", 1e-10, "1E-10"),
            ("#g", 1.0, "1.00000"),
            ("#g", 100_000.0, "100000."),
            ("#.0f", 2.5, "2."),
            ("#.0E", 2.5, "2.E+00"),
            ("#a", 1.0, "0x1.p+0"),
            ("g", 0.0, "0"),
            ("a", 1.0, "0x1p+0"),
            ("a", 0.1, "0x1.999999999999ap-4"),
            (".2a", 0.1, "0x1.9ap-4"),
            (".0a", 1.5, "0x2p+0"),
            ("f", f64::INFINITY, "inf"),
            ("5F", f64::NEG_INFINITY, " -INF"),
            ("05f", f64::INFINITY, "  inf"),
        ] {
            assert_eq!(printed(format, value.to_bits()), expected, "%{format}");
        }
    }
}
