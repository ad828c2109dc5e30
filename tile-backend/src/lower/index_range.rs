//! Determines whether a tile index is within the index space of its view.
//!
//! Input: an index of verified IR, and the axis of a tensor whose tiles it counts. Output: where the tile
//! starts, as far as that is known statically. In general, a tile may start anywhere: a tile that starts past
//! the end of the tensor is padding, and storing it has no effect. The generated code therefore tests where a
//! tile starts, unless that follows from the computation of the index:
//!
//! ```text
//!   for k in 0..num_tiles of the axis            inside
//!   for k in 0..min(num_tiles of the axis, n)    inside
//!   for k in 0..num_tiles of another axis        its first element fits the width of extents
//!   block_id, with a grid of tiles               inside
//!   the attribute `inbounds`                     inside
//! ```

use super::access::{Extent, extents_of_view};
use crate::gpu::Begins;
use crate::options::{GridExtent, GridTiles, KernelOptions};
use tile_core::Module;
use tile_core::ir::{Attr, Op, RoundingMode, Signedness, ValueDef, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode, ViewOp};

/// Maximum length of a chain of operations that is followed.
const MAX_DEPTH: usize = 16;

/// For each axis of the grid, the extent of the tensor axis that its work tiles cover, and the number of
/// elements between tiles.
pub(super) type GridBounds = [Option<(Extent, u64)>; 3];

/// Returns the grid bounds that hold in every launch of an entry with these parameters.
pub(super) fn grid_bounds(parameters: &[ValueId], kernel_options: KernelOptions) -> GridBounds {
    kernel_options.grid.map(|tiles| {
        let GridTiles { extent, step } = tiles?;
        let extent = match extent {
            GridExtent::Parameter(number) => Extent::Dynamic(*parameters.get(number)?),
            GridExtent::Constant(extent) => Extent::Static(i64::try_from(extent).ok()?),
        };
        Some((extent, step))
    })
}

/// The tiles along an axis of a tensor.
#[derive(Clone, Copy, Debug)]
struct Tiles<'g> {
    grid: &'g GridBounds,
    /// The extent of the tensor; `Err` stands for any extent with this many bits.
    extent: Result<Extent, u32>,
    /// The number of elements between the starts of consecutive tiles.
    step: u64,
}

/// Returns what is known about the start of the tile at `index` along an axis with extent `extent`, where
/// element indices have `bits` bits.
pub(super) fn begins(
    (module, grid): (&Module, &GridBounds),
    index: ValueId,
    extent: Extent,
    step: u64,
    bits: u32,
) -> Begins {
    let is_tile_of = |extent| Tiles { grid, extent, step }.has(module, index, 0);
    let is_short = u128::from(step) << width(module, index).min(64) <= 1_u128 << bits;
    if is_tile_of(Ok(extent)) {
        Begins::Inside
    } else if is_short || is_tile_of(Err(bits)) {
        Begins::Representable
    } else {
        Begins::Anywhere
    }
}

/// Returns `true` if `op` has the attribute `inbounds` for `axis`.
pub(super) fn is_promised(op: &Op, axis: usize) -> bool {
    let can_promise = op.def().attrs.iter().any(|attr| attr.name == "inbounds");
    match can_promise.then(|| op.attr("inbounds")).flatten() {
        Some(Attr::BoolArray(inbounds)) => inbounds.get(axis) == Some(&true),
        _ => false,
    }
}

impl Tiles<'_> {
    /// Returns `true` if `index`, as an unsigned number, is certainly the index of one of the tiles.
    fn has(&self, module: &Module, index: ValueId, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let (id, result) = match module.value(index).def {
            ValueDef::Argument(..) => {
                let Some(counter) = Counter::match_value(module, index) else {
                    return false;
                };
                return (counter.unsigned || is_natural(module, counter.lower, depth + 1))
                    && self.is_at_least(module, counter.upper, counter.unsigned, depth + 1);
            }
            ValueDef::Result(id, number) => (id, number as usize),
        };
        let op = module.op(id);
        match op.opcode {
            Opcode::Core(CoreOp::GetTileBlockId) => self.grid[result]
                .is_some_and(|(extent, step)| step >= self.step && self.is_at_most(module, extent)),
            Opcode::Core(CoreOp::Constant) => op.dense_value().splat_bits().is_some_and(|bits| {
                let first = u128::from(bits) * u128::from(self.step);
                match self.extent {
                    Ok(Extent::Static(extent)) => first < u128::from(extent.unsigned_abs()),
                    Ok(Extent::Dynamic(_)) => false,
                    Err(bits) => first >> bits == 0,
                }
            }),
            Opcode::Misc(MiscOp::Assume) => self.has(module, op.operands[0], depth + 1),
            Opcode::Conversion(ConversionOp::ExtI) => {
                let from = op.operands[0];
                (is_unsigned(op) || is_natural(module, from, depth + 1))
                    && self.has(module, from, depth + 1)
            }
            _ => false,
        }
    }

    /// Returns `true` if there are certainly at least `end` tiles, or `end` is certainly negative as a signed
    /// number. As the end of a loop from a non-negative number, a negative `end` means that there is no
    /// iteration.
    fn is_at_least(&self, module: &Module, end: ValueId, unsigned: bool, depth: usize) -> bool {
        let ValueDef::Result(id, number) = module.value(end).def else {
            return false;
        };
        if depth > MAX_DEPTH {
            return false;
        }
        let op = module.op(id);
        let next = |index: usize| self.is_at_least(module, op.operands[index], unsigned, depth + 1);
        match op.opcode {
            Opcode::View(ViewOp::GetIndexSpaceShape) => {
                self.is_counted(module, op, number as usize)
            }
            Opcode::Core(CoreOp::Constant) => {
                let bits = op.dense_value().splat_bits().unwrap_or(u64::MAX);
                match self.extent {
                    Ok(Extent::Static(extent)) => bits <= extent.unsigned_abs().div_ceil(self.step),
                    Ok(Extent::Dynamic(_)) => bits == 0,
                    Err(width) => (u128::from(bits) * u128::from(self.step)) >> width == 0,
                }
            }
            Opcode::Core(CoreOp::Select) => next(1) && next(2),
            // The signedness must match: a signed minimum may be negative, which is a large unsigned number.
            Opcode::Integer(IntegerOp::MinI) if is_unsigned(op) == unsigned => next(0) || next(1),
            Opcode::Integer(IntegerOp::DivI) if is_unsigned(op) == unsigned => {
                self.is_quotient(module, op)
            }
            Opcode::Misc(MiscOp::Assume) => next(0),
            Opcode::Conversion(ConversionOp::ExtI) if is_unsigned(op) == unsigned => next(0),
            // A truncated tile count is at most the count. Other numbers may have been negative, so their
            // truncation says nothing.
            Opcode::Conversion(ConversionOp::TruncI) => {
                let from = module.defining_op(op.operands[0]).map(|id| module.op(id));
                from.is_some_and(|from| from.opcode == ViewOp::GetIndexSpaceShape.into()) && next(0)
            }
            _ => false,
        }
    }

    /// Returns `true` if the view of `count` has at most as many tiles along `axis`.
    fn is_counted(&self, module: &Module, count: &Op, axis: usize) -> bool {
        let view = count.operand("src");
        let Some(ty) = module.ty(view).as_tile_view() else {
            return false;
        };
        let extents = extents_of_view(module, view);
        ty.step(axis) >= self.step && self.is_at_most(module, extents[axis])
    }

    /// Returns `true` if `op` divides an extent that is at most ours by a step that is at least ours,
    /// rounding up.
    fn is_quotient(&self, module: &Module, op: &Op) -> bool {
        let rounds_up = matches!(
            op.attr("rounding"),
            Some(Attr::Rounding(RoundingMode::PositiveInf))
        );
        let by = constant(module, op.operands[1]);
        rounds_up
            && by
                .is_some_and(|by| by >= self.step && by >> (width(module, op.operands[1]) - 1) == 0)
            && self.is_at_most(module, Extent::Dynamic(op.operands[0]))
    }

    /// Returns `true` if `other` is certainly at most the extent of the axis.
    fn is_at_most(&self, module: &Module, other: Extent) -> bool {
        match (self.extent, other) {
            (Ok(Extent::Static(extent)), Extent::Static(other)) => other <= extent,
            (Ok(Extent::Dynamic(extent)), Extent::Dynamic(other)) => {
                stated(module, extent) == stated(module, other)
            }
            (Ok(_), _) => false,
            (Err(bits), Extent::Static(other)) => bits >= 64 || other >> bits == 0,
            (Err(bits), Extent::Dynamic(other)) => width(module, other) <= bits,
        }
    }
}

/// The induction variable of a loop.
struct Counter {
    lower: ValueId,
    upper: ValueId,
    unsigned: bool,
}

impl Counter {
    fn match_value(module: &Module, value: ValueId) -> Option<Self> {
        let ValueDef::Argument(block, 0) = module.value(value).def else {
            return None;
        };
        let op = module.op(module.parent_op_of_block(block)?);
        (op.opcode == ControlFlowOp::For.into()).then(|| Self {
            lower: op.operand("lowerBound"),
            upper: op.operand("upperBound"),
            unsigned: op.has_flag("unsignedCmp"),
        })
    }
}

/// Returns `true` if the value is certainly not negative as a signed number.
fn is_natural(module: &Module, value: ValueId, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let id = match module.value(value).def {
        ValueDef::Argument(..) => {
            // Steps are positive, and an induction variable does not wrap.
            return Counter::match_value(module, value).is_some_and(|counter| {
                !counter.unsigned && is_natural(module, counter.lower, depth + 1)
            });
        }
        ValueDef::Result(id, _) => id,
    };
    let op = module.op(id);
    let next = |index: usize| is_natural(module, op.operands[index], depth + 1);
    match op.opcode {
        Opcode::Core(CoreOp::Constant) => {
            constant(module, value).is_some_and(|bits| bits >> (width(module, value) - 1) == 0)
        }
        Opcode::Core(CoreOp::GetTileBlockId | CoreOp::GetNumTileBlocks) => true,
        Opcode::Core(CoreOp::Select) => next(1) && next(2),
        Opcode::Misc(MiscOp::Assume) => next(0),
        Opcode::Conversion(ConversionOp::ExtI) => is_unsigned(op) || next(0),
        Opcode::Integer(IntegerOp::MaxI) if !is_unsigned(op) => next(0) || next(1),
        Opcode::Integer(IntegerOp::MinI | IntegerOp::DivI) if !is_unsigned(op) => {
            next(0) && next(1)
        }
        _ => false,
    }
}

fn is_unsigned(op: &Op) -> bool {
    matches!(
        op.attr("signedness"),
        Some(Attr::Signedness(Signedness::Unsigned))
    )
}

/// Returns the number of bits of a value's type.
fn width(module: &Module, value: ValueId) -> u32 {
    let ty = module.ty(value).as_number_tile();
    ty.map_or(64, |(scalar, _)| scalar.bits())
}

fn constant(module: &Module, value: ValueId) -> Option<u64> {
    let op = module.op(module.defining_op(value)?);
    match op.opcode {
        Opcode::Core(CoreOp::Constant) => op.dense_value().splat_bits(),
        _ => None,
    }
}

/// Returns the value to which a chain of `assume` operations was applied.
fn stated(module: &Module, mut value: ValueId) -> ValueId {
    while let Some(id) = module.defining_op(value)
        && module.op(id).opcode == Opcode::Misc(MiscOp::Assume)
    {
        value = module.op(id).operands[0];
    }
    value
}
