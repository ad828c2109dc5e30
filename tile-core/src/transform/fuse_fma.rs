//! `fuse-fma`: fuses multiplications and additions, with one rounding instead of two.
//!
//! The rewrites are `addf (mulf a, b), c = fma a, b, c` and `subf (mulf a, b), c = fma a, b, (negf
//! c)`, if the `mulf` is the left operand, has no other use, and has the same rounding and flushing
//! modes as the sum. As in canonicalization, a product is first made the left operand of a sum, so
//! `c + a * b` is fused too. `c - a * b` is not.

use crate::canonicalize::product_first;
use crate::ir::{Attr, OpId};
use crate::ops::{FloatOp, Opcode};
use crate::pass::Trace;
use crate::rewrite::Rewriter;

/// Fuses every `mulf` with the sum or difference that is its only user.
pub(crate) fn fuse_fma(rewriter: &mut Rewriter, trace: &mut Trace) {
    for op in rewriter.walk(rewriter.module().body()) {
        if !rewriter.is_attached(op) {
            continue;
        }
        let (opcode, loc) = (rewriter.op(op).opcode, rewriter.op(op).loc);
        match opcode {
            Opcode::Float(FloatOp::AddF) => {
                if product_first(rewriter, op) {
                    trace.note("addf_product_first", loc);
                }
                if fuse(rewriter, op, Sign::Sum) {
                    trace.note("fuse_addf", loc);
                }
            }
            Opcode::Float(FloatOp::SubF) if fuse(rewriter, op, Sign::Difference) => {
                trace.note("fuse_subf", loc);
            }
            _ => {}
        }
    }
}

/// The role of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Sum,
    Difference,
}

fn fuse(rewriter: &mut Rewriter, id: OpId, sign: Sign) -> bool {
    let op = rewriter.op(id);
    let (product, addend, loc) = (op.operands[0], op.operands[1], op.loc);
    let Some(multiply) = rewriter.defined_by(product, FloatOp::MulF) else {
        return false;
    };
    let multiply_op = rewriter.op(multiply);
    let rounding = op.rounding_mode();
    let flushes = op.has_flag("flush_to_zero");
    if rewriter.num_uses(product) != 1
        || multiply_op.rounding_mode() != rounding
        || multiply_op.has_flag("flush_to_zero") != flushes
    {
        return false;
    }
    let (a, b) = (multiply_op.operands[0], multiply_op.operands[1]);
    let ty = rewriter.ty(product);
    let fused = rewriter.build_before(id, |builder| {
        let addend = match sign {
            Sign::Sum => addend,
            Sign::Difference => builder.like_first(FloatOp::NegF, &[addend], loc),
        };
        builder
            .op(FloatOp::Fma, loc)
            .args(&[a, b, addend])
            .attr("rounding_mode", Attr::Rounding(rounding))
            .flag("flush_to_zero", flushes)
            .result(ty)
            .finish_value()
    });
    rewriter.replace(id, &[fused]);
    rewriter.erase(multiply);
    true
}
