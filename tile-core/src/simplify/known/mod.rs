//! Known bits and ranges of the elements of integer tiles.
//!
//! A [`Known`] holds for every element of a value whenever the code that uses the value runs
//! without undefined behaviour. It is derived from constants, `assume`, induction variables, block
//! ids, promises about overflow, and the facts about operands. Each value is analyzed once per
//! round, to a depth of [`MAX_DEPTH`] operations; beyond that nothing is known.

mod transfer;

use super::build::{mask, signed};
use crate::ir::{BlockId, OpId, ValueDef, ValueId};
use crate::ops::{ControlFlowOp, Opcode};
use crate::rewrite::Rewriter;

/// The maximum number of operations between a value and the definitions that are examined.
const MAX_DEPTH: usize = 16;

/// Known bits and ranges of every element of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) width: u32,
    /// Bits that are 0.
    pub(super) zeros: u64,
    /// Bits that are 1.
    pub(super) ones: u64,
    /// The least and the greatest value, read as signed.
    pub(super) signed: (i64, i64),
    /// The least and the greatest value, read as unsigned.
    pub(super) unsigned: (u64, u64),
}

impl Known {
    /// Returns the facts that hold for every number of `width` bits.
    pub(super) fn nothing(width: u32) -> Self {
        let most = i64::MAX >> (64 - width);
        Self {
            width,
            zeros: 0,
            ones: 0,
            signed: (-most - 1, most),
            unsigned: (0, mask(width)),
        }
    }

    /// Describes a single number.
    pub(super) fn number(width: u32, bits: u64) -> Self {
        Self {
            width,
            zeros: !bits & mask(width),
            ones: bits,
            signed: (signed(width, bits), signed(width, bits)),
            unsigned: (bits, bits),
        }
    }

    /// Describes unsigned numbers from `least` to `greatest`.
    pub(super) fn from_unsigned(width: u32, least: u64, greatest: u64) -> Self {
        let unsigned = (least, greatest);
        Self {
            unsigned,
            ..Self::nothing(width)
        }
        .tightened()
    }

    /// Describes signed numbers from `least` to `greatest`.
    pub(super) fn from_signed(width: u32, least: i64, greatest: i64) -> Self {
        let signed = (least, greatest);
        Self {
            signed,
            ..Self::nothing(width)
        }
        .tightened()
    }

    /// Returns the number, if only one is possible.
    pub(super) fn value(&self) -> Option<u64> {
        (self.zeros | self.ones == mask(self.width)).then_some(self.ones)
    }

    /// Returns the number of low bits that are known to be 0.
    pub(super) fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones().min(self.width)
    }

    /// Returns the number of low bits that are known.
    fn trailing_known(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }

    /// Adds the `count` low bits of `bits` as known.
    fn with_low_bits(mut self, count: u32, bits: u64) -> Self {
        if count > 0 {
            let low = mask(count.min(self.width));
            self.zeros |= low & !bits;
            self.ones |= low & bits;
        }
        self
    }

    /// Returns the facts that hold for either of two values.
    fn joined(self, other: Self) -> Self {
        Self {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            signed: (
                self.signed.0.min(other.signed.0),
                self.signed.1.max(other.signed.1),
            ),
            unsigned: (
                self.unsigned.0.min(other.unsigned.0),
                self.unsigned.1.max(other.unsigned.1),
            ),
        }
    }

    /// Combines two descriptions of one value.
    fn met(self, other: Self) -> Self {
        Self {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            signed: (
                self.signed.0.max(other.signed.0),
                self.signed.1.min(other.signed.1),
            ),
            unsigned: (
                self.unsigned.0.max(other.unsigned.0),
                self.unsigned.1.min(other.unsigned.1),
            ),
        }
        .tightened()
    }

    /// Derives bits and ranges from each other. After a contradiction, which unreachable code may
    /// contain, nothing is known.
    fn tightened(self) -> Self {
        let known = self.tightened_once().tightened_once();
        let is_empty = known.zeros & known.ones != 0
            || known.signed.0 > known.signed.1
            || known.unsigned.0 > known.unsigned.1;
        if is_empty {
            return Self::nothing(self.width);
        }
        known
    }

    fn tightened_once(mut self) -> Self {
        let (width, full_mask) = (self.width, mask(self.width));
        let sign = 1 << (width - 1);
        let extend = |bits| signed(width, bits);
        // Derive the ranges from the bits.
        let most = !self.zeros & full_mask;
        self.unsigned.0 = self.unsigned.0.max(self.ones);
        self.unsigned.1 = self.unsigned.1.min(most);
        let least = if self.zeros & sign == 0 {
            self.ones | sign
        } else {
            self.ones
        };
        let greatest = if self.ones & sign == 0 {
            most & !sign
        } else {
            most
        };
        self.signed.0 = self.signed.0.max(extend(least));
        self.signed.1 = self.signed.1.min(extend(greatest));
        // Derive one range from the other where both readings have the same order.
        if self.signed.0 >= 0 || self.signed.1 < 0 {
            self.unsigned.0 = self
                .unsigned
                .0
                .max(self.signed.0.cast_unsigned() & full_mask);
            self.unsigned.1 = self
                .unsigned
                .1
                .min(self.signed.1.cast_unsigned() & full_mask);
        }
        if self.unsigned.1 < sign || self.unsigned.0 >= sign {
            self.signed.0 = self.signed.0.max(extend(self.unsigned.0));
            self.signed.1 = self.signed.1.min(extend(self.unsigned.1));
        }
        self.align();
        // Derive the high bits that the ends of a range share.
        let differing = 64 - (self.unsigned.0 ^ self.unsigned.1).leading_zeros();
        if self.unsigned.0 <= self.unsigned.1 && differing < width {
            let common = full_mask & !low_bits(differing);
            self.zeros |= common & !self.unsigned.0;
            self.ones |= common & self.unsigned.0;
        }
        self
    }

    /// Moves the ends of the ranges inwards to multiples of the power of two that the known low
    /// zero bits imply.
    fn align(&mut self) {
        let step = 1_i128 << self.trailing_zeros();
        let (down, up) = (
            |end: i128| end.div_euclid(step) * step,
            |end: i128| -(-end).div_euclid(step) * step,
        );
        // If an end is not representable any more, the range contains no number.
        let signed = (up(self.signed.0.into()), down(self.signed.1.into()));
        if let (Ok(least), Ok(greatest)) = (i64::try_from(signed.0), i64::try_from(signed.1)) {
            self.signed = (least, greatest);
        }
        let unsigned = (up(self.unsigned.0.into()), down(self.unsigned.1.into()));
        if let (Ok(least), Ok(greatest)) = (u64::try_from(unsigned.0), u64::try_from(unsigned.1)) {
            self.unsigned = (least, greatest);
        }
    }
}

/// Returns a mask of the low `count` bits; `count` may be 0.
fn low_bits(count: u32) -> u64 {
    if count == 0 { 0 } else { mask(count) }
}

/// The known facts of each value.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// For each value, its index in `known` plus 1.
    places: Vec<u32>,
    known: Vec<Known>,
    /// The value of each entry of `known`.
    owners: Vec<ValueId>,
}

impl Facts {
    /// Removes all facts.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        for value in self.owners.drain(..) {
            self.places[value.index()] = 0;
        }
    }

    /// Returns the known facts of an integer tile.
    pub(super) fn compute(&mut self, rewriter: &Rewriter, value: ValueId) -> Known {
        self.within(rewriter, value, MAX_DEPTH)
    }

    fn within(&mut self, rewriter: &Rewriter, value: ValueId, depth: usize) -> Known {
        let width = width(rewriter, value);
        let place = self.places.get(value.index()).copied().unwrap_or(0);
        if place != 0 {
            return self.known[place as usize - 1];
        }
        if depth == 0 {
            return Known::nothing(width);
        }
        let known = match rewriter.value(value).def {
            ValueDef::Result(id, index) => {
                let index = usize::try_from(index).expect("few results");
                self.result(rewriter, id, index, width, depth - 1)
            }
            ValueDef::Argument(block, 0) => self.counter(rewriter, block, width, depth - 1),
            ValueDef::Argument(..) => None,
        };
        let known = known.unwrap_or_else(|| Known::nothing(width));
        self.known.push(known);
        self.owners.push(value);
        if self.places.len() <= value.index() {
            self.places.resize(value.index() + 1, 0);
        }
        let place = u32::try_from(self.known.len()).expect("fewer than 2^32 values");
        self.places[value.index()] = place;
        known
    }

    /// Analyzes the induction variable of a `for`. It is at least the lower bound and below the
    /// upper bound, and its low bits are 0 where those of the lower bound and of the step are.
    fn counter(
        &mut self,
        rewriter: &Rewriter,
        block: BlockId,
        width: u32,
        depth: usize,
    ) -> Option<Known> {
        let id: OpId = rewriter.module().parent_op_of_block(block)?;
        let op = rewriter.op(id);
        if op.opcode != Opcode::ControlFlow(ControlFlowOp::For) {
            return None;
        }
        let (lower, upper, step) = (op.operands[0], op.operands[1], op.operands[2]);
        let is_unsigned = op.has_flag("unsignedCmp");
        let lower = self.within(rewriter, lower, depth);
        let upper = self.within(rewriter, upper, depth);
        let step = self.within(rewriter, step, depth);
        // The body runs only if the induction variable is below the upper bound.
        let known = if is_unsigned {
            let greatest = upper.unsigned.1.checked_sub(1)?;
            Known::from_unsigned(width, lower.unsigned.0, greatest)
        } else {
            let least = Known::nothing(width).signed.0;
            let greatest = upper
                .signed
                .1
                .checked_sub(1)
                .filter(|&most| most >= least)?;
            Known::from_signed(width, lower.signed.0, greatest)
        };
        let zeros = lower.trailing_zeros().min(step.trailing_zeros());
        Some(known.with_low_bits(zeros, 0).tightened())
    }
}

fn width(rewriter: &Rewriter, value: ValueId) -> u32 {
    let tile = rewriter.ty(value).as_number_tile();
    tile.expect("facts are about integers").0.bits()
}
