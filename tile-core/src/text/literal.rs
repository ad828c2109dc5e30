//! The numbers of a constant: one number for all elements, nested lists, or a string of bytes.

use super::constant::parse_number;
use super::lexer::TokenKind;
use super::number;
use super::parser::{Parse, Parser};
use crate::diag::{Code, Diagnostic};
use crate::ir::{DenseElements, Loc};
use crate::types::{Scalar, join};
use std::fmt::Write;

/// The maximum nesting depth of lists.
const MAX_RANK: usize = 32;

/// The number of elements above which a constant is printed as a string, as in MLIR.
const MAX_LISTED: usize = 100;

/// Numbers, and the form in which they are written.
pub(super) struct Literal {
    bits: Vec<u64>,
    form: Form,
}

enum Form {
    Number,
    /// Nested lists of this shape.
    Lists(Vec<i64>),
    /// A string, which has no shape.
    Bytes,
}

/// The mismatch between a literal and a shape.
pub(super) struct Misfit {
    message: String,
    rule: &'static str,
}

impl Misfit {
    /// Returns the diagnostic for the literal at `loc`.
    pub(super) fn at(self, loc: Loc) -> Diagnostic {
        Diagnostic::error(Code::ShapeMismatch, loc, self.message).note(self.rule)
    }
}

impl Literal {
    /// Parses `1.0`, `[[1, 2], [3, 4]]` or `"0x0001"`, of numbers of type `scalar`.
    pub(super) fn parse(parser: &mut Parser<'_>, scalar: Scalar) -> Parse<Self> {
        if parser.token.kind == TokenKind::Str {
            let bits = parse_bytes(parser, scalar)?;
            let form = Form::Bytes;
            return Ok(Self { bits, form });
        }
        let mut lists = Lists {
            scalar,
            bits: Vec::new(),
            extents: Vec::new(),
            rank: None,
        };
        lists.parse(parser, 0)?;
        let form = match lists.rank {
            Some(0) => Form::Number,
            _ => Form::Lists(lists.shape()),
        };
        Ok(Self {
            bits: lists.bits,
            form,
        })
    }

    /// Returns the elements of a tile of this shape.
    pub(super) fn fill(self, scalar: Scalar, shape: &[i64]) -> Result<DenseElements, Misfit> {
        match self.form {
            Form::Lists(actual_shape) if actual_shape != shape => {
                return Err(Misfit {
                    message: format!(
                        "expected a literal of shape ({}), found ({})",
                        join(shape),
                        join(&actual_shape)
                    ),
                    rule: "nested lists have the shape of the tile; a single number is repeated",
                });
            }
            Form::Bytes if self.bits.len() != 1 && count(shape) != Some(self.bits.len()) => {
                let actual_shape = self.bits.len();
                return Err(Misfit {
                    message: match count(shape) {
                        Some(expected) => {
                            format!("expected {expected} numbers, found {actual_shape}")
                        }
                        None => {
                            format!("{actual_shape} numbers cannot fill shape ({})", join(shape))
                        }
                    },
                    rule: "a string holds the bytes of all elements, or of one for all",
                });
            }
            _ => {}
        }
        Ok(DenseElements::from_bits(scalar, self.bits))
    }
}

/// Returns the number of elements of a shape, if it is valid.
fn count(shape: &[i64]) -> Option<usize> {
    shape.iter().try_fold(1usize, |count, &extent| {
        count.checked_mul(usize::try_from(extent).ok()?)
    })
}

/// Nested lists that are being read.
struct Lists {
    scalar: Scalar,
    bits: Vec<u64>,
    /// The length of the lists of each depth, once one of them is complete.
    extents: Vec<Option<usize>>,
    /// The depth of the numbers, once a number has been read.
    rank: Option<usize>,
}

impl Lists {
    fn parse(&mut self, parser: &mut Parser<'_>, depth: usize) -> Parse<()> {
        let start = parser.token.start;
        let is_list = parser.at("[");
        // Reject a number among lists, or a list among numbers.
        if self.rank.is_some_and(|rank| (depth < rank) != is_list) {
            return differ(parser, start);
        }
        if !is_list {
            self.bits.push(parse_number(parser, self.scalar)?);
            self.rank = Some(depth);
            return Ok(());
        }
        if depth == MAX_RANK {
            let loc = parser.lexer.loc(start);
            return parser.syntax(loc, format!("lists nested deeper than {MAX_RANK}"));
        }
        if self.extents.len() == depth {
            self.extents.push(None);
        }
        parser.bump();
        let mut count = 0;
        while count == 0 || parser.eat(",") {
            if count == 0 && parser.at("]") {
                let loc = parser.lexer.loc(start);
                return parser.syntax(loc, "expected at least one number, found an empty list");
            }
            self.parse(parser, depth + 1)?;
            count += 1;
        }
        parser.expect("]")?;
        if *self.extents[depth].get_or_insert(count) != count {
            return differ(parser, start);
        }
        Ok(())
    }

    fn shape(&self) -> Vec<i64> {
        let extents = self.extents.iter().flatten();
        extents
            .map(|&extent| i64::try_from(extent).expect("fewer numbers than bytes"))
            .collect()
    }
}

fn differ<T>(parser: &mut Parser<'_>, start: usize) -> Parse<T> {
    let loc = parser.lexer.loc(start);
    parser.syntax(loc, "lists at one level of a literal differ in shape")
}

/// Parses `"0x…"`, which holds the bytes of each number in little-endian order.
fn parse_bytes(parser: &mut Parser<'_>, scalar: Scalar) -> Parse<Vec<u64>> {
    let bits = parser
        .token
        .text
        .strip_prefix("0x")
        .and_then(|digits| numbers(digits.as_bytes(), scalar));
    let Some(bits) = bits else {
        let digits = 2 * bytes_of(scalar);
        let message =
            format!("expected `0x` and {digits} hexadecimal digits per number of `{scalar}`");
        return parser.syntax(parser.loc(), message);
    };
    parser.bump();
    Ok(bits)
}

/// Returns the numbers that hexadecimal digits encode; `None` if the digits are invalid.
fn numbers(digits: &[u8], scalar: Scalar) -> Option<Vec<u64>> {
    let chunks = digits.chunks_exact(2 * bytes_of(scalar));
    if digits.is_empty() || !chunks.remainder().is_empty() {
        return None;
    }
    let number = |digits: &[u8]| {
        let mut bits = 0;
        for pair in digits.rchunks_exact(2) {
            for &digit in pair {
                bits = bits << 4 | u64::from(char::from(digit).to_digit(16)?);
            }
        }
        (scalar.bits() == 64 || bits >> scalar.bits() == 0).then_some(bits)
    };
    chunks.map(number).collect()
}

/// Returns the number of bytes that a number takes in a string.
fn bytes_of(scalar: Scalar) -> usize {
    scalar.bits().div_ceil(8) as usize
}

/// Prints the numbers `bits` of a tile of `shape`, one per element. They must not all be equal.
pub(super) fn print_elements(out: &mut String, scalar: Scalar, bits: &[u64], shape: &[i64]) {
    if bits.len() <= MAX_LISTED {
        print_lists(out, scalar, bits, shape);
        return;
    }
    out.push_str("\"0x");
    for number in bits {
        for byte in &number.to_le_bytes()[..bytes_of(scalar)] {
            write!(out, "{byte:02X}").expect("strings do not fail");
        }
    }
    out.push('"');
}

fn print_lists(out: &mut String, scalar: Scalar, bits: &[u64], shape: &[i64]) {
    let Some((&extent, inner)) = shape.split_first() else {
        number::print(out, scalar, bits[0]);
        return;
    };
    let extent = usize::try_from(extent).expect("extents are positive");
    out.push('[');
    for (index, part) in bits.chunks(bits.len() / extent).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        print_lists(out, scalar, part, inner);
    }
    out.push(']');
}
