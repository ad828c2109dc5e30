//! C's `printf`, for one value at a time.
//!
//! Formats a value according to the text of a conversion (`%-8.3f`), like glibc. Whatever C leaves
//! undefined (an invalid conversion, a float where an integer is expected) is rejected with a
//! reason.

use std::fmt::Write;

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    fill: Fill,
    sign: Sign,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// The number of significant bits of an integer, if the length states it.
    bits: Option<u32>,
    kind: Kind,
}

/// The kind of value that a conversion takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prints {
    /// An integer or an address, as a signed number.
    Signed,
    /// An integer or an address, as an unsigned number.
    Unsigned,
    /// A float.
    Float,
    /// An integer, as the character of its lowest byte.
    Character,
    /// A pointer, as the characters at it.
    Text,
    /// A pointer or an integer, as an address.
    Pointer,
}

/// The padding of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    Before,
    /// Zeros between sign and digits.
    Zeros,
    After,
}

/// The character before a number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Nothing,
    Plus,
    Space,
}

/// The format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    /// Digits in a base; the case is that of the digits above 9.
    Unsigned(u32, Case),
    Fixed(Case),
    Exponent(Case),
    General(Case),
    Hex(Case),
    Character,
    Text,
    Pointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
}

/// A value to print.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// The sign-extended and the zero-extended value.
    Integer(i64, u64),
    Float(f64),
    Address(u64),
    /// The characters at a pointer.
    Text(Vec<u8>),
}

/// The maximum field width and precision: more than C promises, and half of what `format!` takes,
/// so that digits may be added.
const MAX_FIELD_WIDTH: usize = 1 << 15;

impl Conversion {
    /// Parses a conversion; `None` if `text` is not a conversion of C.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix('%')?;
        let kind = rest.pop_back()?;
        let upper = |c: char| {
            if c.is_ascii_uppercase() {
                Case::Upper
            } else {
                Case::Lower
            }
        };
        let kind = match kind {
            'd' | 'i' => Kind::Signed,
            'u' => Kind::Unsigned(10, Case::Lower),
            'o' => Kind::Unsigned(8, Case::Lower),
            'x' | 'X' => Kind::Unsigned(16, upper(kind)),
            'f' | 'F' => Kind::Fixed(upper(kind)),
            'e' | 'E' => Kind::Exponent(upper(kind)),
            'g' | 'G' => Kind::General(upper(kind)),
            'a' | 'A' => Kind::Hex(upper(kind)),
            'c' => Kind::Character,
            's' => Kind::Text,
            'p' => Kind::Pointer,
            _ => return None,
        };
        let flags = rest.len() - rest.trim_start_matches(['-', '+', ' ', '0', '#']).len();
        let (flags, mut rest) = rest.split_at(flags);
        let number = |rest: &mut &str| {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, after) = rest.split_at(digits);
            *rest = after;
            let number = if number.is_empty() {
                Some(0)
            } else {
                number.parse().ok()
            };
            number.filter(|&number| number <= MAX_FIELD_WIDTH)
        };
        let width = number(&mut rest)?;
        let precision = match rest.strip_prefix('.') {
            Some(after) => {
                rest = after;
                Some(number(&mut rest)?)
            }
            None => None,
        };
        let bits = match rest {
            "hh" => Some(8),
            "h" => Some(16),
            // The type of an element determines its width.
            "" | "l" | "ll" | "j" | "z" | "t" | "L" => None,
            _ => return None,
        };
        Some(Self {
            fill: match (flags.contains('-'), flags.contains('0')) {
                (true, _) => Fill::After,
                (false, true) => Fill::Zeros,
                (false, false) => Fill::Before,
            },
            sign: match (flags.contains('+'), flags.contains(' ')) {
                (true, _) => Sign::Plus,
                (false, true) => Sign::Space,
                (false, false) => Sign::Nothing,
            },
            alternate: flags.contains('#'),
            width,
            precision,
            bits,
            kind,
        })
    }

    /// Returns the kind of value that the conversion prints.
    pub fn prints(&self) -> Prints {
        match self.kind {
            Kind::Signed => Prints::Signed,
            Kind::Unsigned(..) => Prints::Unsigned,
            Kind::Fixed(_) | Kind::Exponent(_) | Kind::General(_) | Kind::Hex(_) => Prints::Float,
            Kind::Character => Prints::Character,
            Kind::Text => Prints::Text,
            Kind::Pointer => Prints::Pointer,
        }
    }

    /// Returns the number of significant bits of an integer, if the length states it: `hh` and `h`.
    pub fn bits(&self) -> Option<u32> {
        self.bits
    }

    /// Returns `true` if the value is the text at a pointer.
    pub(super) fn takes_text(&self) -> bool {
        self.kind == Kind::Text
    }

    /// Returns the maximum number of characters of a text to print.
    pub(super) fn text_limit(&self) -> usize {
        self.precision.unwrap_or(usize::MAX)
    }

    /// Appends the formatted value. Returns `None` if the conversion does not take such a value.
    pub(super) fn print(&self, value: &Value, out: &mut Vec<u8>) -> Option<()> {
        match (self.kind, value) {
            (Kind::Signed, &Value::Integer(signed, _)) => self.signed(signed, out),
            (Kind::Signed, &Value::Address(address)) => {
                self.signed(address.cast_signed(), out);
            }
            (Kind::Unsigned(base, case), &(Value::Integer(_, number) | Value::Address(number))) => {
                self.unsigned(number, base, case, out);
            }
            (
                Kind::Fixed(case) | Kind::Exponent(case) | Kind::General(case) | Kind::Hex(case),
                &Value::Float(value),
            ) => self.float(value, case, out),
            (Kind::Character, &Value::Integer(_, number)) => {
                self.pad(&[], &number.to_le_bytes()[..1], self.blanks(), out);
            }
            (Kind::Text, Value::Text(text)) => {
                self.pad(
                    &[],
                    &text[..text.len().min(self.text_limit())],
                    self.blanks(),
                    out,
                );
            }
            (Kind::Pointer, &(Value::Address(number) | Value::Integer(_, number))) => {
                if number == 0 {
                    self.pad(&[], b"(nil)", self.blanks(), out);
                } else {
                    let digits = format!("{number:x}");
                    self.pad(b"0x", digits.as_bytes(), self.fill, out);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match self.sign {
            _ if is_negative => "-",
            Sign::Plus => "+",
            Sign::Space => " ",
            Sign::Nothing => "",
        }
    }

    /// Returns the padding of a field in which zeros would be misleading.
    fn blanks(&self) -> Fill {
        match self.fill {
            Fill::Zeros => Fill::Before,
            other => other,
        }
    }

    /// Returns the padding of an integer: no zeros if there is a precision.
    fn integer_fill(&self) -> Fill {
        if self.precision.is_some() {
            self.blanks()
        } else {
            self.fill
        }
    }

    /// Appends prefix and digits, padded to the width.
    fn pad(&self, prefix: &[u8], digits: &[u8], fill: Fill, out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        let (before, zeros, after) = match fill {
            Fill::Before => (missing, 0, 0),
            Fill::Zeros => (0, missing, 0),
            Fill::After => (0, 0, missing),
        };
        out.resize(out.len() + before, b' ');
        out.extend_from_slice(prefix);
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(digits);
        out.resize(out.len() + after, b' ');
    }

    fn signed(&self, value: i64, out: &mut Vec<u8>) {
        let value = match self.bits {
            Some(bits) => value << (64 - bits) >> (64 - bits),
            None => value,
        };
        let digits = self.digits(value.unsigned_abs().to_string(), value == 0);
        let fill = self.integer_fill();
        self.pad(
            self.sign(value < 0).as_bytes(),
            digits.as_bytes(),
            fill,
            out,
        );
    }

    fn unsigned(&self, value: u64, base: u32, case: Case, out: &mut Vec<u8>) {
        let value = match self.bits {
            Some(bits) => value & ((1 << bits) - 1),
            None => value,
        };
        let (digits, prefix) = match (base, case) {
            (8, _) => (format!("{value:o}"), ""),
            (16, Case::Lower) => (format!("{value:x}"), "0x"),
            (16, Case::Upper) => (format!("{value:X}"), "0X"),
            _ => (value.to_string(), ""),
        };
        let mut digits = self.digits(digits, value == 0);
        if self.alternate && base == 8 && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let prefix = if self.alternate && value != 0 {
            prefix
        } else {
            ""
        };
        let fill = self.integer_fill();
        self.pad(prefix.as_bytes(), digits.as_bytes(), fill, out);
    }

    /// Pads with zeros to as many digits as the precision states; a zero with precision 0 has no
    /// digits.
    fn digits(&self, digits: String, is_zero: bool) -> String {
        match self.precision {
            Some(0) if is_zero => String::new(),
            Some(least) => format!("{digits:0>least$}"),
            None => digits,
        }
    }

    fn float(&self, value: f64, case: Case, out: &mut Vec<u8>) {
        let mut prefix = self.sign(value.is_sign_negative()).to_owned();
        let size = value.abs();
        if !size.is_finite() {
            let digits = match (size.is_nan(), case) {
                (true, Case::Lower) => "nan",
                (true, Case::Upper) => "NAN",
                (false, Case::Lower) => "inf",
                (false, Case::Upper) => "INF",
            };
            return self.pad(prefix.as_bytes(), digits.as_bytes(), self.blanks(), out);
        }
        let precision = self.precision.unwrap_or(6);
        let mut digits = match self.kind {
            Kind::Exponent(_) => exponent(size, precision, self.alternate),
            Kind::General(_) => general(size, precision, self.alternate),
            Kind::Hex(_) => {
                prefix.push_str("0x");
                hex(size, self.precision, self.alternate)
            }
            _ => fixed(size, precision, self.alternate),
        };
        if case == Case::Upper {
            prefix.make_ascii_uppercase();
            digits.make_ascii_uppercase();
        }
        self.pad(prefix.as_bytes(), digits.as_bytes(), self.fill, out);
    }
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let point = if precision == 0 && alternate { "." } else { "" };
    format!("{value:.precision$}{point}")
}

/// Formats with an exponent, which has a sign and at least two digits.
fn exponent(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').expect("an exponent is printed");
    let point = if precision == 0 && alternate { "." } else { "" };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}{point}e{sign}{exponent:0>2}")
}

/// Formats as `%g`: without an exponent, unless the exponent is below -4 or at least the number of
/// digits. Removes trailing zeros unless `alternate`.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let digits = precision.max(1);
    let text = format!("{value:.*e}", digits - 1);
    let (_, power) = text.split_once('e').expect("an exponent is printed");
    let power: i32 = power.parse().expect("it is a number");
    let most = i32::try_from(digits).unwrap_or(i32::MAX);
    if (-4..most).contains(&power) {
        let after = usize::try_from(most - 1 - power).expect("checked");
        let text = fixed(value, after, alternate);
        return if alternate {
            text
        } else {
            without_zeros(&text)
        };
    }
    let text = exponent(value, digits - 1, alternate);
    if alternate {
        return text;
    }
    let (digits, power) = text.split_once('e').expect("an exponent is printed");
    format!("{}e{power}", without_zeros(digits))
}

fn without_zeros(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// Formats as `%a`: one digit, the bits of the fraction in base 16, and an exponent of 2.
/// Subnormals begin with 0.
fn hex(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION) - 1);
    let field = i64::try_from(bits >> FRACTION).expect("few bits");
    let (mut whole, power) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1_u64, field - 1023),
    };
    let mut digits = fraction;
    let mut count = 13;
    if let Some(precision) = precision.filter(|&precision| precision < 13) {
        // Round to nearest, ties to even.
        let dropped = 4 * u32::try_from(13 - precision).expect("few digits");
        let number = whole << FRACTION | fraction;
        let (kept, rest) = (number >> dropped, number & ((1 << dropped) - 1));
        let half = 1 << (dropped - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        let kept = kept + u64::from(up);
        let width = FRACTION - dropped;
        (whole, digits, count) = (kept >> width, kept & ((1 << width) - 1), precision);
    }
    let mut text = String::new();
    if count > 0 {
        write!(text, "{digits:0count$x}").expect("a string takes all");
    }
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(precision) => text.extend(std::iter::repeat_n('0', precision.saturating_sub(13))),
    }
    let point = if text.is_empty() && !alternate {
        ""
    } else {
        "."
    };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{whole}{point}{text}p{sign}{}", power.abs())
}

/// Removes the last character of a text and returns it.
trait PopBack {
    fn pop_back(&mut self) -> Option<char>;
}

impl PopBack for &str {
    fn pop_back(&mut self) -> Option<char> {
        let (offset, last) = self.char_indices().next_back()?;
        *self = &self[..offset];
        Some(last)
    }
}

#[cfg(test)]
mod tests;
