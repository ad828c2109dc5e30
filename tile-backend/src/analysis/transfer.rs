//! Transfer functions of the axis analysis: the facts of the result of one operation, from those of its
//! operands.

use super::axis::{ANY, Along, AxisInfo};
use super::whole_tiles::{assume, reshaped};
use smallvec::smallvec;
use tile_core::Module;
use tile_core::ir::{Attr, ComparisonPredicate, Op, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, MemoryOp, MiscOp, Opcode};
use tile_core::types::Element;

/// Returns the facts of a result of `op` from those of its operands; `None` if these are not known yet, or
/// the result is not a tile of integers or pointers. `facts` has an entry per value of the module.
pub(super) fn facts(
    module: &Module,
    facts: &[Option<AxisInfo>],
    op: &Op,
    result: ValueId,
) -> Option<AxisInfo> {
    let transfer = Transfer {
        module,
        facts,
        op,
        result,
        shape: shape(module, result)?,
    };
    match op.opcode {
        Opcode::Integer(integer) => transfer.integer(integer),
        Opcode::Bitwise(bitwise) => transfer.bitwise(bitwise),
        Opcode::Conversion(conversion) => transfer.conversion(conversion),
        Opcode::Core(core) => transfer.core(core),
        Opcode::Memory(MemoryOp::Alloca) => {
            let divisor = match op.attr("alignment") {
                Some(&Attr::Int(bytes)) => bytes.trailing_zeros().min(ANY),
                _ => 0,
            };
            Some(one_address(divisor))
        }
        Opcode::Misc(MiscOp::Assume) => {
            let mut facts = transfer.operand(0)?.clone();
            assume(&mut facts, &op.assume_predicate(), unit(module, result));
            Some(facts)
        }
        _ => Some(transfer.nothing()),
    }
}

struct Transfer<'m> {
    module: &'m Module,
    facts: &'m [Option<AxisInfo>],
    op: &'m Op,
    result: ValueId,
    /// The logarithms of the extents of the result.
    shape: AxisShape,
}

/// Rules of elementwise operations on integers.
impl Transfer<'_> {
    fn integer(&self, op: IntegerOp) -> Option<AxisInfo> {
        let rhs = || self.op.operands[1];
        match op {
            IntegerOp::AddI => self.two(|l, r| Along::sum(l, r, 0, false)),
            IntegerOp::SubI => self.two(|l, r| Along::sum(l, r, 0, true)),
            IntegerOp::MulI => match constants(self.module, self.op) {
                [Some(1), _] => self.operand(1).cloned(),
                [_, Some(1)] => self.operand(0).cloned(),
                _ => self.two(Along::product),
            },
            IntegerOp::MaxI | IntegerOp::MinI => self.two(Along::mixed),
            IntegerOp::RemI => match self.unsigned_power_of_two(rhs()) {
                Some(bits) => self.one(|along| along.remainder(bits)),
                None => self.two(Along::mixed),
            },
            IntegerOp::DivI => match self.unsigned_power_of_two(rhs()) {
                Some(bits) => self.one(|along| along.quotient(bits)),
                None => self.two(constancy_alone),
            },
            IntegerOp::ShlI => match distance(self.module, rhs()) {
                Some(0) => self.one(|along| along),
                Some(by) => self.one(|along| Along {
                    contiguity: 0,
                    divisor: (along.divisor_at(0, 0) + by).min(ANY),
                    constancy: along.constancy,
                }),
                None => self.two(|l, r| Along {
                    divisor: l.divisor_at(0, 0),
                    ..constancy_alone(l, r)
                }),
            },
            IntegerOp::ShrI => match distance(self.module, rhs()) {
                Some(by) => self.one(|along| along.quotient(by)),
                None => self.two(constancy_alone),
            },
            IntegerOp::NegI => self.one(|along| Along {
                contiguity: 0,
                divisor: along.divisor_at(0, 0),
                constancy: along.constancy,
            }),
            IntegerOp::CmpI => self.two(|l, r| match self.op.predicate() {
                ComparisonPredicate::LessThan | ComparisonPredicate::GreaterThanOrEqual => {
                    Along::is_below(l, r)
                }
                ComparisonPredicate::GreaterThan | ComparisonPredicate::LessThanOrEqual => {
                    Along::is_below(r, l)
                }
                _ => constancy_alone(l, r),
            }),
            _ => Some(self.nothing()),
        }
    }

    fn bitwise(&self, op: BitwiseOp) -> Option<AxisInfo> {
        match op {
            BitwiseOp::OrI | BitwiseOp::XorI => self.two(Along::mixed),
            BitwiseOp::AndI => match constants(self.module, self.op) {
                [_, Some(mask)] if mask.checked_add(1).is_some_and(u64::is_power_of_two) => {
                    self.one(|along| along.remainder(mask.trailing_ones()))
                }
                // A bit of the conjunction is zero if it is zero in either operand, so the larger divisor
                // holds.
                _ => self.two(|l, r| Along {
                    divisor: l.divisor_at(0, 0).max(r.divisor_at(0, 0)),
                    ..constancy_alone(l, r)
                }),
            },
        }
    }

    fn conversion(&self, op: ConversionOp) -> Option<AxisInfo> {
        match op {
            ConversionOp::ExtI => self.one(Along::without_carry),
            ConversionOp::TruncI => self.one(|along| along),
            ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr => {
                let from = unit(self.module, self.op.operands[0]);
                let to = unit(self.module, self.result);
                self.one(|along| Along {
                    contiguity: if from == to { along.contiguity } else { 0 },
                    divisor: along.divisor_at(if from == to { along.contiguity } else { 0 }, from),
                    constancy: along.constancy,
                })
            }
            _ => Some(self.nothing()),
        }
    }

    /// Returns the logarithm of the operand `value` of an unsigned operation, if it is a constant power of
    /// two.
    fn unsigned_power_of_two(&self, value: ValueId) -> Option<u32> {
        let is_unsigned = self.op.signedness() == Signedness::Unsigned;
        power_of_two(self.module, value).filter(|_| is_unsigned)
    }
}

/// Rules of constants, pointers, and operations on shapes.
impl Transfer<'_> {
    fn core(&self, op: CoreOp) -> Option<AxisInfo> {
        match op {
            CoreOp::Constant => Some(constant(self.op, &self.shape)),
            CoreOp::Iota => Some(smallvec![Along {
                contiguity: self.shape[0],
                divisor: ANY,
                constancy: 0,
            }]),
            CoreOp::Offset => self.offset(),
            CoreOp::Select => {
                let (condition, lhs, rhs) = (self.operand(0)?, self.operand(1)?, self.operand(2)?);
                let unit = unit(self.module, self.result);
                let axes = condition.iter().zip(lhs.iter().zip(rhs));
                let either = axes
                    .map(|(chosen, (&lhs, &rhs))| Along::either(lhs, rhs, chosen.constancy, unit));
                Some(either.collect())
            }
            CoreOp::Broadcast => self.broadcast(),
            CoreOp::Permute => {
                let facts = self.operand(0)?;
                let axes = self.op.permutation();
                let moved = axes
                    .iter()
                    .map(|&axis| facts[usize::try_from(axis).unwrap_or(0)]);
                Some(moved.collect())
            }
            CoreOp::Reshape => {
                let facts = self.operand(0)?;
                let from = shape(self.module, self.op.operands[0])?;
                let unit = unit(self.module, self.result);
                Some(reshaped(facts, &from, &self.shape, unit))
            }
            CoreOp::GetGlobal => Some(one_address(variable_alignment(self.module, self.op))),
            _ => Some(self.nothing()),
        }
    }

    /// An offset narrower than an address may wrap: only groups without a carry stay contiguous in the
    /// address.
    fn offset(&self) -> Option<AxisInfo> {
        let unit = unit(self.module, self.result);
        let (pointers, offsets) = (self.operand(0)?, self.operand(1)?);
        let is_wide = width(self.module, self.op.operands[1]) == 64;
        let pairs = pointers.iter().zip(offsets);
        let sum = pairs.map(|(&pointer, &offset)| {
            let offset = if is_wide {
                offset
            } else {
                offset.without_carry()
            };
            let bytes = Along {
                divisor: (offset.divisor + unit).min(ANY),
                ..offset
            };
            Along::sum(pointer, bytes, unit, false)
        });
        Some(sum.collect())
    }

    /// Along an axis that a broadcast makes longer, all elements are equal.
    fn broadcast(&self) -> Option<AxisInfo> {
        let facts = self.operand(0)?;
        let from = shape(self.module, self.op.operands[0])?;
        let axes = facts.iter().zip(from.iter().zip(&self.shape));
        let spread = axes.map(|(&along, (&from, &to))| {
            if from == to {
                return along;
            }
            Along {
                contiguity: 0,
                divisor: along.divisor,
                constancy: to,
            }
        });
        Some(spread.collect())
    }
}

impl Transfer<'_> {
    /// Returns the facts of an operand; `None` if they are not known yet.
    fn operand(&self, index: usize) -> Option<&AxisInfo> {
        self.facts[self.op.operands[index].index()].as_ref()
    }

    /// Applies a rule axis by axis to the first operand.
    fn one(&self, rule: impl Fn(Along) -> Along) -> Option<AxisInfo> {
        let facts = self.operand(0)?;
        Some(facts.iter().map(|&along| rule(along)).collect())
    }

    /// Applies a rule axis by axis to the first two operands.
    fn two(&self, rule: impl Fn(Along, Along) -> Along) -> Option<AxisInfo> {
        let (lhs, rhs) = (self.operand(0)?, self.operand(1)?);
        Some(lhs.iter().zip(rhs).map(|(&l, &r)| rule(l, r)).collect())
    }

    /// Returns the facts of a result of which nothing is known.
    fn nothing(&self) -> AxisInfo {
        self.shape.iter().map(|_| Along::NOTHING).collect()
    }
}

/// Returns the facts of one address, whose alignment is known as a logarithm.
fn one_address(divisor: u32) -> AxisInfo {
    smallvec![Along {
        divisor,
        ..Along::NOTHING
    }]
}

/// Returns the logarithms of the extents of a tile of integers or pointers; `[0]` for rank 0.
fn shape(module: &Module, value: ValueId) -> Option<AxisShape> {
    let tile = module.ty(value).as_tile()?;
    if let Element::Scalar(scalar) = tile.element
        && !scalar.is_integer()
    {
        return None;
    }
    Some(if tile.shape.is_empty() {
        smallvec![0]
    } else {
        tile.shape.iter().map(|dim| dim.trailing_zeros()).collect()
    })
}

type AxisShape = smallvec::SmallVec<[u32; 4]>;

/// Returns the logarithm of the unit, the difference of neighbouring elements.
pub(super) fn unit(module: &Module, value: ValueId) -> u32 {
    match module.ty(value).as_tile().map(|tile| tile.element) {
        Some(Element::Ptr(pointee)) => pointee.bytes().next_power_of_two().trailing_zeros(),
        _ => 0,
    }
}

/// Returns the number of bits of an element; 64 for a pointer.
fn width(module: &Module, value: ValueId) -> u32 {
    let tile = module.ty(value).as_number_tile();
    tile.map_or(64, |(scalar, _)| scalar.bits())
}

/// Returns what is known of the result of any function of two values: it is the same where both are.
fn constancy_alone(lhs: Along, rhs: Along) -> Along {
    Along {
        constancy: lhs.constancy.min(rhs.constancy),
        ..Along::NOTHING
    }
}

/// Returns the facts of a constant.
fn constant(op: &Op, shape: &[u32]) -> AxisInfo {
    let data = op.dense_value();
    let splat = data.splat_bits();
    let divisor = match splat {
        Some(bits) => bits.trailing_zeros().min(ANY),
        None => 0,
    };
    let along = |&log2: &u32| Along {
        contiguity: 0,
        divisor,
        constancy: if splat.is_some() { log2 } else { 0 },
    };
    shape.iter().map(along).collect()
}

/// Returns the value of each of the two operands, or `None` if it is not a constant.
fn constants(module: &Module, op: &Op) -> [Option<u64>; 2] {
    [0, 1].map(|index| splat(module, op.operands[index]))
}

/// Returns the bits of each element of `value`, a constant whose elements are all equal, possibly reshaped or
/// broadcast.
fn splat(module: &Module, value: ValueId) -> Option<u64> {
    let op = module.op(module.defining_op(value)?);
    match op.opcode {
        Opcode::Core(CoreOp::Constant) => op.dense_value().splat_bits(),
        Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape) => splat(module, op.operands[0]),
        _ => None,
    }
}

/// Returns the logarithm of `value`, if it is a constant power of two.
fn power_of_two(module: &Module, value: ValueId) -> Option<u32> {
    let bits = splat(module, value)?;
    bits.is_power_of_two().then(|| bits.trailing_zeros())
}

/// Returns the distance of a shift by `value`, if it is a constant less than 64.
fn distance(module: &Module, value: ValueId) -> Option<u32> {
    let bits = splat(module, value)?;
    u32::try_from(bits).ok().filter(|&bits| bits < 64)
}

/// Returns the alignment of the variable that `op` names, as a logarithm.
fn variable_alignment(module: &Module, op: &Op) -> u32 {
    let Some(Attr::Symbol(name)) = op.attr("name") else {
        return 0;
    };
    let global = module
        .globals()
        .map(|id| module.op(id))
        .find(|global| global.sym_name() == *name);
    global.map_or(0, |global| variable_align_bytes(global).trailing_zeros())
}

/// Returns the alignment in bytes of a variable of the module, which is at least the width of the widest
/// access.
pub fn variable_align_bytes(global: &Op) -> u32 {
    const MAX_ACCESS_BYTES: u32 = 16;
    let asked = match global.attr("alignment") {
        Some(&Attr::Int(bytes)) => u32::try_from(bytes).unwrap_or(u32::MAX),
        _ => 0,
    };
    asked
        .max(MAX_ACCESS_BYTES)
        .checked_next_power_of_two()
        .unwrap_or(1 << 31)
}
