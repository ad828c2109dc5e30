//! Remarks on zero padding that takes part in a reduction: in a maximum, minimum or product, and in a sum
//! that is divided by the extent of the tile.
//!
//! In: tile IR. The search for padded loads follows element-wise operations backwards. It ends at operations
//! that choose elements, such as `select`.

use super::{Kind, Remark, Remarks};
use crate::analysis::divisibility::Divisibility;
use crate::lower::{Extent, ViewFacts};
use tile_core::Module;
use tile_core::interp::decode_float;
use tile_core::ir::{DenseElements, Op, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, Opcode, ViewOp};
use tile_core::types::PaddingValue;

/// Adds remarks on the reductions among the operations of an entry.
pub(super) fn padding(
    module: &Module,
    divisibility: &Divisibility,
    ops: &[OpId],
    remarks: &mut Remarks,
) {
    for &id in ops {
        let op = module.op(id);
        if op.opcode != CoreOp::Reduce.into() {
            continue;
        }
        let Some((what, neutral)) = combined(module, ops, id) else {
            continue;
        };
        let Ok(axis) = usize::try_from(op.dim()) else {
            continue;
        };
        let paths = Paths {
            module,
            divisibility,
        };
        if let Some(load) = paths.padded(op.operands[0], axis) {
            let line = module.op(load).loc.line();
            remarks.add(|| {
                let message = format!(
                    "zeros from outside of the tensor may be among the elements of this {what}"
                );
                let from = "the tile may reach over the end of its tensor, and is padded with zero";
                let note = match line {
                    0 => from.to_owned(),
                    line => format!("{from}: it is loaded in line {line}"),
                };
                Remark::new(Kind::Padding, op.loc, message)
                    .note(note)
                    .help(neutral)
            });
        }
    }
}

/// Returns the name of a reduction in which zeros count, and the advice what to do about them.
fn combined(module: &Module, ops: &[OpId], id: OpId) -> Option<(&'static str, &'static str)> {
    let block = module.block(module.region_block(id, 0)?);
    let &[body, end] = block.ops.as_slice() else {
        return None;
    };
    let (body, end) = (module.op(body), module.op(end));
    let yields = end.opcode == Opcode::ControlFlow(ControlFlowOp::Yield)
        && end.operands.as_slice() == body.results.as_slice();
    let both = body.operands.as_slice() == block.args.as_slice()
        || body.operands.iter().rev().eq(&block.args);
    if !yields || !both {
        return None;
    }
    Some(match body.opcode {
        Opcode::Float(FloatOp::MaxF) => (
            "maximum",
            "pad with negative infinity, or choose by `select` what exists",
        ),
        Opcode::Integer(IntegerOp::MaxI) => (
            "maximum",
            "choose by `select` what exists, and the least number of the type elsewhere",
        ),
        Opcode::Float(FloatOp::MinF) => (
            "minimum",
            "pad with infinity, or choose by `select` what exists",
        ),
        Opcode::Integer(IntegerOp::MinI) => (
            "minimum",
            "choose by `select` what exists, and the greatest number of the type elsewhere",
        ),
        Opcode::Float(FloatOp::MulF) | Opcode::Integer(IntegerOp::MulI) => {
            ("product", "choose by `select` what exists, and 1 elsewhere")
        }
        Opcode::Float(FloatOp::AddF) if is_mean(module, ops, id) => (
            "mean",
            "divide by the number of elements that exist, such as the extent of the tensor",
        ),
        _ => return None,
    })
}

/// Returns `true` if a sum is divided by its number of elements.
fn is_mean(module: &Module, ops: &[OpId], id: OpId) -> bool {
    let op = module.op(id);
    let Some((_, shape)) = module.ty(op.operands[0]).as_number_tile() else {
        return false;
    };
    let Some(&extent) = usize::try_from(op.dim())
        .ok()
        .and_then(|axis| shape.get(axis))
    else {
        return false;
    };
    #[expect(clippy::cast_precision_loss, reason = "tiles are small")]
    let extent = extent as f64;
    let sum = op.result();
    // A conversion may separate the sum from the division.
    let users = |value: ValueId| {
        let ops = ops.iter().map(|&id| module.op(id));
        ops.filter(move |op| op.operands.contains(&value))
    };
    let divides = |value: ValueId| {
        users(value).any(|user| {
            let by = |wanted: f64| {
                let others = user.operands.iter().filter(|&&other| other != value);
                others.clone().count() == 1
                    && others
                        .into_iter()
                        .all(|&other| splat(module, other) == Some(wanted))
            };
            match user.opcode {
                Opcode::Float(FloatOp::DivF) => user.operands[0] == value && by(extent),
                Opcode::Float(FloatOp::MulF) => by(1.0 / extent),
                _ => false,
            }
        })
    };
    divides(sum)
        || users(sum).any(|user| {
            let converts = matches!(user.opcode, Opcode::Conversion(_))
                || user.opcode == CoreOp::Reshape.into()
                || user.opcode == CoreOp::Broadcast.into();
            converts && divides(user.result())
        })
}

/// Returns the value of the elements of a constant, if all elements are equal.
fn splat(module: &Module, value: ValueId) -> Option<f64> {
    let op = module.op(module.defining_op(value)?);
    if op.opcode == CoreOp::Reshape.into() || op.opcode == CoreOp::Broadcast.into() {
        return splat(module, op.operands[0]);
    }
    if op.opcode != CoreOp::Constant.into() {
        return None;
    }
    match *op.dense_value() {
        DenseElements::Splat { scalar, bits } if scalar.is_float() => {
            Some(decode_float(scalar, bits))
        }
        _ => None,
    }
}

struct Paths<'a> {
    module: &'a Module,
    divisibility: &'a Divisibility,
}

impl Paths<'_> {
    /// Returns a load with zero padding along `axis` of `value`.
    fn padded(&self, value: ValueId, axis: usize) -> Option<OpId> {
        let module = self.module;
        let id = module.defining_op(value)?;
        let op = module.op(id);
        match op.opcode {
            Opcode::View(ViewOp::LoadViewTko) => self.pads(op, axis).then_some(id),
            Opcode::Float(FloatOp::MmaF | FloatOp::MmaFScaled)
            | Opcode::Integer(IntegerOp::MmaI)
            | Opcode::Memory(MemoryOp::LoadPtrTko) => None,
            Opcode::Float(_) | Opcode::Integer(_) | Opcode::Bitwise(_) | Opcode::Conversion(_) => {
                let mut operands = op.operands.iter();
                operands.find_map(|&operand| self.padded(operand, axis))
            }
            _ => None,
        }
    }

    /// Returns `true` if a tile may extend beyond the end of its tensor along `axis` and is padded with zeros
    /// there.
    fn pads(&self, load: &Op, axis: usize) -> bool {
        let facts = ViewFacts::from_access(self.module, self.divisibility, load);
        let is_sparse = facts
            .ty
            .sparse_dim
            .is_some_and(|sparse| sparse as usize == axis);
        let (Some(&(extent, _)), Some(&tile)) = (facts.axes.get(axis), facts.ty.tile.get(axis))
        else {
            return false;
        };
        let tile = u64::from(tile.unsigned_abs());
        let is_whole = match extent {
            Extent::Static(extent) => extent.unsigned_abs().is_multiple_of(tile),
            Extent::Dynamic(_) => extent.divisor(self.divisibility) >= tile,
        };
        facts.ty.padding == Some(PaddingValue::Zero) && tile > 1 && !is_sparse && !is_whole
    }
}
