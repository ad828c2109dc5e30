//! Constant expressions (PTX ISA, "Constant Expressions").
//!
//! Integers have 64 bits and are signed unless a literal has the suffix `U`, does not fit, or is
//! cast. An operation is unsigned if one of its operands is. Division by zero is an error.

use super::super::lexer::Token;
use super::super::syntax::Operand;
use super::{MAX_DEPTH, Parsed, Parser};

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Signed(i64),
    Unsigned(u64),
    Single(u32),
    Double(u64),
}

use Constant::{Double, Signed, Single, Unsigned};

impl Constant {
    pub(super) fn operand(self) -> Operand {
        match self {
            Signed(value) => Operand::Int(i128::from(value)),
            Unsigned(value) => Operand::Int(i128::from(value)),
            Single(bits) => Operand::Single(bits),
            Double(bits) => Operand::Double(bits),
        }
    }

    fn from_bits(bits: u64, unsigned: bool) -> Self {
        if unsigned {
            Unsigned(bits)
        } else {
            Signed(bits.cast_signed())
        }
    }

    /// Returns the bits of an integer, and `true` if it is unsigned.
    fn int(self) -> Option<(u64, bool)> {
        match self {
            Signed(value) => Some((value.cast_unsigned(), false)),
            Unsigned(value) => Some((value, true)),
            Single(_) | Double(_) => None,
        }
    }
}

/// Binary operators by ascending precedence.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    /// Returns `true` if a constant expression begins at the current token.
    pub(super) fn at_constant(&self) -> bool {
        match self.peek() {
            Token::Int(_) | Token::Unsigned(_) | Token::Single(_) | Token::Double(_) => true,
            Token::Mark('-' | '+' | '~' | '(') => true,
            Token::Mark('!') => matches!(
                self.peek_second(),
                Token::Int(_) | Token::Unsigned(_) | Token::Mark('(')
            ),
            Token::Word("WARP_SZ") => true,
            _ => false,
        }
    }

    /// Parses a conditional expression `c ? a : b`, or one of higher precedence.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("nested too deep");
        }
        let condition = self.binary(0)?;
        let value = if self.takes('?') {
            let Some((condition, _)) = condition.int() else {
                return self.error("a condition is an integer");
            };
            let first = self.constant()?;
            self.mark(':')?;
            let second = self.constant()?;
            if condition != 0 { first } else { second }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Parses an integer expression.
    pub(super) fn integer(&mut self, what: &str) -> Parsed<i128> {
        if !self.at_constant() {
            return self.expected(what);
        }
        match self.constant()? {
            Signed(value) => Ok(i128::from(value)),
            Unsigned(value) => Ok(i128::from(value)),
            Single(_) | Double(_) => self.error(format!("{what} is an integer")),
        }
    }

    /// Returns the next operator if it has this precedence.
    fn operator(&mut self, level: usize) -> Option<&'static str> {
        let operator = LEVELS[level].iter().find(|operator| {
            let mut marks = operator.chars();
            let first = marks.next().map(Token::Mark);
            let second = marks.next().map(Token::Mark);
            let doubled = |mark: char| self.peek_second() == Token::Mark(mark);
            if Some(self.peek()) != first {
                return false;
            }
            match (second, **operator) {
                (Some(second), _) => self.peek_second() == second,
                // Excludes the first half of an operator of two characters.
                (None, "|") => !doubled('|'),
                (None, "&") => !doubled('&'),
                (None, "<") => !doubled('<') && !doubled('='),
                (None, ">") => !doubled('>') && !doubled('='),
                (None, _) => true,
            }
        })?;
        for _ in operator.chars() {
            self.take();
        }
        Some(operator)
    }

    fn binary(&mut self, level: usize) -> Parsed<Constant> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.binary(level + 1)?;
            left = match combine(operator, left, right) {
                Ok(value) => value,
                Err(message) => return self.error(message),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Constant> {
        // A loop replaces recursion, since a chain such as `- - - 1` may be long.
        let mut prefixes = Vec::new();
        loop {
            match self.peek() {
                Token::Mark(mark @ ('-' | '+' | '~' | '!')) => {
                    self.take();
                    prefixes.push(mark);
                }
                Token::Mark('(') => match self.peek_second() {
                    Token::Dot("s64") => prefixes.push('s'),
                    Token::Dot("u64") => prefixes.push('u'),
                    _ => break,
                },
                _ => break,
            }
            if matches!(prefixes.last(), Some('s' | 'u')) {
                self.take();
                self.take();
                self.mark(')')?;
            }
        }
        let mut value = self.primary()?;
        while let Some(prefix) = prefixes.pop() {
            value = match (prefix, value) {
                ('+', value) => value,
                ('-', Single(bits)) => Single(bits ^ 1 << 31),
                ('-', Double(bits)) => Double(bits ^ 1 << 63),
                (prefix, value) => {
                    let Some((bits, unsigned)) = value.int() else {
                        return self.error(format!("`{prefix}` of a floating-point number"));
                    };
                    match prefix {
                        '-' => Constant::from_bits(bits.wrapping_neg(), unsigned),
                        '~' => Constant::from_bits(!bits, unsigned),
                        '!' => Signed(i64::from(bits == 0)),
                        's' => Constant::from_bits(bits, false),
                        _ => Constant::from_bits(bits, true),
                    }
                }
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<Constant> {
        let value = match self.peek() {
            Token::Int(value) => match i64::try_from(value) {
                Ok(value) => Signed(value),
                Err(_) => Unsigned(value),
            },
            Token::Unsigned(value) => Unsigned(value),
            Token::Single(bits) => Single(bits),
            Token::Double(bits) => Double(bits),
            Token::Word("WARP_SZ") => Signed(32),
            Token::Mark('(') => {
                self.take();
                let value = self.constant()?;
                self.mark(')')?;
                return Ok(value);
            }
            _ => return self.expected("an operand"),
        };
        self.take();
        Ok(value)
    }
}

fn combine(operator: &str, left: Constant, right: Constant) -> Result<Constant, String> {
    if let (Some(x), Some(y)) = (double(left), double(right)) {
        let value = match operator {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "/" => x / y,
            _ => return Err(format!("`{operator}` of floating-point numbers")),
        };
        return Ok(Double(value.to_bits()));
    }
    let (Some((x, x_unsigned)), Some((y, y_unsigned))) = (left.int(), right.int()) else {
        return Err(format!(
            "`{operator}` of an integer and a floating-point number"
        ));
    };
    let unsigned = x_unsigned || y_unsigned;
    let (sx, sy) = (x.cast_signed(), y.cast_signed());
    let truth = |value: bool| Ok(Signed(i64::from(value)));
    let order = if unsigned { x.cmp(&y) } else { sx.cmp(&sy) };
    // A shift has the type of its left operand; the amount is taken modulo 64.
    let amount = y as u32 & 63;
    let bits = match operator {
        "||" => return truth(x != 0 || y != 0),
        "&&" => return truth(x != 0 && y != 0),
        "==" => return truth(x == y),
        "!=" => return truth(x != y),
        "<" => return truth(order.is_lt()),
        "<=" => return truth(order.is_le()),
        ">" => return truth(order.is_gt()),
        ">=" => return truth(order.is_ge()),
        "<<" => return Ok(Constant::from_bits(x << amount, x_unsigned)),
        ">>" if x_unsigned => return Ok(Unsigned(x >> amount)),
        ">>" => return Ok(Signed(sx >> amount)),
        "|" => x | y,
        "^" => x ^ y,
        "&" => x & y,
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        _ if y == 0 => return Err("division by zero".into()),
        "/" if unsigned => x / y,
        "/" => sx.wrapping_div(sy).cast_unsigned(),
        _ if unsigned => x % y,
        _ => sx.wrapping_rem(sy).cast_unsigned(),
    };
    Ok(Constant::from_bits(bits, unsigned))
}

fn double(value: Constant) -> Option<f64> {
    match value {
        Single(bits) => Some(f64::from(f32::from_bits(bits))),
        Double(bits) => Some(f64::from_bits(bits)),
        Signed(_) | Unsigned(_) => None,
    }
}
