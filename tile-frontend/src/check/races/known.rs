//! Ranges of numbers, and the facts that they follow from.

use super::needs::{Guard, Need, program};
use super::number::{Atom, BitOp, Number, word, words};
use crate::hir::LocalId;
use crate::hir::signature::HostScalar;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::reach::Claim;

/// The maximum number of blocks along an axis, since tile ids have 24 bits.
const MAX_BLOCKS: i128 = (1 << 24) - 1;
/// An exclusive upper bound on the number of blocks of a launch.
const ALL_BLOCKS: i128 = 1 << 32;

/// Facts that bound atoms.
#[derive(Debug)]
pub(super) struct Known {
    /// The assumption about numbers that only a launch knows.
    pub(super) launch: Launch,
    /// The launch checks that the needs of numbers refer to.
    pub(super) needs: Vec<Need>,
    /// Further launch checks, without which two stores might meet.
    pub(super) widths: RefCell<Vec<Need>>,
    /// An upper bound on the number of iterations of each loop; the bound is the same in every
    /// block.
    pub(super) trips: Vec<Option<Number>>,
    /// The number of iterations of each loop as a launch can compute it, even if it differs between
    /// blocks.
    pub(super) lengths: Vec<Option<Length>>,
    /// The comparisons that uniform atoms represent, by the number of the atom.
    pub(super) conditions: BTreeMap<usize, Condition>,
    /// The ranges of atoms that are words about which nothing else is known.
    pub(super) words: BTreeMap<usize, Bounds>,
    /// Divisors that each launch checks to be at least 1.
    pub(super) positive: BTreeSet<Number>,
    /// The index and the type of each scalar parameter.
    pub(super) scalars: BTreeMap<LocalId, (usize, HostScalar)>,
    /// The maximum number of blocks along each axis.
    pub(super) blocks: [i128; 3],
    /// The ranges of parameters.
    pub(super) params: BTreeMap<LocalId, (i128, i128)>,
}

/// The length of a loop that counts from 0 to a distance in steps of a stride.
#[derive(Clone, Debug)]
pub(super) struct Length {
    pub(super) distance: Number,
    pub(super) stride: Number,
    /// `true` if the value after the last iteration is included.
    pub(super) behind: bool,
}

/// A comparison: `==`, `<` or `<=`, and both operands.
pub(super) type Condition = (&'static str, Number, Number);

/// The assumption about numbers that only a launch knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// They may have any value of their type.
    Anything,
    /// They are small: each launch checks that nothing wraps around.
    Small,
}

/// An integer type of fixed width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// The least and the greatest value.
pub(super) type Bounds = (i128, i128);

fn times((low, high): Bounds, (least, most): Bounds) -> Bounds {
    let ends = [
        low.saturating_mul(least),
        low.saturating_mul(most),
        high.saturating_mul(least),
        high.saturating_mul(most),
    ];
    ends.into_iter()
        .fold((ends[0], ends[0]), |(least, most), end| {
            (least.min(end), most.max(end))
        })
}

impl Known {
    pub(super) fn new(limits: [Option<u32>; 3], launch: Launch) -> Self {
        Self {
            launch,
            needs: Vec::new(),
            widths: RefCell::default(),
            trips: Vec::new(),
            lengths: Vec::new(),
            conditions: BTreeMap::new(),
            words: BTreeMap::new(),
            positive: BTreeSet::new(),
            scalars: BTreeMap::new(),
            blocks: limits.map(|limit| limit.map_or(MAX_BLOCKS, i128::from)),
            params: BTreeMap::new(),
        }
    }

    /// Returns the number of iterations of a loop, if it is constant.
    pub(super) fn trips_of(&self, number: usize) -> Option<i128> {
        self.trips[number].as_ref()?.value()
    }

    /// Returns the bounds of an atom; `None` if it has none.
    fn atom(&self, atom: &Atom) -> Option<Bounds> {
        let bounds_of = |number: &Number| self.bounds(number, Launch::Anything);
        match atom {
            Atom::Block(axis) => Some((0, self.blocks[*axis] - 1)),
            Atom::Grid(axis) => Some((1, self.blocks[*axis])),
            Atom::Param(local) => self.params.get(local).copied(),
            Atom::Extent(..) | Atom::Tiles(..) => Some((1, i128::from(i32::MAX))),
            Atom::Trip(number) => Some((0, (self.trips_of(*number)? - 1).max(0))),
            Atom::Uniform(number) | Atom::Varying(number) => self.words.get(number).copied(),
            Atom::Div(a, b) => {
                let ((low, high), (least, _)) = (bounds_of(a)?, bounds_of(b)?);
                (least > 0).then(|| match b.value() {
                    Some(by) => (low / by, high / by),
                    None => (low.min(0), high.max(0)),
                })
            }
            Atom::Rem(a, b) => {
                let (least, most) = bounds_of(b)?;
                // A remainder is smaller in magnitude than its divisor. A divisor that is always 0
                // has no remainder.
                let below = (least.abs().max(most.abs()) - 1).max(0);
                let (low, high) = bounds_of(a).unwrap_or((-below, below));
                Some((low.clamp(-below, 0), high.clamp(0, below)))
            }
            Atom::Min(a, b) => {
                let ((low, high), (other, most)) = (bounds_of(a)?, bounds_of(b)?);
                Some((low.min(other), high.min(most)))
            }
            Atom::Max(a, b) => {
                let ((low, high), (other, most)) = (bounds_of(a)?, bounds_of(b)?);
                Some((low.max(other), high.max(most)))
            }
            Atom::Wrap(bits, signed, _) => Some(words(*bits, *signed)),
            Atom::Bits(BitOp::Shr, a, b) => {
                let ((low, high), by) = (bounds_of(a)?, b.value()?);
                Some((BitOp::Shr.apply(low, by), BitOp::Shr.apply(high, by)))
            }
            Atom::Bits(op, a, b) => {
                let (one, two) = (bounds_of(a), bounds_of(b));
                let natural: Vec<i128> = [one, two]
                    .into_iter()
                    .flatten()
                    .filter(|(low, _)| *low >= 0)
                    .map(|(_, high)| high)
                    .collect();
                if *op == BitOp::And && !natural.is_empty() {
                    return natural.into_iter().min().map(|high| (0, high));
                }
                let ((low, high), (other, most)) = (one?, two?);
                let magnitude = [low, high, other, most]
                    .into_iter()
                    .map(|end| if end < 0 { -1 - end } else { end })
                    .max()?;
                let mask = (1 << (128 - magnitude.leading_zeros()).min(126)) - 1;
                Some((if natural.len() == 2 { 0 } else { -1 - mask }, mask))
            }
            Atom::Choice(_, a, b) => {
                let ((low, high), (other, most)) = (bounds_of(a)?, bounds_of(b)?);
                Some((low.min(other), high.max(most)))
            }
        }
    }

    /// Returns the bounds of a number; `None` if it has none.
    pub(super) fn bounds(&self, number: &Number, launch: Launch) -> Option<Bounds> {
        let mut sum: Bounds = (0, 0);
        for (monomial, factor) in number.terms() {
            let (low, high) = match (self.product(monomial, launch), launch) {
                (Some(bounds), _) => bounds,
                (None, Launch::Small) => (0, 0),
                (None, Launch::Anything) => return None,
            };
            let (one, two) = (low.saturating_mul(factor), high.saturating_mul(factor));
            sum.0 = sum.0.saturating_add(one.min(two));
            sum.1 = sum.1.saturating_add(one.max(two));
        }
        Some(sum)
    }

    fn product(&self, monomial: &[Atom], launch: Launch) -> Option<Bounds> {
        let (mut low, mut high): Bounds = (1, 1);
        // A product over different axes is at most the number of all blocks.
        let (mut grid, mut axes): (Bounds, _) = ((1, 1), [false; 3]);
        for atom in monomial {
            let (least, most) = match (atom, launch) {
                (Atom::Block(axis) | Atom::Grid(axis), _) if !axes[*axis] => {
                    axes[*axis] = true;
                    let (least, most) = self.atom(atom)?;
                    grid.0 *= least;
                    grid.1 = grid.1.saturating_mul(most).min(ALL_BLOCKS);
                    continue;
                }
                (Atom::Extent(..) | Atom::Tiles(..), Launch::Small) => (1, 1),
                (atom, Launch::Small) if atom.is_uniform() && !matches!(atom, Atom::Grid(_)) => {
                    return None;
                }
                _ => self.atom(atom)?,
            };
            (low, high) = times((low, high), (least, most));
        }
        Some(times((low, high), grid))
    }

    /// Returns `true` if a number is known not to be negative.
    pub(super) fn is_natural(&self, number: &Number) -> bool {
        let natural = |atom: &Atom| match atom {
            Atom::Block(_)
            | Atom::Grid(_)
            | Atom::Extent(..)
            | Atom::Tiles(..)
            | Atom::Trip(_)
            | Atom::Wrap(_, false, _) => true,
            Atom::Div(a, b) => self.is_natural(a) && self.is_natural(b),
            Atom::Rem(a, _) => self.is_natural(a),
            _ => self.atom(atom).is_some_and(|(low, _)| low >= 0),
        };
        number
            .terms()
            .all(|(monomial, factor)| factor >= 0 && monomial.iter().all(natural))
            || self
                .bounds(number, Launch::Anything)
                .is_some_and(|(low, _)| low >= 0)
    }

    /// Returns the word that an operation yields if its result on unbounded integers is `number`.
    /// If only a check at each launch can ensure that the result fits, the check applies under the
    /// guards.
    pub(super) fn wrapped(&mut self, number: Number, to: Word, guards: &[Guard]) -> Number {
        let Word { bits, signed } = to;
        // The low bits of a sum are those of its polynomial, even if intermediate results wrap
        // around.
        let number = number.settled(|need| match self.needs[need].claim {
            Claim::Fits { bits: of_sum, .. } => of_sum < bits,
            Claim::NotZero | Claim::Positive => true,
        });
        if let Some(value) = number.value() {
            return Number::constant(word(value, bits, signed)).needing_as(&number);
        }
        let (least, most) = words(bits, signed);
        let fits = |known: &Known, number: &Number, launch: Launch| {
            known
                .bounds(number, launch)
                .is_some_and(|(low, high)| least <= low && high <= most)
        };
        if fits(self, &number, Launch::Anything) {
            return number;
        }
        let low = number.low(bits);
        if let Some(value) = low.value() {
            return Number::constant(word(value, bits, signed)).needing_as(&number);
        }
        if fits(self, &low, Launch::Anything) {
            return low;
        }
        if self.launch == Launch::Small {
            for candidate in [number, low.clone()] {
                if fits(self, &candidate, Launch::Small)
                    && program(&candidate, bits, self).is_some()
                {
                    let need = self.need(&candidate, Claim::Fits { bits, signed }, guards);
                    return candidate.fitting(need);
                }
            }
        }
        Number::atom(Atom::Wrap(bits, signed, Box::new(low)))
    }

    /// Returns the index of a check in [`Known::needs`], which is added if it is new.
    pub(super) fn need(&mut self, number: &Number, claim: Claim, guards: &[Guard]) -> usize {
        let need = Need {
            number: number.clone(),
            claim,
            guards: guards.to_vec(),
        };
        if let Some(index) = self.needs.iter().position(|existing| *existing == need) {
            return index;
        }
        self.needs.push(need);
        self.needs.len() - 1
    }
}
