//! The folds and patterns of `select`.

use super::pattern::{Fold, Folded, Pattern};
use crate::ir::{Attr, ComparisonPredicate, DenseElements, OpId, Signedness};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, Opcode};
use crate::rewrite::Rewriter;
use crate::types::Scalar;
use std::sync::Arc;

/// Applies the first rule that matches. The rules have the order of the dialect's description, in
/// which no rule hides a later one.
pub(super) fn fold(rewriter: &mut Rewriter, id: OpId) -> Folded {
    let op = rewriter.op(id);
    let [cond, then, otherwise] = [op.operands[0], op.operands[1], op.operands[2]];
    let result = op.result();
    // select c, a, a = a
    if then == otherwise {
        return Some(("select_same_arms", Fold::value(then)));
    }
    // select true, a, b = a; select false, a, b = b
    if let Some(cond) = rewriter.constant_bool(cond) {
        let arm = if cond { then } else { otherwise };
        return Some(("select_constant_condition", Fold::value(arm)));
    }
    // select c, true, false = c
    let arms = (
        rewriter.constant_bool(then),
        rewriter.constant_bool(otherwise),
    );
    if arms == (Some(true), Some(false)) && rewriter.ty(cond) == rewriter.ty(result) {
        return Some(("select_true_false", Fold::value(cond)));
    }
    // select (a == b), a, b = b; select (a != b), a, b = a; also if the comparison swaps a and b
    if let Some(comparison) = rewriter.comparison(cond) {
        let comparison = rewriter.op(comparison);
        let (lhs, rhs) = (comparison.operands[0], comparison.operands[1]);
        if (lhs, rhs) == (then, otherwise) || (lhs, rhs) == (otherwise, then) {
            match comparison.predicate() {
                ComparisonPredicate::Equal => {
                    return Some(("select_equal", Fold::value(otherwise)));
                }
                ComparisonPredicate::NotEqual => {
                    return Some(("select_not_equal", Fold::value(then)));
                }
                _ => {}
            }
        }
    }
    // select (xori p, true), a, b = select p, b, a
    if let Some(plain) = rewriter.negated(cond) {
        rewriter.set_operand(id, 0, plain);
        rewriter.set_operand(id, 1, otherwise);
        rewriter.set_operand(id, 2, then);
        return Some(("select_negated_condition", Fold::InPlace));
    }
    // select c, (select c, a, b), d = select c, a, d
    let nested = |value| {
        let inner = rewriter.op(rewriter.defined_by(value, CoreOp::Select)?);
        (inner.operands[0] == cond).then(|| (inner.operands[1], inner.operands[2]))
    };
    if let Some((first, _)) = nested(then) {
        rewriter.set_operand(id, 1, first);
        return Some(("select_nested_true_arm", Fold::InPlace));
    }
    // select c, a, (select c, b, d) = select c, a, d
    if let Some((_, second)) = nested(otherwise) {
        rewriter.set_operand(id, 2, second);
        return Some(("select_nested_false_arm", Fold::InPlace));
    }
    None
}

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "select_i1_to_not",
        rewrite: i1_to_not,
    },
    Pattern {
        name: "select_constants",
        rewrite: constants,
    },
    Pattern {
        name: "select_to_exti",
        rewrite: to_exti,
    },
];

/// `select c, false, true = xori c, true`
fn i1_to_not(rewriter: &mut Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let [cond, then, otherwise] = [op.operands[0], op.operands[1], op.operands[2]];
    let arms = (
        rewriter.constant_bool(then),
        rewriter.constant_bool(otherwise),
    );
    if arms != (Some(false), Some(true)) {
        return false;
    }
    let loc = op.loc;
    let negated = rewriter.build_before(id, |builder| {
        builder.like_first(BitwiseOp::XorI, &[cond, otherwise], loc)
    });
    rewriter.replace(id, &[negated]);
    true
}

/// `select C, A, B = D` where `D[i] = C[i] ? A[i] : B[i]`
fn constants(rewriter: &mut Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let (loc, ty) = (op.loc, rewriter.ty(op.result()));
    let [cond, then, otherwise] = [op.operands[0], op.operands[1], op.operands[2]];
    let (Some(cond), Some(then), Some(otherwise)) = (
        rewriter.constant(cond),
        rewriter.constant(then),
        rewriter.constant(otherwise),
    ) else {
        return false;
    };
    // A condition with equal elements has already been folded.
    let DenseElements::Each { bits, .. } = &**cond else {
        return false;
    };
    let chosen = bits.iter().enumerate().map(|(index, &bit)| {
        let arm = if bit == 0 { otherwise } else { then };
        arm.bits_at(index)
    });
    let dense = DenseElements::from_bits(then.scalar(), chosen.collect());
    let value = rewriter.build_before(id, |builder| {
        builder
            .op(CoreOp::Constant, loc)
            .attr("value", Attr::Dense(Arc::new(dense)))
            .result(ty)
            .finish_value()
    });
    rewriter.replace(id, &[value]);
    true
}

/// `select c, 1, 0 = exti c unsigned`; `select c, 0, 1 = exti (xori c, true) unsigned`
fn to_exti(rewriter: &mut Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let (loc, ty) = (op.loc, rewriter.ty(op.result()));
    let [cond, then, otherwise] = [op.operands[0], op.operands[1], op.operands[2]];
    let Some((scalar, shape)) = ty.as_number_tile() else {
        return false;
    };
    if !scalar.is_integer() || scalar == Scalar::I1 {
        return false;
    }
    let is_direct = rewriter.is_one(then) && rewriter.is_zero(otherwise);
    let is_reversed = rewriter.is_zero(then) && rewriter.is_one(otherwise);
    if !is_direct && !is_reversed {
        return false;
    }
    let extended = rewriter.build_before(id, |builder| {
        let cond = if is_direct {
            cond
        } else {
            let one = builder.splat(Scalar::I1, 1, shape, loc);
            builder.like_first(BitwiseOp::XorI, &[cond, one], loc)
        };
        let unsigned = Some(Signedness::Unsigned);
        builder.convert(ConversionOp::ExtI, cond, scalar, unsigned, loc)
    });
    rewriter.replace(id, &[extended]);
    true
}

/// Returns `true` if `select` accepts tiles of the type of `value`.
pub(super) fn admits(rewriter: &Rewriter, value: crate::ir::ValueId) -> bool {
    let tile = rewriter.ty(value).as_tile();
    tile.is_some_and(|tile| tile.element != Scalar::F4E2M1FN.into())
}

/// The opcode of `select`.
pub(super) const OPCODE: Opcode = Opcode::Core(CoreOp::Select);
