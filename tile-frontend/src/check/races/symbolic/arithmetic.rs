//! Arithmetic of words: what an operation on integers yields, and what a launch must check for it.

use super::super::known::{Launch, Word};
use super::super::needs::program;
use super::super::number::{Atom, BitOp, Number};
use super::{Follow, Value, is_uniform};
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, MathOp, Ty};
use crate::parse::ast::{BinaryOp, UnaryOp};
use tile_core::reach::Claim;

impl Follow<'_> {
    /// Returns the integer type of a number or of the elements of a tile.
    pub(super) fn word(&self, id: ExprId) -> Option<HostScalar> {
        let element = match &self.kernel.expr(id).ty {
            Ty::Scalar(Elem::Known(scalar)) | Ty::Tile(Elem::Known(scalar), _) => *scalar,
            _ => return None,
        };
        element.is_integer().then_some(element)
    }

    /// Returns the word that an expression yields if its result on unbounded integers is `number`.
    pub(super) fn wrapped(&mut self, id: ExprId, number: Number) -> Number {
        match self.word(id) {
            Some(word) => self.wrapped_to(word, number),
            None => number,
        }
    }

    pub(super) fn wrapped_to(&mut self, word: HostScalar, number: Number) -> Number {
        let to = Word {
            bits: word.bits(),
            signed: word.is_signed(),
        };
        let guards = self.guards();
        self.known.wrapped(number, to, &guards)
    }

    /// Adds a claim about `of` to the needs of a number, if a launch can check it.
    fn claimed(&mut self, number: Number, of: &Number, claim: Claim) -> Number {
        if program(of, 64, &self.known).is_none() {
            return number;
        }
        let guards = self.guards();
        let need = self.known.need(of, claim, &guards);
        if claim == Claim::Positive {
            self.known.positive.insert(of.clone());
        }
        number.needing(need)
    }

    /// Claims that the divisor of a quotient or remainder is not 0, unless that is known.
    fn divided(&mut self, number: Number, by: &Number) -> Number {
        let is_nonzero = self
            .known
            .bounds(by, Launch::Anything)
            .is_some_and(|(low, high)| low > 0 || high < 0);
        let mut terms = by.terms();
        if is_nonzero || terms.all(|(atoms, factor)| factor > 0 && is_positive(atoms)) {
            return number;
        }
        // The range of a remainder depends on more than the greatest divisor if the divisor varies.
        let claim = if by.is_uniform() {
            Claim::NotZero
        } else {
            Claim::Positive
        };
        self.claimed(number, by, claim)
    }

    pub(super) fn scalar(&self, id: ExprId) -> Option<HostScalar> {
        match self.kernel.expr(id).ty {
            Ty::Scalar(Elem::Known(scalar)) => Some(scalar),
            _ => None,
        }
    }

    /// Executes a conversion.
    pub(super) fn cast(&mut self, id: ExprId, value: ExprId) -> Value {
        let number = self.expr(value);
        let to = self.scalar(id).filter(|to| to.is_integer());
        let from = self.scalar(value).filter(|from| from.is_integer());
        match (number, to, from) {
            (Value::Number(number), Some(to), Some(_)) => {
                Value::Number(self.wrapped_to(to, number))
            }
            (Value::Number(number) | Value::Truth(_, _, number), _, _) => {
                Value::Number(self.fresh(number.is_uniform()))
            }
            (Value::Tuple(_), _, _) => self.unknown(&self.kernel.expr(id).ty, false),
        }
    }

    /// Executes an operation with one operand.
    pub(super) fn unary(&mut self, id: ExprId, op: UnaryOp, value: ExprId) -> Value {
        let value = self.expr(value);
        match (op, value) {
            (UnaryOp::Not, Value::Truth(yes, no, number)) => {
                Value::Truth(no, yes, Number::constant(1).minus(&number))
            }
            (UnaryOp::Not, Value::Number(number)) if self.scalar(id) == Some(HostScalar::Bool) => {
                Value::Number(Number::constant(1).minus(&number))
            }
            (UnaryOp::Neg, Value::Number(number)) if self.word(id).is_some() => {
                Value::Number(self.wrapped(id, number.scaled(-1)))
            }
            (UnaryOp::Not, Value::Number(number)) if self.word(id).is_some() => {
                let number = number.scaled(-1).minus(&Number::constant(1));
                Value::Number(self.wrapped(id, number))
            }
            (_, Value::Number(number)) => Value::Number(self.fresh(number.is_uniform())),
            (_, other) => other,
        }
    }

    /// Executes a function of integers.
    pub(super) fn integer_math(&mut self, op: MathOp, args: &[ExprId]) -> Value {
        let numbers: Vec<Number> = args.iter().map(|&arg| self.number(arg)).collect();
        let boxed = |number: &Number| Box::new(number.clone());
        Value::Number(match (op, numbers.as_slice()) {
            (MathOp::Min, [a, b]) => Number::atom(Atom::Min(boxed(a), boxed(b))),
            (MathOp::Max, [a, b]) => Number::atom(Atom::Max(boxed(a), boxed(b))),
            _ => self.fresh(numbers.iter().all(Number::is_uniform)),
        })
    }

    /// Executes an operation with two operands that are both evaluated.
    pub(super) fn binary(&mut self, id: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        let (left, right) = (self.expr(lhs), self.expr(rhs));
        let uniform = is_uniform(&left) && is_uniform(&right);
        if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr)
            && self.scalar(id) == Some(HostScalar::Bool)
        {
            return self.connect(op, left, right);
        }
        let integers = self.word(lhs).is_some();
        let (Value::Number(a), Value::Number(b)) = (&left, &right) else {
            return self.unknown(&Ty::scalar(HostScalar::Bool), uniform);
        };
        if !integers {
            return Value::Number(self.fresh(uniform));
        }
        if op.is_comparison() && self.scalar(lhs).is_none() {
            return Value::Number(self.fresh(uniform));
        }
        match op {
            BinaryOp::Eq | BinaryOp::Ne => self.equality(op, a, b),
            BinaryOp::Lt => self.order(&b.minus(a), true, "<", (a, b)),
            BinaryOp::Le => self.order(&b.minus(a), false, "<=", (a, b)),
            BinaryOp::Gt => self.order(&a.minus(b), true, "<", (b, a)),
            BinaryOp::Ge => self.order(&a.minus(b), false, "<=", (b, a)),
            _ => {
                let number = self.integer(id, op, a, b);
                Value::Number(number.unwrap_or_else(|| self.fresh(uniform)))
            }
        }
    }

    /// Returns the result of an operation on integers; `None` if it is not known.
    fn integer(&mut self, id: ExprId, op: BinaryOp, a: &Number, b: &Number) -> Option<Number> {
        let boxed = |number: &Number| Box::new(number.clone());
        let natural = self.known.is_natural(a);
        match op {
            BinaryOp::Add => Some(self.wrapped(id, a.plus(b))),
            BinaryOp::Sub => Some(self.wrapped(id, a.minus(b))),
            BinaryOp::Mul => Some(self.wrapped(id, a.times(b))),
            BinaryOp::Shl => {
                let by = self.power(id, b)?;
                Some(self.wrapped(id, a.scaled(by)))
            }
            BinaryOp::Div => {
                let number = quotient(a, b, Atom::Div(boxed(a), boxed(b)))?;
                Some(self.divided(number, b))
            }
            BinaryOp::Rem if self.is_below(a, b) => Some(a.clone()),
            BinaryOp::Rem => {
                let number = quotient(a, b, Atom::Rem(boxed(a), boxed(b)))?;
                Some(self.divided(number, b))
            }
            BinaryOp::Shr => {
                let by = Number::constant(self.power(id, b)?);
                if natural {
                    quotient(a, &by, Atom::Div(boxed(a), boxed(&by)))
                } else {
                    Some(bits(BitOp::Shr, a, b))
                }
            }
            BinaryOp::BitAnd => match b.value() {
                Some(mask) if natural && mask > 0 && (mask & (mask + 1)) == 0 => {
                    let by = Number::constant(mask + 1);
                    if self.is_below(a, &by) {
                        Some(a.clone())
                    } else {
                        quotient(a, &by, Atom::Rem(boxed(a), boxed(&by)))
                    }
                }
                _ => Some(bits(BitOp::And, a, b)),
            },
            // If no bit is set in both, `|` and `^` are additions.
            BinaryOp::BitOr | BinaryOp::BitXor if self.is_disjoint(a, b) => {
                Some(self.wrapped(id, a.plus(b)))
            }
            BinaryOp::BitOr => Some(bits(BitOp::Or, a, b)),
            BinaryOp::BitXor if a.value().is_some() => {
                Some(Number::atom(Atom::Bits(BitOp::Xor, boxed(b), boxed(a))))
            }
            BinaryOp::BitXor => Some(bits(BitOp::Xor, a, b)),
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => None,
        }
    }

    /// Returns the power of two by which a shift of a word multiplies.
    fn power(&self, id: ExprId, amount: &Number) -> Option<i128> {
        let bits = i128::from(self.word(id)?.bits());
        let amount = amount.value().filter(|amount| (0..bits).contains(amount))?;
        Some(1 << amount)
    }

    /// Returns `true` if a number is not negative and less than a constant.
    fn is_below(&self, number: &Number, end: &Number) -> bool {
        let bounds = self.known.bounds(number, Launch::Anything);
        match (bounds, end.value()) {
            (Some((low, high)), Some(end)) => low >= 0 && high < end,
            _ => false,
        }
    }

    /// Returns `true` if one number is a multiple of a power of two and the other is nonnegative
    /// and less than that power.
    fn is_disjoint(&self, a: &Number, b: &Number) -> bool {
        let below = |low: &Number, high: &Number| {
            self.known
                .bounds(low, Launch::Anything)
                .is_some_and(|(least, most)| {
                    least >= 0
                        && most < 1 << 100
                        && high.has_factor(
                            (most.cast_unsigned() + 1).next_power_of_two().cast_signed(),
                        )
                })
        };
        below(a, b) || below(b, a)
    }
}

/// Returns `true` if every factor of a product is at least 1.
fn is_positive(atoms: &[Atom]) -> bool {
    atoms.iter().all(Atom::is_positive)
}

/// Returns a quotient or remainder, rounded towards zero.
fn quotient(number: &Number, by: &Number, atom: Atom) -> Option<Number> {
    match (number.value(), by.value()) {
        (_, Some(0)) => None,
        (Some(a), Some(b)) => Some(Number::constant(match atom {
            Atom::Div(..) => a / b,
            _ => a % b,
        })),
        _ => Some(Number::atom(atom)),
    }
}

/// Returns the result of an operation on bits.
fn bits(op: BitOp, a: &Number, b: &Number) -> Number {
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Number::constant(op.apply(a, b)),
        _ => Number::atom(Atom::Bits(op, Box::new(a.clone()), Box::new(b.clone()))),
    }
}
