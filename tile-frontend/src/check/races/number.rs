//! Integers of a kernel as polynomials over unknowns.
//!
//! A polynomial is an integer, not a word of fixed width. A value that may wrap around becomes an
//! [`Atom::Wrap`], whose polynomial is the value modulo `2^bits`; sums and products of such words
//! are computed from their polynomials. If a word is assumed not to wrap around because each launch
//! checks that, the number carries the check ([`Needs`]).

use crate::hir::LocalId;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// An unknown with one value wherever it occurs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// The block id along an axis.
    Block(usize),
    /// The number of blocks along an axis of the grid; at least 1.
    Grid(usize),
    /// A scalar argument.
    Param(LocalId),
    /// The extent of a tensor, by parameter and axis; at least 1.
    Extent(usize, usize),
    /// The number of tiles of a tensor, by parameter, axis and distance between tiles in elements;
    /// at least 1.
    Tiles(usize, usize, i64),
    /// The number of completed iterations of a loop, by the number of the loop.
    Trip(usize),
    /// Any number, the same in every block.
    Uniform(usize),
    /// Any number, possibly different in each block and iteration.
    Varying(usize),
    /// The quotient of two numbers, rounded towards zero.
    Div(Box<Number>, Box<Number>),
    /// The remainder of that division.
    Rem(Box<Number>, Box<Number>),
    /// The lesser of two numbers.
    Min(Box<Number>, Box<Number>),
    /// The greater of two numbers.
    Max(Box<Number>, Box<Number>),
    /// The word of this width and signedness that is congruent to the number modulo `2^bits`.
    Wrap(u32, bool, Box<Number>),
    /// A bitwise operation on two numbers in two's complement.
    Bits(BitOp, Box<Number>, Box<Number>),
    /// The second number if the first is 1, otherwise the third. The first number is a truth value
    /// that is the same in every block.
    Choice(Box<Number>, Box<Number>, Box<Number>),
}

/// A bitwise operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BitOp {
    And,
    Or,
    Xor,
    /// Arithmetic shift to the right by a constant.
    Shr,
}

impl BitOp {
    pub(super) fn apply(self, a: i128, b: i128) -> i128 {
        match self {
            BitOp::And => a & b,
            BitOp::Or => a | b,
            BitOp::Xor => a ^ b,
            BitOp::Shr => a >> b.clamp(0, 127),
        }
    }
}

/// Returns the word of `bits` bits that is congruent to a number modulo `2^bits`.
pub(super) fn word(value: i128, bits: u32, signed: bool) -> i128 {
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) != 0 {
        low - (1 << bits)
    } else {
        low
    }
}

/// Returns the least and greatest word of `bits` bits.
pub(super) fn words(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// A product of atoms, which are sorted.
type Monomial = Vec<Atom>;

/// The checks of a launch that a number relies on, by index in
/// [`Known::needs`](super::known::Known). All `Needs` compare equal, so that only the values of
/// numbers are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Claims about numbers that the atoms are computed from, such as a divisor.
    of_atoms: BTreeSet<usize>,
    /// Claims that sums and products among the intermediate results are words. Machine arithmetic is exact
    /// modulo `2^bits`, so these claims are not needed for a later sum that is itself a word.
    of_sums: BTreeSet<usize>,
}

impl Needs {
    fn all(&self) -> impl Iterator<Item = usize> {
        self.of_atoms.union(&self.of_sums).copied()
    }

    fn extend(&mut self, other: &Needs) {
        self.of_atoms.extend(&other.of_atoms);
        self.of_sums.extend(&other.of_sums);
    }
}

impl PartialEq for Needs {
    fn eq(&self, _: &Needs) -> bool {
        true
    }
}

impl Eq for Needs {}

impl PartialOrd for Needs {
    fn partial_cmp(&self, other: &Needs) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Needs {
    fn cmp(&self, _: &Needs) -> Ordering {
        Ordering::Equal
    }
}

/// A sum of products.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    terms: BTreeMap<Monomial, i128>,
    needs: Needs,
}

impl Atom {
    /// Returns `true` if the atom is known to be at least 1.
    pub(super) fn is_positive(&self) -> bool {
        matches!(self, Atom::Grid(_) | Atom::Extent(..) | Atom::Tiles(..))
    }

    /// Returns the numbers that the atom is computed from.
    pub(super) fn parts(&self) -> Vec<&Number> {
        match self {
            Atom::Div(a, b)
            | Atom::Rem(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Bits(_, a, b) => vec![a, b],
            Atom::Choice(cond, a, b) => vec![cond, a, b],
            Atom::Wrap(_, _, number) => vec![number],
            Atom::Block(_)
            | Atom::Grid(_)
            | Atom::Param(_)
            | Atom::Extent(..)
            | Atom::Tiles(..)
            | Atom::Trip(_)
            | Atom::Uniform(_)
            | Atom::Varying(_) => Vec::new(),
        }
    }

    /// Returns `true` if the atom is the same number in every block.
    pub(super) fn is_uniform(&self) -> bool {
        self.holds(&|atom| {
            matches!(
                atom,
                Atom::Grid(_)
                    | Atom::Param(_)
                    | Atom::Extent(..)
                    | Atom::Tiles(..)
                    | Atom::Uniform(_)
            )
        })
    }

    /// Returns `true` if everything that the atom is computed from has a property.
    pub(super) fn holds(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        property(self)
            || match self {
                Atom::Div(a, b)
                | Atom::Rem(a, b)
                | Atom::Min(a, b)
                | Atom::Max(a, b)
                | Atom::Choice(_, a, b)
                | Atom::Bits(_, a, b) => a.holds(property) && b.holds(property),
                Atom::Wrap(_, _, number) => number.holds(property),
                Atom::Block(_)
                | Atom::Grid(_)
                | Atom::Param(_)
                | Atom::Extent(..)
                | Atom::Tiles(..)
                | Atom::Trip(_)
                | Atom::Uniform(_)
                | Atom::Varying(_) => false,
            }
    }
}

impl Number {
    pub(super) fn constant(value: i128) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Self {
            terms,
            needs: Needs::default(),
        }
    }

    /// Returns an atom as a number that needs what its parts need.
    pub(super) fn atom(atom: Atom) -> Self {
        let mut needs = Needs::default();
        for part in atom.parts() {
            needs.of_atoms.extend(part.needs.all());
        }
        Self {
            terms: BTreeMap::from([(vec![atom], 1)]),
            needs,
        }
    }

    /// Adds a check to the needs.
    pub(super) fn needing(mut self, need: usize) -> Self {
        self.needs.of_atoms.insert(need);
        self
    }

    /// Adds the check that the number is a word.
    pub(super) fn fitting(mut self, need: usize) -> Self {
        self.needs.of_sums.insert(need);
        self
    }

    /// Makes every check permanent: later sums and products cannot drop any of them.
    pub(super) fn anchored(mut self) -> Self {
        let of_sums = std::mem::take(&mut self.needs.of_sums);
        self.needs.of_atoms.extend(of_sums);
        self
    }

    /// Keeps only those checks of sums among the intermediate results for which `matters` returns
    /// `true`.
    pub(super) fn settled(mut self, matters: impl Fn(usize) -> bool) -> Self {
        self.needs.of_sums.retain(|&need| matters(need));
        self
    }

    /// Adds the needs of another number.
    pub(super) fn needing_as(mut self, other: &Number) -> Self {
        self.needs.of_atoms.extend(other.needs.all());
        self
    }

    /// Adds the needs of an operand of the sum or product that yields this number.
    fn computed_from(mut self, other: &Number) -> Self {
        self.needs.extend(&other.needs);
        self
    }

    /// Returns the checks that the number relies on.
    pub(super) fn needs(&self) -> impl Iterator<Item = usize> {
        self.needs.all()
    }

    /// Calls `visit` with every atom that the number is computed from, including atoms inside of
    /// others.
    pub(super) fn each_atom(&self, visit: &mut impl FnMut(&Atom)) {
        for atom in self.terms.keys().flatten() {
            visit(atom);
            for part in atom.parts() {
                part.each_atom(visit);
            }
        }
    }

    /// Returns the number of terms and atoms, including those inside of others.
    pub(super) fn size(&self) -> usize {
        let mut size = self.terms.len();
        self.each_atom(&mut |_| size += 1);
        size
    }

    /// Returns the value, if it is constant.
    pub(super) fn value(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.terms
            .iter()
            .map(|(monomial, &factor)| (monomial, factor))
    }

    pub(super) fn holds(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        self.terms.keys().flatten().all(|atom| atom.holds(property))
    }

    pub(super) fn is_uniform(&self) -> bool {
        self.terms.keys().flatten().all(Atom::is_uniform)
    }

    fn insert(&mut self, monomial: Monomial, factor: i128) {
        let sum = self
            .terms
            .get(&monomial)
            .copied()
            .unwrap_or(0)
            .wrapping_add(factor);
        if sum == 0 {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }

    pub(super) fn plus(&self, other: &Number) -> Number {
        let mut sum = self.clone().computed_from(other);
        for (monomial, factor) in other.terms() {
            sum.insert(monomial.clone(), factor);
        }
        sum
    }

    pub(super) fn scaled(&self, by: i128) -> Number {
        self.times(&Number::constant(by))
    }

    pub(super) fn minus(&self, other: &Number) -> Number {
        self.plus(&other.scaled(-1))
    }

    pub(super) fn times(&self, other: &Number) -> Number {
        let mut product = Number::default().computed_from(self).computed_from(other);
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                let mut monomial: Monomial = left.iter().chain(right).cloned().collect();
                monomial.sort();
                product.insert(monomial, a.wrapping_mul(b));
            }
        }
        product
    }

    /// Replaces atoms by numbers.
    pub(super) fn replaced(&self, by: &impl Fn(&Atom) -> Option<Number>) -> Number {
        let mut sum = Number::default().computed_from(self);
        for (monomial, factor) in self.terms() {
            let mut product = Number::constant(factor);
            for atom in monomial {
                let number = by(atom).unwrap_or_else(|| Number::atom(atom.clone()));
                product = product.times(&number);
            }
            sum = sum.plus(&product);
        }
        sum
    }

    /// Returns a simpler number with the same low `bits` bits.
    pub(super) fn low(&self, bits: u32) -> Number {
        let inner = self.replaced(&|atom| match atom {
            Atom::Wrap(wrap_bits, _, number) if *wrap_bits >= bits => Some(number.low(bits)),
            _ => None,
        });
        let mut reduced = Number::default().computed_from(&inner);
        for (monomial, factor) in inner.terms() {
            reduced.insert(monomial.clone(), word(factor, bits, true));
        }
        reduced
    }

    /// Returns the width and the number of a word that wraps around, if the number is such a word.
    pub(super) fn as_wrap(&self) -> Option<(u32, &Number)> {
        match self.as_atom()? {
            Atom::Wrap(bits, _, number) => Some((*bits, number)),
            _ => None,
        }
    }

    /// Returns the atom, if the number is a single atom.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (Some((monomial, 1)), None) => match &monomial[..] {
                [atom] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the condition of a choice in the number.
    pub(super) fn choice(&self) -> Option<Number> {
        self.terms.keys().flatten().find_map(|atom| match atom {
            Atom::Choice(cond, ..) => Some((**cond).clone()),
            Atom::Div(a, b)
            | Atom::Rem(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Bits(_, a, b) => a.choice().or_else(|| b.choice()),
            Atom::Wrap(_, _, number) => number.choice(),
            Atom::Block(_)
            | Atom::Grid(_)
            | Atom::Param(_)
            | Atom::Extent(..)
            | Atom::Tiles(..)
            | Atom::Trip(_)
            | Atom::Uniform(_)
            | Atom::Varying(_) => None,
        })
    }

    /// Returns the number under the assumption that the condition of its choices is `holds`.
    pub(super) fn chosen(&self, cond: &Number, holds: bool) -> Number {
        let both = |a: &Number, b: &Number| {
            (
                Box::new(a.chosen(cond, holds)),
                Box::new(b.chosen(cond, holds)),
            )
        };
        self.replaced(&|atom| {
            Some(match atom {
                Atom::Choice(choice_cond, yes, no) if **choice_cond == *cond => {
                    return Some(if holds { yes } else { no }.chosen(cond, holds));
                }
                Atom::Choice(choice_cond, a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Choice(choice_cond.clone(), a, b))
                }
                Atom::Div(a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Div(a, b))
                }
                Atom::Rem(a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Rem(a, b))
                }
                Atom::Min(a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Min(a, b))
                }
                Atom::Max(a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Max(a, b))
                }
                Atom::Bits(op, a, b) => {
                    let (a, b) = both(a, b);
                    Number::atom(Atom::Bits(*op, a, b))
                }
                Atom::Wrap(bits, signed, number) => {
                    let number = Box::new(number.chosen(cond, holds));
                    Number::atom(Atom::Wrap(*bits, *signed, number))
                }
                Atom::Block(_)
                | Atom::Grid(_)
                | Atom::Param(_)
                | Atom::Extent(..)
                | Atom::Tiles(..)
                | Atom::Trip(_)
                | Atom::Uniform(_)
                | Atom::Varying(_) => return None,
            })
        })
    }

    /// Returns `true` if the constant factor of every product is a multiple of `unit`.
    pub(super) fn has_factor(&self, unit: i128) -> bool {
        self.terms.values().all(|factor| factor % unit == 0)
    }

    /// Adds one product.
    pub(super) fn with(&self, monomial: &[Atom], factor: i128) -> Number {
        let mut sum = self.clone();
        sum.insert(monomial.to_vec(), factor);
        sum
    }

    /// Returns the quotient by `unit`, if the number is a multiple of it and the quotient is known
    /// not to be 0.
    fn multiple_of(&self, unit: &Number) -> Option<Number> {
        if let (Some(value), Some(unit)) = (self.value(), unit.value()) {
            let whole = unit != 0 && value != 0 && value % unit == 0;
            return whole.then(|| Number::constant(value / unit));
        }
        let (head, factor) = unit.terms().next()?;
        let (own_monomial, own_factor) = self.terms().next()?;
        if factor == 0 || own_factor % factor != 0 {
            return None;
        }
        // The atoms of the first quotient must be those of every other quotient.
        let mut rest = own_monomial.clone();
        for atom in head {
            let index = rest.iter().position(|own_monomial| own_monomial == atom)?;
            rest.remove(index);
        }
        if !rest.iter().all(Atom::is_positive) {
            return None;
        }
        let quotient = Number::default().with(&rest, own_factor / factor);
        (quotient.times(unit) == *self).then_some(quotient)
    }

    /// Returns `true` if the number is known to be a multiple of `unit`, with a quotient other than
    /// 0.
    pub(super) fn is_multiple_of(&self, unit: &Number) -> bool {
        self.multiple_of(unit).is_some()
    }

    /// Returns `true` if the magnitude is known to be at least that of `width`.
    pub(super) fn reaches(&self, width: &Number) -> bool {
        match (self.value(), width.value()) {
            (Some(value), Some(width)) => value.abs() >= width.abs(),
            // The number must be one product of numbers that are at least 1.
            (None, Some(width)) => {
                let mut terms = self.terms();
                let (first, more) = (terms.next(), terms.next());
                more.is_none()
                    && first.is_some_and(|(monomial, factor)| {
                        monomial.iter().all(Atom::is_positive) && factor.abs() >= width.abs()
                    })
                    || self.is_multiple_of(&Number::constant(width))
            }
            _ => self.is_multiple_of(width),
        }
    }
}
