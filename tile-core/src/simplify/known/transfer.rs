//! Transfer functions: the known facts of a result from those of the operands.

use super::{Facts, Known, low_bits, width};
use crate::ir::{AssumePredicate, Attr, DenseElements, Op, OpId, RoundingMode, Signedness};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode};
use crate::rewrite::Rewriter;
use crate::simplify::build::{mask, promises, rounding, signed};

/// The greatest extent of a grid.
const MAX_GRID: i64 = (1 << 24) - 1;

impl Facts {
    /// Returns the known facts of result number `index` of an operation.
    pub(super) fn result(
        &mut self,
        rewriter: &Rewriter,
        id: OpId,
        index: usize,
        width: u32,
        depth: usize,
    ) -> Option<Known> {
        let op = rewriter.op(id);
        match op.opcode {
            Opcode::Core(kind) => self.core(rewriter, kind, op, index, width, depth),
            Opcode::Misc(MiscOp::Assume) => {
                let inner = self.within(rewriter, op.operands[0], depth);
                Some(assume(&op.assume_predicate(), inner))
            }
            Opcode::Bitwise(kind) => {
                let (a, b) = self.both(rewriter, op, depth);
                Some(bitwise(kind, a, b))
            }
            Opcode::Conversion(kind @ (ConversionOp::ExtI | ConversionOp::TruncI)) => {
                let inner = self.within(rewriter, op.operands[0], depth);
                Some(match kind {
                    ConversionOp::ExtI => extend(op.signedness(), inner, width),
                    _ => truncate(op, inner, width),
                })
            }
            Opcode::Integer(kind) => self.integer(rewriter, kind, op, depth),
            _ => None,
        }
    }

    fn both(&mut self, rewriter: &Rewriter, op: &Op, depth: usize) -> (Known, Known) {
        let a = self.within(rewriter, op.operands[0], depth);
        let b = self.within(rewriter, op.operands[1], depth);
        (a, b)
    }

    fn core(
        &mut self,
        rewriter: &Rewriter,
        kind: CoreOp,
        op: &Op,
        index: usize,
        width: u32,
        depth: usize,
    ) -> Option<Known> {
        debug_assert!(index < op.results.len());
        match kind {
            CoreOp::Constant => constant(op, width),
            CoreOp::Iota => {
                let extent = rewriter.ty(op.result()).as_tile()?.num_elements();
                let last = u64::try_from(extent - 1).ok()?;
                Some(Known::from_unsigned(width, 0, last.min(mask(width))))
            }
            CoreOp::GetTileBlockId => Some(Known::from_signed(width, 0, MAX_GRID - 1)),
            CoreOp::GetNumTileBlocks => Some(Known::from_signed(width, 1, MAX_GRID)),
            CoreOp::Reshape | CoreOp::Broadcast | CoreOp::Permute | CoreOp::Extract => {
                Some(self.within(rewriter, op.operands[0], depth))
            }
            CoreOp::Cat | CoreOp::Insert => {
                let (a, b) = self.both(rewriter, op, depth);
                Some(a.joined(b))
            }
            CoreOp::Select => {
                let a = self.within(rewriter, op.operands[1], depth);
                let b = self.within(rewriter, op.operands[2], depth);
                Some(a.joined(b))
            }
            _ => None,
        }
    }

    fn integer(
        &mut self,
        rewriter: &Rewriter,
        kind: IntegerOp,
        op: &Op,
        depth: usize,
    ) -> Option<Known> {
        match kind {
            // Their results and operands have different types.
            IntegerOp::CmpI | IntegerOp::MmaI => return None,
            IntegerOp::NegI => {
                let a = self.within(rewriter, op.operands[0], depth);
                return Some(difference(Known::number(a.width, 0), a, (false, false)));
            }
            IntegerOp::AbsI => {
                return Some(absolute(self.within(rewriter, op.operands[0], depth)));
            }
            _ => {}
        }
        debug_assert_eq!(
            width(rewriter, op.operands[0]),
            width(rewriter, op.operands[1])
        );
        let (a, b) = self.both(rewriter, op, depth);
        Some(match kind {
            IntegerOp::AddI => sum(a, b, promises(op.overflow())),
            IntegerOp::SubI => difference(a, b, promises(op.overflow())),
            IntegerOp::MulI => product(a, b, promises(op.overflow())),
            IntegerOp::MulhiI => {
                let bits = a.width;
                let high = |a: u64, b: u64| {
                    let product = (u128::from(a) * u128::from(b)) >> bits;
                    u64::try_from(product).unwrap_or(u64::MAX)
                };
                let least = high(a.unsigned.0, b.unsigned.0);
                Known::from_unsigned(a.width, least, high(a.unsigned.1, b.unsigned.1))
            }
            IntegerOp::ShlI => shift_left(op, a, b),
            IntegerOp::ShrI => shift_right(op.signedness(), a, b),
            IntegerOp::DivI => quotient(op.signedness(), rounding(op), a, b)?,
            IntegerOp::RemI => remainder(op.signedness(), a, b)?,
            IntegerOp::MaxI | IntegerOp::MinI => extreme(kind, op.signedness(), a, b),
            IntegerOp::NegI | IntegerOp::AbsI | IntegerOp::CmpI | IntegerOp::MmaI => return None,
        })
    }
}

fn constant(op: &Op, width: u32) -> Option<Known> {
    let Some(Attr::Dense(dense)) = &op.attrs[0] else {
        return None;
    };
    let single = |&bits: &u64| Known::number(width, bits);
    match &**dense {
        DenseElements::Splat { bits, .. } => Some(single(bits)),
        DenseElements::Each { bits, .. } => bits.iter().map(single).reduce(Known::joined),
    }
}

fn assume(predicate: &AssumePredicate, inner: Known) -> Known {
    match *predicate {
        AssumePredicate::DivBy {
            divisor,
            every: None,
            along: None,
        } if divisor > 1 => {
            let zeros = divisor.trailing_zeros().min(inner.width);
            inner.with_low_bits(zeros, 0).tightened()
        }
        AssumePredicate::Bounded { lower, upper } => {
            let (least, greatest) = Known::nothing(inner.width).signed;
            let least = lower.map_or(least, |lower| lower.max(least));
            let greatest = upper.map_or(greatest, |upper| upper.min(greatest));
            inner.met(Known::from_signed(inner.width, least, greatest))
        }
        _ => inner,
    }
}

fn bitwise(kind: BitwiseOp, a: Known, b: Known) -> Known {
    let (zeros, ones) = match kind {
        BitwiseOp::AndI => (a.zeros | b.zeros, a.ones & b.ones),
        BitwiseOp::OrI => (a.zeros & b.zeros, a.ones | b.ones),
        BitwiseOp::XorI => (
            a.zeros & b.zeros | a.ones & b.ones,
            a.zeros & b.ones | a.ones & b.zeros,
        ),
    };
    let mut known = Known {
        zeros,
        ones,
        ..Known::nothing(a.width)
    };
    match kind {
        BitwiseOp::AndI => known.unsigned.1 = a.unsigned.1.min(b.unsigned.1),
        BitwiseOp::OrI => known.unsigned.0 = a.unsigned.0.max(b.unsigned.0),
        BitwiseOp::XorI => {}
    }
    known.tightened()
}

/// Limits a result to the ranges that it has before wrapping. This is valid if the result does not
/// wrap, either because the range fits the type or because of a promise.
fn in_ranges(
    width: u32,
    signed: (i128, i128),
    unsigned: (i128, i128),
    promised: (bool, bool),
) -> Known {
    let mut known = Known::nothing(width);
    let fit = |range: (i128, i128), type_range: (i128, i128), promised: bool| {
        let fits = range.0 >= type_range.0 && range.1 <= type_range.1;
        (fits || promised).then_some((range.0.max(type_range.0), range.1.min(type_range.1)))
    };
    let type_range = (i128::from(known.signed.0), i128::from(known.signed.1));
    let empty = "a range that cannot be is dropped";
    if let Some((least, greatest)) =
        fit(signed, type_range, promised.0).filter(|range| range.0 <= range.1)
    {
        known.signed = (
            i64::try_from(least).expect(empty),
            i64::try_from(greatest).expect(empty),
        );
    }
    let type_range = (0, i128::from(known.unsigned.1));
    if let Some((least, greatest)) =
        fit(unsigned, type_range, promised.1).filter(|range| range.0 <= range.1)
    {
        known.unsigned = (
            u64::try_from(least).expect(empty),
            u64::try_from(greatest).expect(empty),
        );
    }
    known.tightened()
}

fn wide_signed(known: Known) -> (i128, i128) {
    (known.signed.0.into(), known.signed.1.into())
}

fn wide_unsigned(known: Known) -> (i128, i128) {
    (known.unsigned.0.into(), known.unsigned.1.into())
}

fn sum(a: Known, b: Known, promised: (bool, bool)) -> Known {
    let add = |a: (i128, i128), b: (i128, i128)| (a.0 + b.0, a.1 + b.1);
    let signed = add(wide_signed(a), wide_signed(b));
    let unsigned = add(wide_unsigned(a), wide_unsigned(b));
    let low = a.trailing_known().min(b.trailing_known());
    in_ranges(a.width, signed, unsigned, promised)
        .with_low_bits(low, a.ones.wrapping_add(b.ones))
        .tightened()
}

fn difference(a: Known, b: Known, promised: (bool, bool)) -> Known {
    let subtract = |a: (i128, i128), b: (i128, i128)| (a.0 - b.1, a.1 - b.0);
    let signed = subtract(wide_signed(a), wide_signed(b));
    let unsigned = subtract(wide_unsigned(a), wide_unsigned(b));
    let low = a.trailing_known().min(b.trailing_known());
    in_ranges(a.width, signed, unsigned, promised)
        .with_low_bits(low, a.ones.wrapping_sub(b.ones))
        .tightened()
}

fn product(a: Known, b: Known, promised: (bool, bool)) -> Known {
    let corners = |a: (i128, i128), b: (i128, i128)| {
        let bounds = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
        let least = bounds.into_iter().fold(bounds[0], i128::min);
        (least, bounds.into_iter().fold(bounds[0], i128::max))
    };
    let signed = corners(wide_signed(a), wide_signed(b));
    // The product of two 64-bit unsigned numbers may exceed an `i128`.
    let unsigned = match u128::from(a.unsigned.1) * u128::from(b.unsigned.1) {
        most if most <= u128::from(mask(a.width)) => corners(wide_unsigned(a), wide_unsigned(b)),
        _ => (
            i128::from(a.unsigned.0).saturating_mul(b.unsigned.0.into()),
            i128::MAX,
        ),
    };
    let low = a.trailing_known().min(b.trailing_known());
    let zeros = (a.trailing_zeros() + b.trailing_zeros()).min(a.width);
    in_ranges(a.width, signed, unsigned, promised)
        .with_low_bits(low, a.ones.wrapping_mul(b.ones))
        .with_low_bits(zeros, 0)
        .tightened()
}

fn absolute(a: Known) -> Known {
    if a.signed.0 >= 0 {
        return a;
    }
    let greatest = a.signed.0.unsigned_abs().max(a.signed.1.unsigned_abs());
    let least = if a.signed.1 < 0 {
        a.signed.1.unsigned_abs()
    } else {
        0
    };
    Known::from_unsigned(a.width, least, greatest)
        .with_low_bits(a.trailing_zeros(), 0)
        .tightened()
}

fn shift_left(op: &Op, a: Known, b: Known) -> Known {
    let Some(by) = b.value().filter(|&by| by < u64::from(a.width)) else {
        return Known::nothing(a.width)
            .with_low_bits(a.trailing_zeros(), 0)
            .tightened();
    };
    // A shift promises that shifting back restores the operand. For a shift by the width less one,
    // this does not imply that a multiplication by the least number does not overflow.
    let (signed, unsigned) = promises(op.overflow());
    let is_positive = by + 1 < u64::from(a.width);
    let factor = Known::number(a.width, 1 << by);
    product(a, factor, (signed && is_positive, unsigned))
}

fn shift_right(signedness: Signedness, a: Known, b: Known) -> Known {
    let width = a.width;
    let Some(by) = b.value().filter(|&by| by < u64::from(width)) else {
        return match signedness {
            Signedness::Unsigned => Known::from_unsigned(width, 0, a.unsigned.1),
            Signedness::Signed => Known::from_signed(width, a.signed.0.min(0), a.signed.1.max(-1)),
        };
    };
    let mut known = Known::nothing(width);
    match signedness {
        Signedness::Unsigned => {
            known.zeros = a.zeros >> by | (mask(width) & !(mask(width) >> by));
            known.ones = a.ones >> by;
            known.unsigned = (a.unsigned.0 >> by, a.unsigned.1 >> by);
        }
        Signedness::Signed => {
            let shift = |bits| (signed(width, bits) >> by).cast_unsigned() & mask(width);
            known.zeros = shift(a.zeros);
            known.ones = shift(a.ones);
            known.signed = (a.signed.0 >> by, a.signed.1 >> by);
        }
    }
    known.tightened()
}

fn quotient(signedness: Signedness, rounding: RoundingMode, a: Known, b: Known) -> Option<Known> {
    let divide = |value: i128, by: i128| match rounding {
        RoundingMode::NegativeInf => value.div_euclid(by),
        RoundingMode::PositiveInf => -(-value).div_euclid(by),
        _ => value / by,
    };
    let by = b.value()?;
    let range = match signedness {
        Signedness::Unsigned if by > 0 => {
            let (least, greatest) = wide_unsigned(a);
            (divide(least, by.into()), divide(greatest, by.into()))
        }
        Signedness::Signed if signed(b.width, by) > 0 => {
            let (least, greatest) = wide_signed(a);
            let by = signed(b.width, by).into();
            (divide(least, by), divide(greatest, by))
        }
        _ => return None,
    };
    let nothing = (i128::MIN, i128::MAX);
    Some(match signedness {
        Signedness::Unsigned => in_ranges(a.width, nothing, range, (false, false)),
        Signedness::Signed => in_ranges(a.width, range, nothing, (false, false)),
    })
}

fn remainder(signedness: Signedness, a: Known, b: Known) -> Option<Known> {
    let by = b.value().filter(|&by| by != 0)?;
    let known = match signedness {
        Signedness::Unsigned => Known::from_unsigned(a.width, 0, a.unsigned.1.min(by - 1)),
        Signedness::Signed => {
            let most = signed(b.width, by).unsigned_abs() - 1;
            let most = i64::try_from(most).expect("one less than a magnitude");
            let least = a.signed.0.clamp(-most, 0);
            Known::from_signed(a.width, least, a.signed.1.clamp(0, most))
        }
    };
    // The subtrahend is a multiple of the divisor, so the low bits are those of `a`.
    let low = by.trailing_zeros().min(a.trailing_known());
    let is_small = match signedness {
        Signedness::Unsigned => a.unsigned.1 < by,
        Signedness::Signed => {
            let by = signed(b.width, by).unsigned_abs();
            a.signed.0.unsigned_abs() < by && a.signed.1.unsigned_abs() < by
        }
    };
    if is_small {
        return Some(a);
    }
    Some(known.with_low_bits(low, a.ones & low_bits(low)).tightened())
}

fn extreme(kind: IntegerOp, signedness: Signedness, a: Known, b: Known) -> Known {
    let is_max = kind == IntegerOp::MaxI;
    let joined = a.joined(b);
    let range = match signedness {
        Signedness::Signed => {
            let ends = (a.signed, b.signed);
            let (least, greatest) = if is_max {
                (ends.0.0.max(ends.1.0), ends.0.1.max(ends.1.1))
            } else {
                (ends.0.0.min(ends.1.0), ends.0.1.min(ends.1.1))
            };
            Known::from_signed(a.width, least, greatest)
        }
        Signedness::Unsigned => {
            let ends = (a.unsigned, b.unsigned);
            let (least, greatest) = if is_max {
                (ends.0.0.max(ends.1.0), ends.0.1.max(ends.1.1))
            } else {
                (ends.0.0.min(ends.1.0), ends.0.1.min(ends.1.1))
            };
            Known::from_unsigned(a.width, least, greatest)
        }
    };
    joined.met(range)
}

fn extend(signedness: Signedness, a: Known, to: u32) -> Known {
    let high = mask(to) & !mask(a.width);
    let mut known = Known::nothing(to);
    match signedness {
        Signedness::Unsigned => {
            known.zeros = a.zeros | high;
            known.ones = a.ones;
            known.unsigned = a.unsigned;
        }
        Signedness::Signed => {
            let extend = |bits| signed(a.width, bits).cast_unsigned() & mask(to);
            known.zeros = extend(a.zeros);
            known.ones = extend(a.ones);
            known.signed = a.signed;
        }
    }
    known.tightened()
}

fn truncate(op: &Op, a: Known, to: u32) -> Known {
    let mut known = in_ranges(
        to,
        wide_signed(a),
        wide_unsigned(a),
        promises(op.overflow()),
    );
    known.zeros |= a.zeros & mask(to);
    known.ones |= a.ones & mask(to);
    known.tightened()
}
