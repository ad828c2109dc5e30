//! Integers of a kernel as polynomials over what is not known.
//!
//! Arithmetic is exact: a kernel whose indices wrap around is not looked at.

use crate::hir::LocalId;
use std::collections::BTreeMap;

/// Something that is not known, the same number wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// The position of the block along an axis.
    Block(usize),
    /// The extent of the grid along an axis; at least 1.
    Grid(usize),
    /// A number that was passed.
    Param(LocalId),
    /// The extent of a tensor, by number of the parameter; at least 1.
    Extent(usize, usize),
    /// How many tiles so far apart a tensor has along an axis; at least 1.
    Tiles(usize, usize, i64),
    /// The iterations of a loop so far, by number of the loop.
    Trip(usize),
    /// Any number, the same in every block.
    Uniform(usize),
    /// Any number, another in every block and iteration.
    Varying(usize),
    /// Quotient of two numbers, rounded down.
    Div(Box<Number>, Box<Number>),
    /// What that leaves.
    Rem(Box<Number>, Box<Number>),
    /// The lesser.
    Min(Box<Number>, Box<Number>),
    /// The greater.
    Max(Box<Number>, Box<Number>),
}

/// A product of atoms, sorted.
type Monomial = Vec<Atom>;

/// A sum of products.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number(BTreeMap<Monomial, i128>);

impl Atom {
    /// Whether it is known to be 1 or more.
    fn is_positive(&self) -> bool {
        matches!(self, Atom::Grid(_) | Atom::Extent(..) | Atom::Tiles(..))
    }

    /// Whether it is the same number in every block.
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

    /// Whether everything that it is computed from has a property.
    pub(super) fn holds(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        property(self)
            || match self {
                Atom::Div(a, b) | Atom::Rem(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                    a.holds(property) && b.holds(property)
                }
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
        Self(terms)
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self(BTreeMap::from([(vec![atom], 1)]))
    }

    /// Its value, if it is known.
    pub(super) fn value(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(monomial, &factor)| (monomial, factor))
    }

    pub(super) fn holds(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        self.0.keys().flatten().all(|atom| atom.holds(property))
    }

    pub(super) fn is_uniform(&self) -> bool {
        self.0.keys().flatten().all(Atom::is_uniform)
    }

    fn insert(&mut self, monomial: Monomial, factor: i128) {
        let sum = self
            .0
            .get(&monomial)
            .copied()
            .unwrap_or(0)
            .saturating_add(factor);
        if sum == 0 {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
    }

    pub(super) fn plus(&self, other: &Number) -> Number {
        let mut sum = self.clone();
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
        let mut product = Number::default();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                let mut monomial: Monomial = left.iter().chain(right).cloned().collect();
                monomial.sort();
                product.insert(monomial, a.saturating_mul(b));
            }
        }
        product
    }

    /// Adds one product.
    pub(super) fn with(&self, monomial: &[Atom], factor: i128) -> Number {
        let mut sum = self.clone();
        sum.insert(monomial.to_vec(), factor);
        sum
    }

    /// A multiple of `unit` whose factor is known not to be 0: how many times.
    fn multiple_of(&self, unit: &Number) -> Option<Number> {
        if let (Some(value), Some(unit)) = (self.value(), unit.value()) {
            let whole = unit != 0 && value != 0 && value % unit == 0;
            return whole.then(|| Number::constant(value / unit));
        }
        let (head, factor) = unit.terms().next()?;
        let (own, own_factor) = self.terms().next()?;
        if factor == 0 || own_factor % factor != 0 {
            return None;
        }
        // What the first products differ in must be what all differ in.
        let mut rest = own.clone();
        for atom in head {
            let at = rest.iter().position(|own| own == atom)?;
            rest.remove(at);
        }
        if !rest.iter().all(Atom::is_positive) {
            return None;
        }
        let quotient = Number::default().with(&rest, own_factor / factor);
        (quotient.times(unit) == *self).then_some(quotient)
    }

    /// Whether it is known to be a multiple of `unit`, other than 0.
    pub(super) fn is_multiple_of(&self, unit: &Number) -> bool {
        self.multiple_of(unit).is_some()
    }

    /// Whether its magnitude is known to be at least that of `width`.
    pub(super) fn reaches(&self, width: &Number) -> bool {
        match (self.value(), width.value()) {
            (Some(value), Some(width)) => value.abs() >= width.abs(),
            // One product of numbers that are at least 1.
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
