//! Compares all blocks of a small grid.
//!
//! If an index depends only on block ids and on the iterations of loops of constant length, it is
//! computed for each combination of them, with the arithmetic of the kernel.

use super::disjoint::{Place, Span};
use super::known::Known;
use super::number::{Atom, Number, word};
use std::collections::BTreeMap;

/// The maximum number of combinations of blocks and iterations for which indices are computed.
const MAX_POINTS: i128 = 1 << 14;
/// The maximum number of pairs of stores that are compared.
const MAX_PAIRS: usize = 1 << 20;

/// The values of the atoms that an index is computed from.
type Point = BTreeMap<Atom, i128>;

/// The elements that one block stores to in one iteration.
struct Stored {
    block_ids: Vec<i128>,
    /// The start along each axis of the tensor that is compared.
    starts: Vec<i128>,
}

/// Returns the index of the first of `block_ids` that may differ although both stores meet. The
/// inner `None` means that they never meet, the outer `None` that the comparison is impossible.
#[expect(
    clippy::option_option,
    reason = "not to know is another answer than no place"
)]
pub(super) fn meet(
    first: &Place,
    second: &Place,
    block_ids: &[Atom],
    known: &Known,
) -> Option<Option<usize>> {
    // An axis is compared only if both starts can be computed.
    let axes: Vec<usize> = (0..first.spans.len())
        .filter(|&axis| {
            [first, second].iter().all(|place| {
                let start = &place.spans[axis].start;
                start.as_ref().is_some_and(|it| is_computed(it, known))
            })
        })
        .collect();
    let one = stored(first, &axes, block_ids, known)?;
    let two = stored(second, &axes, block_ids, known)?;
    let spans = |place: &Place| -> Vec<Span> {
        axes.iter().map(|&axis| place.spans[axis].clone()).collect()
    };
    let (spans, other_spans) = (spans(first), spans(second));
    let aligned = spans.iter().zip(&other_spans).all(|(span, other)| {
        span.step == other.step && span.len == other.len && span.len <= span.step
    });
    let differs = |one: &Stored, two: &Stored| {
        let mut pairs = one.block_ids.iter().zip(&two.block_ids);
        pairs.position(|(one, two)| one != two)
    };
    if aligned {
        // Boxes at different indices do not overlap here, so the stores meet exactly where their
        // starts are equal.
        let mut places: BTreeMap<&[i128], Vec<&Stored>> = BTreeMap::new();
        for stored in &one {
            let there = places.entry(&stored.starts).or_default();
            if there.iter().all(|it| it.block_ids != stored.block_ids) && there.len() < 2 {
                there.push(stored);
            }
        }
        return Some(two.iter().find_map(|stored| {
            let there = places.get(&stored.starts[..])?;
            there.iter().find_map(|other| differs(other, stored))
        }));
    }
    if one.len().checked_mul(two.len())? > MAX_PAIRS {
        return None;
    }
    let meets = |one: &Stored, two: &Stored| {
        spans
            .iter()
            .zip(&other_spans)
            .zip(one.starts.iter().zip(&two.starts))
            .all(|((span, other), (&start, &other_start))| {
                let (from, other_from) = (
                    start * i128::from(span.step),
                    other_start * i128::from(other.step),
                );
                from < other_from + i128::from(other.len)
                    && other_from < from + i128::from(span.len)
            })
    };
    Some(one.iter().find_map(|first| {
        two.iter()
            .filter(|second| meets(first, second))
            .find_map(|second| differs(first, second))
    }))
}

/// Collects the atoms that a number is computed from.
fn sources(number: &Number, atoms: &mut Vec<Atom>) {
    for atom in number.terms().flat_map(|(monomial, _)| monomial) {
        match atom {
            Atom::Div(a, b)
            | Atom::Rem(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Bits(_, a, b) => {
                sources(a, atoms);
                sources(b, atoms);
            }
            Atom::Choice(cond, a, b) => {
                sources(cond, atoms);
                sources(a, atoms);
                sources(b, atoms);
            }
            Atom::Wrap(_, _, number) => sources(number, atoms),
            Atom::Block(_)
            | Atom::Grid(_)
            | Atom::Param(_)
            | Atom::Extent(..)
            | Atom::Tiles(..)
            | Atom::Trip(_)
            | Atom::Uniform(_)
            | Atom::Varying(_) => {
                if !atoms.contains(atom) {
                    atoms.push(atom.clone());
                }
            }
        }
    }
}

/// Returns the number of values of an atom that counts up from 0, if that number is constant.
fn values(atom: &Atom, known: &Known) -> Option<i128> {
    match atom {
        Atom::Block(axis) => Some(known.blocks[*axis]),
        Atom::Trip(number) => known.trips_of(*number),
        _ => None,
    }
}

fn is_computed(number: &Number, known: &Known) -> bool {
    let mut atoms = Vec::new();
    sources(number, &mut atoms);
    atoms.iter().all(|atom| values(atom, known).is_some())
}

/// Returns the starts of the stores in each iteration of each block.
fn stored(place: &Place, axes: &[usize], block_ids: &[Atom], known: &Known) -> Option<Vec<Stored>> {
    let mut atoms = block_ids.to_vec();
    let starts: Vec<&Number> = axes
        .iter()
        .filter_map(|&axis| place.spans[axis].start.as_ref())
        .collect();
    for start in &starts {
        sources(start, &mut atoms);
    }
    let counts: Option<Vec<i128>> = atoms.iter().map(|atom| values(atom, known)).collect();
    let counts = counts?;
    let point_count = counts
        .iter()
        .try_fold(1_i128, |point_count, count| point_count.checked_mul(*count))?;
    if point_count > MAX_POINTS {
        return None;
    }
    let mut points = Vec::new();
    for number in 0..point_count {
        let mut rest = number;
        let mut point = Point::new();
        for (atom, count) in atoms.iter().zip(&counts) {
            point.insert(atom.clone(), rest % count);
            rest /= count;
        }
        let elsewhere = place.fixed.iter().any(|(axis, value)| {
            let here = point.get(&Atom::Block(*axis)).copied();
            match (here, evaluate(value, &point)) {
                (Some(here), Some(value)) => here != value,
                _ => false,
            }
        });
        if !elsewhere {
            let starts: Option<Vec<i128>> =
                starts.iter().map(|start| evaluate(start, &point)).collect();
            let starts = starts?;
            // Elements before the start of the tensor are not stored.
            let outside = axes.iter().zip(&starts).any(|(&axis, &start)| {
                let span = &place.spans[axis];
                start < 0 && span.len <= span.step
            });
            if outside {
                continue;
            }
            points.push(Stored {
                block_ids: block_ids.iter().map(|atom| point[atom]).collect(),
                starts,
            });
        }
    }
    Some(points)
}

/// Returns the value of a number; `None` if it is undefined, as for a quotient by 0.
fn evaluate(number: &Number, point: &Point) -> Option<i128> {
    number.terms().try_fold(0_i128, |sum, (monomial, factor)| {
        let product = monomial.iter().try_fold(factor, |product, atom| {
            Some(product.wrapping_mul(evaluate_atom(atom, point)?))
        })?;
        Some(sum.wrapping_add(product))
    })
}

fn evaluate_atom(atom: &Atom, point: &Point) -> Option<i128> {
    let evaluate = |number: &Number| evaluate(number, point);
    match atom {
        Atom::Div(a, b) => evaluate(a)?.checked_div(evaluate(b)?),
        Atom::Rem(a, b) => evaluate(a)?.checked_rem(evaluate(b)?),
        Atom::Min(a, b) => Some(evaluate(a)?.min(evaluate(b)?)),
        Atom::Max(a, b) => Some(evaluate(a)?.max(evaluate(b)?)),
        Atom::Wrap(bits, signed, number) => Some(word(evaluate(number)?, *bits, *signed)),
        Atom::Bits(op, a, b) => Some(op.apply(evaluate(a)?, evaluate(b)?)),
        Atom::Choice(cond, a, b) => evaluate(if evaluate(cond)? != 0 { a } else { b }),
        Atom::Block(_)
        | Atom::Grid(_)
        | Atom::Param(_)
        | Atom::Extent(..)
        | Atom::Tiles(..)
        | Atom::Trip(_)
        | Atom::Uniform(_)
        | Atom::Varying(_) => point.get(atom).copied(),
    }
}
