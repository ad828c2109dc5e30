//! Decides whether two accesses may overlap in memory.
//!
//! Accesses count as disjoint only if a common view or pointer and constants prove it.

use crate::ir::{DenseElements, Op, OpId, ValueId};
use crate::ops::{ConversionOp, CoreOp, IntegerOp, MemoryOp, Opcode, ViewOp};
use crate::rewrite::{Rewriter, is_weak_load};
use crate::types::{Element, PartitionViewType, Scalar};
use smallvec::SmallVec;

/// The maximum number of definitions that are followed.
const DEPTH: u32 = 16;

/// The same limit where a definition has two operands to follow.
const RANGE_DEPTH: u32 = 8;

/// A weak access, reduced to the properties that determine overlap.
#[derive(Clone, Debug)]
pub(super) struct Access {
    is_load: bool,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    /// A tile of a partition view.
    Tile {
        view: ValueId,
        ty: &'static PartitionViewType,
        index: SmallVec<[Linear; 4]>,
    },
    /// Bytes from `first` to before `end`, relative to a pointer.
    Bytes {
        base: ValueId,
        first: i128,
        end: i128,
    },
    Anywhere,
}

/// `base + offset`, in wrapping arithmetic of `bits` bits; only `offset` if there is no base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Linear {
    base: Option<ValueId>,
    offset: u64,
    bits: u32,
}

impl Access {
    /// Describes the memory that a weak load or store accesses.
    pub(super) fn from_op(rewriter: &Rewriter, id: OpId) -> Self {
        let op = rewriter.op(id);
        let place = match op.opcode {
            Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko) => tile(rewriter, op),
            Opcode::Memory(MemoryOp::LoadPtrTko) => bytes(rewriter, op.operand("source")),
            Opcode::Memory(MemoryOp::StorePtrTko) => bytes(rewriter, op.operand("destination")),
            _ => None,
        };
        Self {
            is_load: is_weak_load(op),
            place: place.unwrap_or(Place::Anywhere),
        }
    }

    /// Returns `true` if the order of the accesses matters: one of them stores, and they may
    /// overlap.
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        let stores = !self.is_load || !other.is_load;
        stores && !is_disjoint(&self.place, &other.place)
    }
}

fn is_disjoint(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (
            Place::Tile { view, ty, index },
            Place::Tile {
                view: other_view,
                ty: _,
                index: other,
            },
        ) => view == other_view && has_disjoint_tiles(ty, index, other),
        (
            &Place::Bytes { base, first, end },
            &Place::Bytes {
                base: other_base,
                first: other_first,
                end: other_end,
            },
        ) => base == other_base && (end <= other_first || other_end <= first),
        (Place::Tile { .. } | Place::Bytes { .. } | Place::Anywhere, _) => false,
    }
}

/// Returns `true` if no element of one tile is an element of the other.
///
/// Suppose that indices of elements of the two tiles differ by at least `d` along an axis of stride
/// `s`, and by at most `m` along each other axis, of stride `t`. Then the elements are at least
/// `s * d` minus the sum of `t * m` apart. Nothing is assumed about unknown extents and strides.
fn has_disjoint_tiles(ty: &PartitionViewType, a: &[Linear], b: &[Linear]) -> bool {
    let axis = |tile_axis: usize| {
        let dim = usize::try_from(ty.dim_map[tile_axis]).ok()?;
        let extent = i128::from(ty.tile[tile_axis]);
        let dims = &ty.tensor_view;
        Some((*dims.shape.get(dim)?, *dims.strides.get(dim)?, extent))
    };
    (0..a.len()).any(|split_axis| {
        let Some((_, Some(stride), extent)) = axis(split_axis) else {
            return false;
        };
        let Some(least) = a[split_axis].min_distance(b[split_axis]) else {
            return false;
        };
        // This is the distance from the last element of one tile to the first element of the other.
        let least = (least - 1).saturating_mul(extent).saturating_add(1);
        let mut others = (0..a.len()).filter(|&other| other != split_axis);
        let reach = others.try_fold(0_i128, |reach, other| {
            let (shape, stride, extent) = axis(other)?;
            let shape = shape.map(i128::from);
            let most = if a[other] == b[other] {
                shape.map_or(extent, |shape| shape.min(extent))
            } else {
                shape?
            } - 1;
            if most == 0 {
                return Some(reach);
            }
            reach.checked_add(most.checked_mul(i128::from(stride?))?)
        });
        let distance = i128::from(stride).saturating_mul(least);
        least > 0 && stride > 0 && reach.is_some_and(|reach| distance > reach)
    })
}

impl Linear {
    /// Decomposes a tile index into a base value and a constant offset.
    fn from_value(rewriter: &Rewriter, value: ValueId) -> Option<Self> {
        let (scalar, shape) = rewriter.ty(value).as_number_tile()?;
        if !shape.is_empty() {
            return None;
        }
        let bits = scalar.bits();
        let mask = u64::MAX >> (64 - bits);
        let (mut base, mut offset) = (value, 0_u64);
        for _ in 0..DEPTH {
            if let Some((_, number)) = rewriter.splat_integer(base) {
                offset = offset.wrapping_add(number) & mask;
                return Some(Self {
                    base: None,
                    offset,
                    bits,
                });
            }
            let Some(definition) = rewriter.defining_op(base) else {
                break;
            };
            let op = rewriter.op(definition);
            let (lhs, rhs) = match op.opcode {
                Opcode::Integer(IntegerOp::AddI | IntegerOp::SubI) => {
                    (op.operands[0], op.operands[1])
                }
                _ => break,
            };
            let is_sum = op.opcode == Opcode::Integer(IntegerOp::AddI);
            let number = |value| rewriter.splat_integer(value).map(|(_, number)| number);
            (base, offset) = match (number(lhs), number(rhs)) {
                (_, Some(number)) if is_sum => (lhs, offset.wrapping_add(number)),
                (_, Some(number)) => (lhs, offset.wrapping_sub(number)),
                (Some(number), None) if is_sum => (rhs, offset.wrapping_add(number)),
                _ => break,
            };
        }
        Some(Self {
            base: Some(base),
            offset: offset & mask,
            bits,
        })
    }

    /// Returns the minimum distance between two indices, if they certainly differ. Indices are
    /// unsigned.
    fn min_distance(self, other: Self) -> Option<i128> {
        if self.base != other.base {
            return None;
        }
        let distance = i128::from(self.offset.abs_diff(other.offset));
        let least = match self.base {
            None => distance,
            // One of the indices may have wrapped.
            Some(_) => distance.min((1 << self.bits) - distance),
        };
        (distance != 0).then_some(least)
    }
}

fn tile(rewriter: &Rewriter, op: &Op) -> Option<Place> {
    let view = op.operand("view");
    let ty = rewriter.ty(view).as_partition_view()?;
    let index = op.operands_of("index").iter();
    let index: Option<_> = index
        .map(|&index| Linear::from_value(rewriter, index))
        .collect();
    Some(Place::Tile {
        view,
        ty,
        index: index?,
    })
}

/// Returns the bytes that a tile of pointers may point to.
fn bytes(rewriter: &Rewriter, pointers: ValueId) -> Option<Place> {
    let Element::Ptr(pointee) = rewriter.ty(pointers).as_tile()?.element else {
        return None;
    };
    let size = bytes_of(pointee);
    let (mut base, mut least, mut most) = (pointers, 0_i128, 0_i128);
    for _ in 0..DEPTH {
        let Some(definition) = rewriter.defining_op(base) else {
            break;
        };
        let op = rewriter.op(definition);
        match op.opcode {
            Opcode::Core(CoreOp::Offset) => {
                let Some((low, high)) = range(rewriter, op.operand("offset"), RANGE_DEPTH) else {
                    break;
                };
                let Element::Ptr(pointee) = rewriter.ty(base).as_tile()?.element else {
                    return None;
                };
                let step = bytes_of(pointee);
                (least, most) = (least + low * step, most + high * step);
                base = op.operand("ptr");
            }
            Opcode::Core(CoreOp::Broadcast | CoreOp::Permute | CoreOp::Reshape)
            | Opcode::Conversion(ConversionOp::PtrToPtr) => base = op.operands[0],
            _ => break,
        }
    }
    // Addresses are relative to a single pointer; a tile of several pointers may point anywhere.
    let count: i64 = rewriter.ty(base).as_tile()?.shape.iter().product();
    (count == 1).then_some(Place::Bytes {
        base,
        first: least,
        end: most + size,
    })
}

fn bytes_of(pointee: Scalar) -> i128 {
    i128::try_from(pointee.bytes()).expect("few bytes")
}

/// Returns a range that contains all elements of a tile, read as signed.
fn range(rewriter: &Rewriter, value: ValueId, depth: u32) -> Option<(i128, i128)> {
    let (scalar, shape) = rewriter.ty(value).as_number_tile()?;
    let shift = 64 - scalar.bits();
    let signed = |bits: u64| i128::from((bits << shift).cast_signed() >> shift);
    let op = rewriter.op(rewriter.defining_op(value)?);
    let depth = depth.checked_sub(1)?;
    let operand_range = |index: usize| range(rewriter, op.operands[index], depth);
    let (low, high) = match op.opcode {
        Opcode::Core(CoreOp::Constant) => match &**rewriter.constant(value)? {
            &DenseElements::Splat { scalar: _, bits } => (signed(bits), signed(bits)),
            DenseElements::Each { scalar: _, bits } => {
                let numbers = || bits.iter().map(|&bits| signed(bits));
                (numbers().min()?, numbers().max()?)
            }
        },
        Opcode::Core(CoreOp::Iota) => (0, i128::from(*shape.first()?) - 1),
        Opcode::Core(CoreOp::Broadcast | CoreOp::Permute | CoreOp::Reshape) => operand_range(0)?,
        Opcode::Integer(IntegerOp::AddI) => {
            let ((a, b), (c, d)) = (operand_range(0)?, operand_range(1)?);
            (a + c, b + d)
        }
        Opcode::Integer(IntegerOp::SubI) => {
            let ((a, b), (c, d)) = (operand_range(0)?, operand_range(1)?);
            (a - d, b - c)
        }
        Opcode::Integer(IntegerOp::MulI) => {
            let ((a, b), (c, d)) = (operand_range(0)?, operand_range(1)?);
            let products = [a * c, a * d, b * c, b * d];
            (*products.iter().min()?, *products.iter().max()?)
        }
        _ => return None,
    };
    // A value that does not fit wraps.
    let most = i128::from(u64::MAX >> shift >> 1);
    (-most - 1 <= low && high <= most).then_some((low, high))
}
