//! Whether two stores of different blocks can meet.
//!
//! A store covers a box of elements. Where two boxes meet, they meet along every
//! axis. There, the difference of their starts is a sum of multiples of what
//! differs between the blocks, and small:
//!
//! ```text
//! | κ₁·Δ₁ + κ₂·Δ₂ + .. | < width
//! ```
//!
//! If `κ₁` reaches the width, and `κ₂` reaches what `κ₁·Δ₁` and the width make
//! together, and so on, every `Δ` is 0: the numbers are the digits of a number,
//! and have one value each. What has one value is the same in both blocks, which
//! other axes can build on. The blocks are one if their positions are among it.

use super::number::{Atom, Number};
use std::collections::{BTreeMap, BTreeSet};

/// Elements that a store covers along an axis of the tensor.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// The first; `None` where nothing is known.
    pub(super) start: Option<Number>,
    pub(super) len: i64,
}

/// Where a block stores.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// By axis of the tensor.
    pub(super) spans: Vec<Span>,
    /// Axes along which the position of the block is one number.
    pub(super) fixed: BTreeMap<usize, Number>,
    /// The loops around it whose iterations run at the same time, outermost first.
    pub(super) points: Vec<usize>,
}

/// What is known of loops.
#[derive(Debug, Default)]
pub(super) struct Trips {
    /// What the number of iterations does not exceed, the same in every block.
    pub(super) most: Vec<Option<Number>>,
}

/// A number that may differ between the blocks, in a difference of starts.
struct Digit {
    factor: Number,
    /// What has one value if the digit has; `None` if the digit is no one thing.
    atom: Option<Atom>,
    /// What it is below.
    below: Option<Number>,
}

/// The first of the positions that may differ although both stores meet.
pub(super) fn meet(
    first: &Place,
    second: &Place,
    positions: &[Atom],
    trips: &Trips,
) -> Option<usize> {
    let mut same: BTreeSet<Atom> = BTreeSet::new();
    for (axis, value) in &first.fixed {
        if second.fixed.get(axis) == Some(value) {
            same.insert(Atom::Block(*axis));
        }
    }
    let mut equations: Vec<(Number, Number, i128)> = Vec::new();
    for (one, other) in first.spans.iter().zip(&second.spans) {
        if let (Some(start), Some(other_start)) = (&one.start, &other.start) {
            if apart((start, one.len), (other_start, other.len)) {
                return None;
            }
            let (start, other_start) = aligned((start, first), (other_start, second));
            equations.push((start, other_start, i128::from(one.len.max(other.len))));
        }
    }
    loop {
        let known = same.len();
        for (start, other, width) in &equations {
            decode(start, other, *width, trips, &mut same);
        }
        divided(&mut equations, &same);
        if same.len() == known {
            break;
        }
    }
    positions.iter().position(|atom| !same.contains(atom))
}

/// Both starts, with the position of a block that is one number written in the
/// way of the other store: `0` is `64 * block_id` where that is 0.
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

/// Whether ranges of numbers never meet.
fn apart((start, len): (&Number, i64), (other, other_len): (&Number, i64)) -> bool {
    let ends_before = |one: Option<i128>, len: i64, least: Option<i128>| match (one, least) {
        (Some(greatest), Some(least)) => greatest + i128::from(len) <= least,
        _ => false,
    };
    let (least, greatest) = bounds(start);
    let (other_least, other_greatest) = bounds(other);
    ends_before(greatest, len, other_least) || ends_before(other_greatest, other_len, least)
}

/// The least and greatest value, as far as they are known.
fn bounds(number: &Number) -> (Option<i128>, Option<i128>) {
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

/// Finds what must be the same where `start` and `other` are less than `width`
/// apart.
fn decode(start: &Number, other: &Number, width: i128, trips: &Trips, same: &mut BTreeSet<Atom>) {
    let Some((mut digits, gap)) = difference(start, other, trips, same) else {
        return;
    };
    let mut width = Some(Number::constant(width + gap.abs()));
    let mut read: Vec<Atom> = Vec::new();
    while let Some(low) = width.clone() {
        let reaching = digits
            .iter()
            .enumerate()
            .filter(|(_, digit)| digit.factor.reaches(&low));
        // Of several, the one that the others are multiples of.
        let next = reaching
            .clone()
            .find(|(_, digit)| {
                reaching
                    .clone()
                    .all(|(_, more)| more.factor.reaches(&digit.factor))
            })
            .map(|(at, _)| at);
        let Some(at) = next else {
            break;
        };
        let digit = digits.swap_remove(at);
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
    let whole = match &width {
        Some(width) => digits
            .iter()
            .all(|digit| digit.factor.is_multiple_of(width)),
        None => digits.is_empty(),
    };
    if whole {
        same.extend(read);
    }
}

/// The digits of the difference of two starts, and the number that they always
/// differ by.
fn difference(
    start: &Number,
    other: &Number,
    trips: &Trips,
    same: &BTreeSet<Atom>,
) -> Option<(Vec<Digit>, i128)> {
    let (own, own_rest) = split(start, same)?;
    let (others, other_rest) = split(other, same)?;
    let gap = own_rest.minus(&other_rest).value()?;
    let mut digits = Vec::new();
    let mut unmatched: Vec<(Atom, Number)> = Vec::new();
    let mut left = others;
    for (atom, factor) in own {
        match left.remove(&atom) {
            Some(other) if other == factor => digits.push(Digit {
                factor,
                below: below(&atom, trips),
                atom: Some(atom),
            }),
            Some(other) => {
                left.insert(atom.clone(), other);
                unmatched.push((atom, factor));
            }
            None => unmatched.push((atom, factor)),
        }
    }
    // Iterations of two loops are one digit where they count for the same.
    for (atom, factor) in unmatched {
        let partner = left
            .iter()
            .find(|(_, other)| **other == factor)
            .map(|(atom, _)| atom.clone());
        let mut most = below(&atom, trips);
        if let Some(partner) = partner {
            left.remove(&partner);
            most = most.filter(|most| below(&partner, trips).as_ref() == Some(most));
        }
        digits.push(Digit {
            factor,
            atom: None,
            below: most,
        });
    }
    for (atom, factor) in left {
        digits.push(Digit {
            factor,
            below: below(&atom, trips),
            atom: None,
        });
    }
    Some((digits, gap))
}

/// The factor of each atom that may differ, and the rest; `None` for a product
/// of two of them.
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

/// What an atom is below, if that is the same in every block. Digits count from
/// 0, or from anywhere: only differences matter.
fn below(atom: &Atom, trips: &Trips) -> Option<Number> {
    match atom {
        Atom::Block(axis) => Some(Number::atom(Atom::Grid(*axis))),
        Atom::Trip(number) => trips.most[*number].clone(),
        Atom::Rem(_, by) => at_most(by),
        Atom::Div(number, by) => {
            let by = by.value().filter(|&by| by > 0)?;
            let mut terms = number.terms();
            let (Some((monomial, 1)), None) = (terms.next(), terms.next()) else {
                return None;
            };
            let [one] = &monomial[..] else {
                return None;
            };
            let most = below(one, trips)?.value()?;
            Some(Number::constant((most - 1).div_euclid(by) + 1))
        }
        Atom::Grid(_)
        | Atom::Param(_)
        | Atom::Extent(..)
        | Atom::Tiles(..)
        | Atom::Uniform(_)
        | Atom::Varying(_)
        | Atom::Min(..)
        | Atom::Max(..) => None,
    }
}

/// Something that is the same in every block, and not below the number.
pub(super) fn at_most(number: &Number) -> Option<Number> {
    if number.is_uniform() {
        return Some(number.clone());
    }
    let mut terms = number.terms();
    match (terms.next(), terms.next()) {
        (Some((monomial, 1)), None) => match &monomial[..] {
            [Atom::Min(a, b)] => at_most(a).or_else(|| at_most(b)),
            _ => None,
        },
        _ => None,
    }
}

/// A number whose quotient and remainder are the same is the same itself.
fn divided(equations: &mut Vec<(Number, Number, i128)>, same: &BTreeSet<Atom>) {
    let mut found = Vec::new();
    for atom in same {
        if let Atom::Div(number, by) = atom
            && same.contains(&Atom::Rem(number.clone(), by.clone()))
            && by.holds(&|atom| same.contains(atom) || atom.is_uniform())
        {
            found.push(((**number).clone(), (**number).clone(), 1));
        }
    }
    for equation in found {
        if !equations.contains(&equation) {
            equations.push(equation);
        }
    }
}
