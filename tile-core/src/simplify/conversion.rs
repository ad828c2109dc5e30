//! Rules for nested extensions and truncations.

use super::build::{mask, promises};
use super::{Rule, Simplifier, has_arithmetic, rules};
use crate::ir::{OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, ConversionOp};
use std::cmp::Ordering;

pub(super) const EXT: &[Rule] = rules![ext_ext, ext_of_trunc];
pub(super) const TRUNC: &[Rule] = rules![trunc_of_ext, trunc_trunc, trunc_masked];
pub(super) const BITCAST: &[Rule] = rules![bitcast_same, bitcast_bitcast];

/// `ext(ext x) = ext x`, with the same signedness; a signed extension of an unsigned one is
/// unsigned
fn ext_ext(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let op = cx.rewriter.op(id);
    let (inner, outer) = (op.operands[0], op.signedness());
    let source = cx.source(inner, ConversionOp::ExtI)?;
    let nested = cx.definition(inner)?.signedness();
    if outer == Signedness::Unsigned && nested == Signedness::Signed {
        return None;
    }
    let ty = cx.result_ty(id);
    Some(cx.extend(id, source, nested, ty))
}

/// `ext(trunc x) = x`, if a promise or known bits show that `trunc` drops no information;
/// `ext(trunc x) unsigned = x & mask`; if both ends have the same type
fn ext_of_trunc(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let op = cx.rewriter.op(id);
    let (inner, signedness) = (op.operands[0], op.signedness());
    let source = cx.source(inner, ConversionOp::TruncI)?;
    if cx.rewriter.ty(source) != cx.result_ty(id) {
        return None;
    }
    let (signed, unsigned) = promises(cx.definition(inner)?.overflow());
    let narrow = cx.width(inner);
    let known = cx.facts.compute(cx.rewriter, source);
    let most = i64::MAX >> (64 - narrow);
    let is_kept = match signedness {
        Signedness::Signed => signed || (known.signed.0 >= -most - 1 && known.signed.1 <= most),
        Signedness::Unsigned => unsigned || known.unsigned.1 <= mask(narrow),
    };
    match signedness {
        _ if is_kept => Some(source),
        Signedness::Signed => None,
        Signedness::Unsigned if !has_arithmetic(cx.rewriter.ty(source)) => None,
        Signedness::Unsigned => Some(cx.apply_constant(id, BitwiseOp::AndI, source, mask(narrow))),
    }
}

/// `trunc(ext x) = x`, `trunc x` or `ext x`, depending on the widths
fn trunc_of_ext(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let inner = cx.rewriter.op(id).operands[0];
    let source = cx.source(inner, ConversionOp::ExtI)?;
    let signedness = cx.definition(inner)?.signedness();
    let ty = cx.result_ty(id);
    let result = cx.rewriter.op(id).result();
    match cx.width(result).cmp(&cx.width(source)) {
        Ordering::Equal => Some(source),
        Ordering::Less => Some(cx.make(id, ConversionOp::TruncI, &[source], &[], ty)),
        Ordering::Greater => Some(cx.extend(id, source, signedness, ty)),
    }
}

/// `trunc(trunc x) = trunc x`
fn trunc_trunc(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.source(cx.rewriter.op(id).operands[0], ConversionOp::TruncI)?;
    let ty = cx.result_ty(id);
    Some(cx.make(id, ConversionOp::TruncI, &[source], &[], ty))
}

/// `trunc(x & c) = trunc x`, if `c` has every bit that remains
fn trunc_masked(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let op = cx.rewriter.op(id);
    let kept = mask(cx.width(op.result()));
    let (source, bits) = cx.with_constant(op.operands[0], BitwiseOp::AndI)?;
    if bits & kept != kept {
        return None;
    }
    let ty = cx.result_ty(id);
    Some(cx.make(id, ConversionOp::TruncI, &[source], &[], ty))
}

/// `bitcast x = x`, to the same type
fn bitcast_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.rewriter.op(id).operands[0];
    (cx.rewriter.ty(source) == cx.result_ty(id)).then_some(source)
}

/// `bitcast(bitcast x) = bitcast x`
fn bitcast_bitcast(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.source(cx.rewriter.op(id).operands[0], ConversionOp::BitCast)?;
    let ty = cx.result_ty(id);
    Some(cx.make(id, ConversionOp::BitCast, &[source], &[], ty))
}
