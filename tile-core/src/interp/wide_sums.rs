//! Accumulates sums and products of narrow floats in f32, with a single final rounding.
//!
//! Rewrites `reduce` and `scan` of f16 and bf16 whose body adds or multiplies to work on f32:
//!
//! ```text
//!   %s = reduce %x : f16 { addf }      %w = ftof %x : f16 -> f32
//!                                      %v = reduce %w : f32 { addf }
//!                                      %s = ftof %v : f32 -> f16
//! ```
//!
//! A code generator does the same where [`sums_in_f32`] says so. Otherwise, the terms of a long
//! sum, such as one of 2^20 terms, would be lost in rounding once the partial sum is 2^11 (f16) or
//! 2^8 (bf16) times as large as a term. Extrema are exact and remain unchanged, and so do larger
//! bodies, which state their types themselves.

use super::encoding::{decode_float, encode_float};
use crate::ir::{Attr, Module, Op, OpId, RoundingMode, TypedScalar, ValueDef, ValueId};
use crate::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp, Opcode};
use crate::types::{Scalar, Type};

/// Returns, per operand of a `reduce` or `scan`, the operation of its body that is to be computed
/// in f32. This is an addition or multiplication of the element and the accumulator, both f16 or
/// bf16, if neither they nor the result have other uses.
///
/// # Panics
/// If the operation is neither, or breaks a rule that the verifier checks.
pub fn sums_in_f32(module: &Module, id: OpId) -> Vec<Option<OpId>> {
    let body = module.region_block(id, 0);
    let body = module.block(body.expect("a verified reduction has a body"));
    let sum = |index: usize, pair: &[ValueId]| -> Option<OpId> {
        let narrow = module.ty(pair[0]).as_number_tile()?.0;
        if !matches!(narrow, Scalar::F16 | Scalar::BF16) {
            return None;
        }
        let (&end, _) = body.ops.split_last()?;
        let end = module.op(end);
        if end.opcode != Opcode::ControlFlow(ControlFlowOp::Yield) {
            return None;
        }
        let result = *end.operands.get(index)?;
        let id = module.defining_op(result)?;
        let sum = module.op(id);
        let adds = matches!(sum.opcode, Opcode::Float(FloatOp::AddF | FloatOp::MulF))
            && sum.rounding_mode() == RoundingMode::NearestEven;
        let [lhs, rhs] = sum.operands[..] else {
            return None;
        };
        let both = [lhs, rhs] == *pair || [rhs, lhs] == *pair;
        let uses = |value: ValueId| {
            let ops = body.ops.iter().flat_map(|&id| &module.op(id).operands);
            ops.filter(|&&used| used == value).count()
        };
        let alone = uses(lhs) == 1 && uses(rhs) == 1 && uses(result) == 1;
        (adds && both && alone).then_some(id)
    };
    let pairs = body.args.chunks_exact(2).enumerate();
    pairs.map(|(index, pair)| sum(index, pair)).collect()
}

/// Returns `module` with narrow sums in f32. Operations and values keep their numbers, and the new
/// operations and values are numbered after them.
pub fn with_wide_sums(module: &Module) -> Module {
    let mut wide = module.clone();
    for entry in module.entries() {
        let Some(body) = module.region_block(entry, 0) else {
            continue;
        };
        for id in module.walk(body) {
            let opcode = module.op(id).opcode;
            if opcode != CoreOp::Reduce.into() && opcode != CoreOp::Scan.into() {
                continue;
            }
            for (index, sum) in sums_in_f32(module, id).into_iter().enumerate() {
                if let Some(sum) = sum {
                    widen(&mut wide, id, index, sum);
                }
            }
        }
    }
    wide
}

/// Widens one operand of an operation, its use in the body, and the result.
fn widen(wide: &mut Module, id: OpId, index: usize, sum: OpId) {
    let block = wide.op(id).parent.expect("it is in an entry");
    let position = wide.block(block).ops.iter().position(|&op| op == id);
    let position = position.expect("it is in its block");

    let operand = wide.op(id).operands[index];
    let before = conversion(wide, id, operand);
    let ty = in_f32(wide.ty(operand));
    wide.op_mut(id).operands[index] = wide.add_result(before, ty);

    let body = wide.region_block(id, 0).expect("it has a body");
    let mut inside = wide.block(body).args[2 * index..2 * index + 2].to_vec();
    inside.push(wide.op(sum).result());
    for value in inside {
        wide.value_mut(value).ty = in_f32(wide.ty(value));
    }
    let mut identities = wide.op(id).identities().to_vec();
    let TypedScalar { scalar, bits } = identities[index];
    identities[index] = TypedScalar {
        scalar: Scalar::F32,
        bits: encode_float(Scalar::F32, decode_float(scalar, bits)),
    };
    let identities = Attr::Scalars(identities.into());
    wide.op_mut(id).set_attr("identities", Some(identities));

    // The old result becomes the rounding of the new one, for all its users.
    let narrow = wide.op(id).results[index];
    let sums = wide.add_result(id, in_f32(wide.ty(narrow)));
    wide.op_mut(id).results.pop();
    wide.op_mut(id).results[index] = sums;
    let number = u32::try_from(index).expect("few results");
    wide.value_mut(sums).def = ValueDef::Result(id, number);
    let after = conversion(wide, id, sums);
    wide.op_mut(after).results.push(narrow);
    wide.value_mut(narrow).def = ValueDef::Result(after, 0);

    wide.insert_op(block, position + 1, after);
    wide.insert_op(block, position, before);
}

/// Makes an `ftof` with the location of `beside`. It is not in a block yet, and has no result.
fn conversion(module: &mut Module, beside: OpId, source: ValueId) -> OpId {
    let mut op = Op::new(ConversionOp::FToF.into(), module.op(beside).loc);
    op.attrs.resize(op.def().attrs.len(), None);
    let rounding = Attr::Rounding(RoundingMode::NearestEven);
    op.set_attr("rounding_mode", Some(rounding));
    op.operands.push(source);
    op.segments.push(1);
    module.add_op(op)
}

fn in_f32(ty: Type) -> Type {
    let (_, shape) = ty.as_number_tile().expect("a tile of numbers");
    Type::tile(Scalar::F32, shape)
}
