//! Facts about the arguments of a launch, and the knowledge derived from them.
//!
//! The conditions that `check/facts.rs` reads become [`Fact`]s and [`Knowledge`]. The host stub
//! carries the facts, and a launch evaluates them. The knowledge is about single arguments;
//! `build/facts.rs` passes it to the compiler.
//!
//! Arithmetic is exact: nothing wraps except where a cast truncates.

use super::signature::HostScalar;
use crate::parse::ast::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// A condition that every launch checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The condition as written.
    pub(crate) text: String,
    /// The condition, a boolean.
    pub(crate) condition: Term,
}

/// A number that a launch can compute; booleans are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A constant.
    Int(i128),
    /// A component of an argument.
    Input(Input),
    /// `-x`
    Neg(Box<Term>),
    /// `!x` of a boolean
    Not(Box<Term>),
    /// The bits of a number, reinterpreted as another type.
    Cast(HostScalar, Box<Term>),
    /// An operator; `&&` and `||` evaluate the right side only if needed.
    Binary(BinaryOp, Box<Term>, Box<Term>),
}

impl Term {
    /// Calls `visit` with each input.
    pub(crate) fn inputs(&self, visit: &mut impl FnMut(Input)) {
        match self {
            Term::Int(_) => {}
            Term::Input(input) => visit(*input),
            Term::Neg(inner) | Term::Not(inner) | Term::Cast(_, inner) => inner.inputs(visit),
            Term::Binary(_, lhs, rhs) => {
                lhs.inputs(visit);
                rhs.inputs(visit);
            }
        }
    }
}

/// A component of the value parameter with the given index that a launch knows. The order
/// determines which members of an equivalence class represent the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    /// A number of this type.
    Scalar(usize, HostScalar),
    /// The extent of an axis of a tensor.
    Dim(usize, usize),
    /// The stride of an axis of a tensor, in elements.
    Stride(usize, usize),
    /// The address of a pointer or of the first element of a tensor, in bytes.
    Address(usize),
}

/// The knowledge about one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// A divisor of the value; at least 1.
    pub(crate) divisor: u128,
    /// The lower bound.
    pub(crate) lower: i128,
    /// The upper bound.
    pub(crate) upper: i128,
    /// All inputs with the same value, including this one, in order.
    pub(crate) equal: Vec<Input>,
}

impl Known {
    /// Returns the value of the input, if only one value is possible.
    pub(crate) fn constant(&self) -> Option<i128> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Returns `true` if a multiple of the divisor is in the range.
    fn is_possible(&self) -> bool {
        let Ok(divisor) = i128::try_from(self.divisor) else {
            return self.lower <= 0 && 0 <= self.upper;
        };
        let rest = self.upper.rem_euclid(divisor);
        let greatest = self.upper.saturating_sub(rest);
        self.lower <= greatest
    }
}

/// The knowledge about single inputs that facts imply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Knowledge {
    known: BTreeMap<Input, Known>,
}

impl Knowledge {
    /// Derives the knowledge that all of `facts` together imply.
    ///
    /// # Errors
    ///
    /// Returns the index of the first fact that contradicts those before it.
    pub(crate) fn derive(facts: &[Fact]) -> Result<Knowledge, usize> {
        let mut knowledge = Knowledge::default();
        for (number, fact) in facts.iter().enumerate() {
            knowledge.learn(&fact.condition);
            if !knowledge.known.values().all(Known::is_possible) {
                return Err(number);
            }
        }
        Ok(knowledge)
    }

    /// Returns the knowledge about an input, or `None` if there is none.
    pub(crate) fn get(&self, input: Input) -> Option<&Known> {
        self.known.get(&input)
    }

    fn learn(&mut self, condition: &Term) {
        use BinaryOp as B;
        match condition {
            Term::Binary(B::And, lhs, rhs) => {
                self.learn(lhs);
                self.learn(rhs);
            }
            Term::Input(flag) => self.bound(*flag, 1, 1),
            Term::Not(inner) => {
                if let Term::Input(flag) = &**inner {
                    self.bound(*flag, 0, 0);
                }
            }
            Term::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (plain(lhs), plain(rhs));
                match (lhs, rhs) {
                    (_, Term::Int(number)) => self.compare(lhs, *op, *number),
                    (Term::Int(number), _) => self.compare(rhs, turned(*op), *number),
                    (Term::Input(a), Term::Input(b)) if *op == B::Eq => self.unite(*a, *b),
                    _ => {}
                }
            }
            Term::Int(_) | Term::Neg(_) | Term::Cast(..) => {}
        }
    }

    /// Derives knowledge from the fact `term op number`.
    fn compare(&mut self, term: &Term, op: BinaryOp, number: i128) {
        use BinaryOp as B;
        match (term, op) {
            (Term::Input(input), B::Eq) => self.bound(*input, number, number),
            (Term::Input(input), B::Le) => self.bound(*input, i128::MIN, number),
            (Term::Input(input), B::Lt) => self.bound(*input, i128::MIN, number.saturating_sub(1)),
            (Term::Input(input), B::Ge) => self.bound(*input, number, i128::MAX),
            (Term::Input(input), B::Gt) => self.bound(*input, number.saturating_add(1), i128::MAX),
            (Term::Binary(B::Rem, value, divisor), B::Eq) if number == 0 => {
                if let (Term::Input(input), Term::Int(divisor)) = (plain(value), &**divisor)
                    && *divisor != 0
                {
                    self.divide(*input, divisor.unsigned_abs());
                }
            }
            (Term::Binary(B::BitAnd, lhs, rhs), B::Eq) if number == 0 => {
                if let (Term::Input(input), Term::Int(mask))
                | (Term::Int(mask), Term::Input(input)) = (plain(lhs), plain(rhs))
                {
                    self.divide(*input, 1 << mask.trailing_ones().min(63));
                }
            }
            _ => {}
        }
    }

    fn known_mut(&mut self, input: Input) -> &mut Known {
        self.known.entry(input).or_insert_with(|| Known {
            divisor: 1,
            lower: i128::MIN,
            upper: i128::MAX,
            equal: vec![input],
        })
    }

    fn bound(&mut self, input: Input, lower: i128, upper: i128) {
        for input in self.known_mut(input).equal.clone() {
            let known = self.known_mut(input);
            known.lower = known.lower.max(lower);
            known.upper = known.upper.min(upper);
        }
    }

    fn divide(&mut self, input: Input, divisor: u128) {
        for input in self.known_mut(input).equal.clone() {
            let known = self.known_mut(input);
            let common = gcd(known.divisor, divisor);
            known.divisor = (known.divisor / common)
                .checked_mul(divisor)
                .unwrap_or(known.divisor);
        }
    }

    fn unite(&mut self, a: Input, b: Input) {
        let of_b = self.known_mut(b).clone();
        let members: BTreeSet<Input> = [self.known_mut(a).equal.clone(), of_b.equal.clone()]
            .into_iter()
            .flatten()
            .collect();
        let members: Vec<Input> = members.into_iter().collect();
        for &input in &members {
            self.known_mut(input).equal.clone_from(&members);
        }
        let of_a = self.known_mut(a).clone();
        for known in [of_a, of_b] {
            self.bound(a, known.lower, known.upper);
            self.divide(a, known.divisor);
        }
    }
}

/// Returns a term without casts that change nothing.
fn plain(term: &Term) -> &Term {
    match term {
        Term::Cast(to, inner) => match &**inner {
            Term::Input(Input::Scalar(_, from)) if holds_all(*to, *from) => inner,
            Term::Input(Input::Dim(..) | Input::Stride(..)) if to.bits() == 64 => inner,
            _ => term,
        },
        term => term,
    }
}

/// Returns `true` if every number of type `from` is a number of type `to`.
fn holds_all(to: HostScalar, from: HostScalar) -> bool {
    from == to
        || to.bits() > from.bits() && (to.is_signed() || !from.is_signed())
        || to.bits() == from.bits() && to.is_signed() == from.is_signed()
}

/// Returns the comparison with its sides exchanged.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or => op,
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Input = Input::Scalar(0, HostScalar::I32);

    fn binary(op: BinaryOp, lhs: Term, rhs: Term) -> Term {
        Term::Binary(op, Box::new(lhs), Box::new(rhs))
    }

    fn fact(condition: Term) -> Fact {
        Fact {
            text: String::new(),
            condition,
        }
    }

    fn divides(input: Input, by: i128) -> Term {
        let rest = binary(BinaryOp::Rem, Term::Input(input), Term::Int(by));
        binary(BinaryOp::Eq, rest, Term::Int(0))
    }

    #[test]
    fn divisors_multiply_where_they_have_nothing_in_common() {
        let facts = [fact(divides(N, 12)), fact(divides(N, -8))];
        let knowledge = Knowledge::derive(&facts).expect("24 is possible");
        assert_eq!(knowledge.get(N).map(|known| known.divisor), Some(24));
    }

    #[test]
    fn low_bits_that_are_zero_are_a_divisor() {
        // Mask bits above the contiguous low ones imply no divisor.
        for (mask, divisor) in [(15, 16), (0b1011, 4), (0b110, 1), (0, 1)] {
            let low = binary(BinaryOp::BitAnd, Term::Input(N), Term::Int(mask));
            let fact = fact(binary(BinaryOp::Eq, low, Term::Int(0)));
            let knowledge = Knowledge::derive(&[fact]).expect("possible");
            assert_eq!(
                knowledge.get(N).map(|known| known.divisor),
                Some(divisor),
                "{mask:#b}"
            );
        }
    }

    #[test]
    fn bounds_are_read_from_both_sides() {
        let below = binary(BinaryOp::Lt, Term::Input(N), Term::Int(100));
        let above = binary(BinaryOp::Lt, Term::Int(3), Term::Input(N));
        let knowledge =
            Knowledge::derive(&[fact(binary(BinaryOp::And, below, above))]).expect("possible");
        let known = knowledge.get(N).expect("two bounds");
        assert_eq!((known.lower, known.upper), (4, 99));
    }

    #[test]
    fn one_of_two_conditions_is_no_knowledge() {
        let either = binary(BinaryOp::Or, divides(N, 8), divides(N, 16));
        assert_eq!(Knowledge::derive(&[fact(either)]), Ok(Knowledge::default()));
    }

    #[test]
    fn what_equals_another_shares_what_is_known_of_it_before_and_after() {
        let (a, b, c) = (Input::Dim(0, 1), Input::Dim(1, 0), Input::Dim(2, 0));
        let equal = |a, b| binary(BinaryOp::Eq, Term::Input(a), Term::Input(b));
        let facts = [
            fact(divides(a, 8)),
            fact(equal(a, b)),
            fact(equal(c, b)),
            fact(binary(BinaryOp::Le, Term::Input(c), Term::Int(64))),
        ];
        let knowledge = Knowledge::derive(&facts).expect("possible");
        for input in [a, b, c] {
            let known = knowledge.get(input).expect("of all three");
            assert_eq!((known.divisor, known.upper), (8, 64));
            assert_eq!(known.equal, [a, b, c]);
        }
    }

    #[test]
    fn facts_that_cannot_hold_together_are_found() {
        let is = |number| fact(binary(BinaryOp::Eq, Term::Input(N), Term::Int(number)));
        assert_eq!(Knowledge::derive(&[is(4), is(4), is(5)]), Err(2));
        assert_eq!(Knowledge::derive(&[is(4), fact(divides(N, 8))]), Err(1));
        assert!(Knowledge::derive(&[is(16), fact(divides(N, 8))]).is_ok());
        let below = |number| fact(binary(BinaryOp::Lt, Term::Input(N), Term::Int(number)));
        let positive = || fact(binary(BinaryOp::Gt, Term::Input(N), Term::Int(0)));
        assert_eq!(
            Knowledge::derive(&[fact(divides(N, 8)), positive(), below(8)]),
            Err(2)
        );
        assert!(Knowledge::derive(&[fact(divides(N, 8)), positive(), below(9)]).is_ok());
    }

    #[test]
    fn a_cast_that_may_change_a_number_hides_it() {
        let cast = |to, input| Term::Cast(to, Box::new(Term::Input(input)));
        let is_learned = |term| {
            let fact = fact(binary(BinaryOp::Eq, term, Term::Int(5)));
            Knowledge::derive(&[fact]).expect("possible") != Knowledge::default()
        };
        assert!(is_learned(cast(HostScalar::I64, N)));
        assert!(!is_learned(cast(HostScalar::U64, N)));
        assert!(!is_learned(cast(HostScalar::I8, N)));
        assert!(is_learned(cast(HostScalar::I64, Input::Stride(0, 0))));
        assert!(!is_learned(cast(HostScalar::I32, Input::Stride(0, 0))));
    }
}
