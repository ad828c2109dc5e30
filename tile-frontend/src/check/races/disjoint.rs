//! Decides whether two stores of different blocks can meet.
//!
//! A store covers a box of elements. Two boxes meet only if they meet along every axis. Along an
//! axis, the difference of their starts is a sum of multiples of the values that differ between the
//! blocks, and it is small if the boxes meet:
//!
//! ```text
//! | κ₁·Δ₁ + κ₂·Δ₂ + .. | < width
//! ```
//!
//! If `κ₁` is at least the width, `κ₂` at least the greatest `κ₁·Δ₁` plus the width, and so on,
//! every `Δ` is 0: the values are the digits of a number, and each is determined. A determined
//! value is the same in both blocks, which the equations of other axes can use. If the block ids
//! are among the determined values, the two blocks are the same block.
//!
//! If all `κ` and all `Δ` have known bounds, the equation is solved instead
//! ([`solve`](super::solve)), modulo `2^bits` if an index wraps around. If the grid is small and
//! nothing else is unknown, all blocks are compared ([`enumerate`]).

use super::enumerate;
use super::known::{Known, Launch};
use super::needs::{Need, program};
use super::number::{Atom, BitOp, Number};
use super::solve::{Term, may_differ};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::reach::Claim;

/// Maximum number of choices for which two stores are compared once per combination of outcomes.
const MAX_CHOICES: usize = 5;

/// The elements that a store covers along an axis of the tensor.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// The index; `None` if nothing is known.
    pub(super) start: Option<Number>,
    /// The number of elements between consecutive indices.
    pub(super) step: i64,
    pub(super) len: i64,
}

impl Span {
    /// Returns a span about which nothing is known.
    pub(super) fn anywhere() -> Self {
        Span {
            start: None,
            step: 1,
            len: 1,
        }
    }
}

/// The elements that a block stores to.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The spans by axis of the tensor.
    pub(super) spans: Vec<Span>,
    /// Axes along which the block id has a known value.
    pub(super) fixed: BTreeMap<usize, Number>,
    /// Conditions with the same value in every block, and their value here.
    pub(super) under: BTreeMap<Number, bool>,
    /// The enclosing parallel loops, outermost first.
    pub(super) points: Vec<usize>,
    /// The enclosing loops.
    pub(super) around: Vec<usize>,
}

impl Place {
    /// Returns the place with only the span along one axis of the tensor known.
    pub(super) fn along(&self, axis: usize) -> Place {
        let mut place = self.clone();
        for (other, span) in place.spans.iter_mut().enumerate() {
            if other != axis {
                span.start = None;
            }
        }
        place
    }

    /// Returns the place under the assumption that `cond` is `holds`; `None` if the block then
    /// stores nothing.
    fn chosen(&self, cond: &Number, holds: bool) -> Option<Place> {
        if self
            .under
            .get(cond)
            .is_some_and(|&known_choice| known_choice != holds)
        {
            return None;
        }
        let mut place = self.clone();
        for span in &mut place.spans {
            span.start = span.start.as_ref().map(|it| it.chosen(cond, holds));
        }
        Some(place)
    }
}

/// A value that may differ between the blocks, in a difference of starts.
struct Digit {
    factor: Number,
    /// The atom that is determined if the digit is; `None` if the digit is not a single atom.
    atom: Option<Atom>,
    /// An exclusive upper bound.
    below: Option<Number>,
    /// The least and greatest difference, if known.
    bounds: Option<(i128, i128)>,
}

/// `low <= start - other <= high`, possibly modulo a number.
#[derive(Clone, PartialEq)]
struct Equation {
    start: Number,
    other: Number,
    low: i128,
    high: i128,
    modulus: Option<i128>,
}

impl Equation {
    fn between(one: &Span, other: &Span) -> Option<Equation> {
        let (start, other_start) = (one.start.as_ref()?, other.start.as_ref()?);
        let (wrap, other_wrap) = (start.as_wrap(), other_start.as_wrap());
        let bits = [&wrap, &other_wrap]
            .into_iter()
            .flatten()
            .map(|(bits, _)| *bits)
            .min();
        let (step, other_step) = (i128::from(one.step), i128::from(other.step));
        Some(Equation {
            start: wrap.map_or(start, |(_, number)| number).scaled(step),
            other: other_wrap
                .map_or(other_start, |(_, number)| number)
                .scaled(other_step),
            low: 1 - i128::from(one.len),
            high: i128::from(other.len) - 1,
            modulus: bits.map(|bits| divisor(step, other_step) << bits),
        })
    }

    /// Returns the equation that a number is the same in both blocks, possibly modulo `2^bits`.
    fn same(number: &Number, bits: Option<u32>) -> Equation {
        Equation {
            start: number.clone(),
            other: number.clone(),
            low: 0,
            high: 0,
            modulus: bits.map(|bits| 1 << bits),
        }
    }
}

/// Returns the greatest common divisor.
pub(super) fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.abs()
    } else {
        divisor(b, a.wrapping_rem(b))
    }
}

/// Returns the index of the first of `block_ids` that may differ although both stores meet.
pub(super) fn meet(
    first: &Place,
    second: &Place,
    block_ids: &[Atom],
    known: &Known,
) -> Option<usize> {
    under_choices(first, second, block_ids, known, MAX_CHOICES)
}

/// Computes [`meet`] for each outcome of the choices in the indices. A choice has the same outcome
/// in every block.
fn under_choices(
    first: &Place,
    second: &Place,
    block_ids: &[Atom],
    known: &Known,
    left: usize,
) -> Option<usize> {
    let excluded = |(cond, holds): (&Number, &bool)| {
        second.under.get(cond).is_some_and(|other| other != holds)
    };
    if first.under.iter().any(excluded) {
        return None;
    }
    let choice = [first, second]
        .into_iter()
        .flat_map(|place| &place.spans)
        .find_map(|span| span.start.as_ref()?.choice());
    match choice {
        Some(cond) if left > 0 => [true, false].into_iter().find_map(|holds| {
            let first = first.chosen(&cond, holds)?;
            let second = second.chosen(&cond, holds)?;
            under_choices(&first, &second, block_ids, known, left - 1)
        }),
        _ => meet_as_chosen(first, second, block_ids, known),
    }
}

fn meet_as_chosen(
    first: &Place,
    second: &Place,
    block_ids: &[Atom],
    known: &Known,
) -> Option<usize> {
    let mut same: BTreeSet<Atom> = BTreeSet::new();
    for (axis, value) in &first.fixed {
        if second.fixed.get(axis) == Some(value) {
            same.insert(Atom::Block(*axis));
        }
    }
    let mut equations: Vec<Equation> = Vec::new();
    for (one, other) in first.spans.iter().zip(&second.spans) {
        // Elements before the start of the tensor are not stored.
        let outside = |span: &Span| {
            let bounds = known.bounds(span.start.as_ref()?, Launch::Anything);
            Some(bounds?.1 < 0 && span.len <= span.step)
        };
        if outside(one) == Some(true) || outside(other) == Some(true) {
            return None;
        }
        let Some(mut equation) = Equation::between(one, other) else {
            continue;
        };
        if equation.modulus.is_none() && apart(&equation, known) {
            return None;
        }
        (equation.start, equation.other) =
            aligned((&equation.start, first), (&equation.other, second));
        equations.push(equation);
    }
    loop {
        let fixed_count = same.len();
        for equation in &equations {
            decode(equation, known, &mut same);
        }
        divided(&mut equations, &same);
        if same.len() == fixed_count {
            break;
        }
    }
    let differs = block_ids.iter().position(|atom| !same.contains(atom))?;
    match enumerate::meet(first, second, block_ids, known) {
        Some(fixed_count) => fixed_count,
        None => Some(differs),
    }
}

/// Returns both starts in a common form: Where a block id has a known value, a start is rewritten
/// with the terms of the other store: `0` becomes `64 * block_id` if that block id is 0.
fn aligned(one: (&Number, &Place), other: (&Number, &Place)) -> (Number, Number) {
    let adjusted = |(start, place): (&Number, &Place), model: &Number| {
        let mut start = start.clone();
        for (&axis, value) in &place.fixed {
            let atom = [Atom::Block(axis)];
            let factor = |number: &Number| {
                number
                    .terms()
                    .find(|(monomial, _)| monomial[..] == atom)
                    .map_or(0, |(_, factor)| factor)
            };
            let missing = factor(model) - factor(&start);
            let position = Number::atom(Atom::Block(axis)).minus(value);
            start = start.plus(&position.scaled(missing));
        }
        start
    };
    let first = adjusted(one, other.0);
    let second = adjusted(other, &first);
    (first, second)
}

/// Returns `true` if the two starts are always too far apart for the stores to meet.
fn apart(equation: &Equation, known: &Known) -> bool {
    let (least, greatest) = bounds(&equation.start, known);
    let (other_least, other_greatest) = bounds(&equation.other, known);
    let above = |one: Option<i128>, other: Option<i128>, gap: i128| match (one, other) {
        (Some(least), Some(greatest)) => least.saturating_sub(greatest) > gap,
        _ => false,
    };
    above(least, other_greatest, equation.high) || above(other_least, greatest, -equation.low)
}

/// Returns the least and greatest value, where known.
fn bounds(number: &Number, known: &Known) -> (Option<i128>, Option<i128>) {
    if let Some((least, greatest)) = known.bounds(number, Launch::Anything) {
        return (Some(least), Some(greatest));
    }
    let (mut least, mut greatest) = (Some(0_i128), Some(0_i128));
    for (monomial, factor) in number.terms() {
        if monomial.is_empty() {
            least = least.map(|least| least + factor);
            greatest = greatest.map(|greatest| greatest + factor);
            continue;
        }
        let natural = monomial.iter().all(|atom| {
            matches!(
                atom,
                Atom::Block(_) | Atom::Grid(_) | Atom::Extent(..) | Atom::Tiles(..) | Atom::Trip(_)
            )
        });
        let known = |bound: Option<i128>, kept: bool| bound.filter(|_| kept && natural);
        least = known(least, factor > 0);
        greatest = known(greatest, factor < 0);
    }
    (least, greatest)
}

/// Adds to `same` the atoms that must be equal in both blocks if an equation holds.
fn decode(equation: &Equation, known: &Known, same: &mut BTreeSet<Atom>) {
    let Some((digits, gap)) = difference(&equation.start, &equation.other, known, same) else {
        return;
    };
    let (low, high) = (equation.low - gap, equation.high - gap);
    let terms: Option<Vec<Term>> = digits
        .iter()
        .map(|digit| {
            Some(Term {
                factor: digit.factor.value()?,
                bounds: digit.bounds,
            })
        })
        .collect();
    if let Some(terms) = terms {
        for (index, digit) in digits.iter().enumerate() {
            if let Some(atom) = &digit.atom
                && !may_differ(&terms, index, (low, high), equation.modulus)
            {
                same.insert(atom.clone());
            }
        }
    }
    read_digits(digits, low.abs().max(high.abs()) + 1, equation, known, same);
}

/// Adds to `same` the digits that are determined by a difference of less than `width`.
fn read_digits(
    mut digits: Vec<Digit>,
    width: i128,
    equation: &Equation,
    known: &Known,
    same: &mut BTreeSet<Atom>,
) {
    let mut width = Some(Number::constant(width));
    let mut read: Vec<Atom> = Vec::new();
    while let Some(low) = width.clone() {
        let reaching = digits
            .iter()
            .enumerate()
            .filter(|(_, digit)| digit.factor.reaches(&low));
        // If there are several candidates, take the one of which all others are multiples.
        let next = reaching
            .clone()
            .find(|(_, digit)| {
                reaching
                    .clone()
                    .all(|(_, more)| more.factor.reaches(&digit.factor))
            })
            .map(|(index, _)| index);
        let Some(index) = next else {
            break;
        };
        let digit = digits.swap_remove(index);
        width = digit.below.as_ref().map(|below| {
            match (digit.factor.value(), below.value(), low.value()) {
                (Some(factor), Some(below), Some(low)) => {
                    Number::constant(factor.abs() * (below - 1).max(0) + low)
                }
                _ => digit.factor.times(below),
            }
        });
        read.extend(digit.atom);
    }
    let whole = match (&width, equation.modulus) {
        (Some(width), None) => digits
            .iter()
            .all(|digit| digit.factor.is_multiple_of(width)),
        (None, None) => digits.is_empty(),
        // The width must not exceed the modulus at which the index wraps around.
        (Some(width), Some(modulus)) => digits.is_empty() && is_within(width, modulus, known),
        (None, Some(_)) => false,
    };
    if whole {
        same.extend(read);
    }
}

/// Returns `true` if a number is at most a modulus. If that is unknown, each launch checks it.
fn is_within(width: &Number, modulus: i128, known: &Known) -> bool {
    let within = |launch: Launch| {
        known
            .bounds(width, launch)
            .is_some_and(|(low, high)| -modulus <= low && high <= modulus)
    };
    if within(Launch::Anything) {
        return true;
    }
    let checked = known.launch == Launch::Small
        && within(Launch::Small)
        && program(width, 64, known).is_some();
    if checked {
        known.widths.borrow_mut().push(Need {
            number: width.clone(),
            claim: Claim::Fits {
                bits: modulus.ilog2() + 1,
                signed: true,
            },
            guards: Vec::new(),
        });
    }
    checked
}

/// Returns the digits of the difference of two starts, and its constant part.
fn difference(
    start: &Number,
    other: &Number,
    known: &Known,
    same: &BTreeSet<Atom>,
) -> Option<(Vec<Digit>, i128)> {
    let (own_terms, own_rest) = split(start, same)?;
    let (others, other_rest) = split(other, same)?;
    let gap = own_rest.minus(&other_rest).value()?;
    let mut digits = Vec::new();
    let mut unmatched: Vec<(Atom, Number)> = Vec::new();
    let mut left = others;
    for (atom, factor) in own_terms {
        match left.remove(&atom) {
            Some(other) if other == factor => {
                let below = below(&atom, known);
                digits.push(Digit {
                    bounds: either_way(known, &atom, below.as_ref()),
                    factor,
                    below,
                    atom: Some(atom),
                });
            }
            Some(other) => {
                left.insert(atom.clone(), other);
                unmatched.push((atom, factor));
            }
            None => unmatched.push((atom, factor)),
        }
    }
    // The iterations of two loops form one digit if they have the same factor.
    for (atom, factor) in unmatched {
        let partner = left
            .iter()
            .find(|(_, other)| **other == factor)
            .map(|(atom, _)| atom.clone());
        let mut most = below(&atom, known);
        let mut bounds = known.bounds(&Number::atom(atom.clone()), Launch::Anything);
        if let Some(partner) = partner {
            left.remove(&partner);
            most = most.filter(|most| below(&partner, known).as_ref() == Some(most));
            let other = known.bounds(&Number::atom(partner), Launch::Anything);
            bounds = bounds
                .zip(other)
                .map(|((low, high), (least, greatest))| (low - greatest, high - least));
        }
        digits.push(Digit {
            factor,
            atom: None,
            below: most,
            bounds,
        });
    }
    for (atom, factor) in left {
        let bounds = known.bounds(&Number::atom(atom.clone()), Launch::Anything);
        digits.push(Digit {
            factor: factor.scaled(-1),
            below: below(&atom, known),
            atom: None,
            bounds,
        });
    }
    Some((digits, gap))
}

/// Returns the range of the difference of two values of an atom.
fn either_way(known: &Known, atom: &Atom, below: Option<&Number>) -> Option<(i128, i128)> {
    let bounds = known.bounds(&Number::atom(atom.clone()), Launch::Anything);
    let distance = bounds.map(|(low, high)| high.saturating_sub(low));
    let below = below
        .and_then(|below| known.bounds(below, Launch::Anything))
        .map(|(_, high)| (high - 1).max(0));
    let distance = distance.into_iter().chain(below).min()?;
    Some((-distance, distance))
}

/// Returns the factor of each atom that may differ, and the rest; `None` for a product of two such
/// atoms.
fn split(number: &Number, same: &BTreeSet<Atom>) -> Option<(BTreeMap<Atom, Number>, Number)> {
    let settled = |atom: &Atom| atom.is_uniform() || is_same(atom, same);
    let mut varying: BTreeMap<Atom, Number> = BTreeMap::new();
    let mut rest = Number::default();
    for (monomial, factor) in number.terms() {
        let mut differing = monomial.iter().filter(|atom| !settled(atom));
        match (differing.next(), differing.next()) {
            (None, _) => rest = rest.with(monomial, factor),
            (Some(atom), None) => {
                let others: Vec<Atom> = monomial.iter().filter(|it| settled(it)).cloned().collect();
                let sum = varying.entry(atom.clone()).or_default();
                *sum = sum.with(&others, factor);
            }
            (Some(_), Some(_)) => return None,
        }
    }
    Some((varying, rest))
}

fn is_same(atom: &Atom, same: &BTreeSet<Atom>) -> bool {
    atom.holds(&|atom| same.contains(atom) || atom.is_uniform())
}

/// Returns an exclusive upper bound of an atom that is the same in every block. A digit may start
/// at 0 or at any other number, since only differences matter.
fn below(atom: &Atom, known: &Known) -> Option<Number> {
    match atom {
        Atom::Block(axis) => Some(Number::atom(Atom::Grid(*axis))),
        Atom::Trip(number) => known.trips[*number].clone(),
        // Remainders have the sign of the dividend.
        Atom::Rem(number, by) => {
            // If only an upper bound is known, the number may be far below 0.
            let is_bounded =
                by.is_uniform() || known.is_natural(by) || known.positive.contains(&**by);
            let most = upper_bound(by).filter(|_| is_bounded)?;
            let signs = if known.is_natural(number) { 1 } else { 2 };
            Some(most.scaled(signs))
        }
        Atom::Wrap(bits, ..) => Some(Number::constant(1 << bits)),
        Atom::Div(number, by) if known.is_natural(number) => {
            let by = by.value().filter(|&by| by > 0)?;
            let mut terms = number.terms();
            let (Some((monomial, 1)), None) = (terms.next(), terms.next()) else {
                return None;
            };
            let [one] = &monomial[..] else {
                return None;
            };
            let most = below(one, known)?.value()?;
            Some(Number::constant((most - 1).div_euclid(by) + 1))
        }
        Atom::Grid(_)
        | Atom::Param(_)
        | Atom::Extent(..)
        | Atom::Tiles(..)
        | Atom::Uniform(_)
        | Atom::Varying(_)
        | Atom::Div(..)
        | Atom::Bits(..)
        | Atom::Choice(..)
        | Atom::Min(..)
        | Atom::Max(..) => None,
    }
}

/// Returns an upper bound of a number that is the same in every block.
pub(super) fn upper_bound(number: &Number) -> Option<Number> {
    if number.is_uniform() {
        return Some(number.clone());
    }
    let mut terms = number.terms();
    match (terms.next(), terms.next()) {
        (Some((monomial, 1)), None) => match &monomial[..] {
            [Atom::Min(a, b)] => upper_bound(a).or_else(|| upper_bound(b)),
            _ => None,
        },
        _ => None,
    }
}

/// Adds the equations that follow from equal atoms. A number is the same in both blocks if its
/// quotient and remainder are, or if its exclusive or with a constant is. A word that wraps around
/// determines its number modulo `2^bits`.
fn divided(equations: &mut Vec<Equation>, same: &BTreeSet<Atom>) {
    let mut quotients = Vec::new();
    for atom in same {
        match atom {
            Atom::Div(number, by)
                if same.contains(&Atom::Rem(number.clone(), by.clone()))
                    && by.holds(&|atom| same.contains(atom) || atom.is_uniform()) =>
            {
                quotients.push(Equation::same(number, None));
            }
            Atom::Bits(BitOp::Xor, number, with) if with.is_uniform() => {
                quotients.push(Equation::same(number, None));
            }
            Atom::Wrap(bits, _, number) => quotients.push(Equation::same(number, Some(*bits))),
            _ => {}
        }
    }
    for mut equation in quotients {
        // The number may itself be a word that wraps around.
        if equation.modulus.is_none()
            && let Some((bits, number)) = equation.start.as_wrap()
        {
            equation = Equation::same(&number.clone(), Some(bits));
        }
        if !equations.contains(&equation) {
            equations.push(equation);
        }
    }
}
