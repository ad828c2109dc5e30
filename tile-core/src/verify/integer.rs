//! Verifies integer attributes that exclude each other, and the integer matmul.

use super::{Context, mma};
use crate::diag::Code;
use crate::ir::{Attr, IntegerOverflow, Op, RoundingMode, Signedness};
use crate::ops::IntegerOp;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: IntegerOp) {
    match opcode {
        IntegerOp::DivI => {
            let unsigned = op.attr("signedness") == Some(&Attr::Signedness(Signedness::Unsigned));
            let floor = op.attr("rounding") == Some(&Attr::Rounding(RoundingMode::NegativeInf));
            if unsigned && floor {
                cx.error(
                    Code::VerifyAttributes,
                    op,
                    "`rounding<negative_inf>` on an unsigned division",
                    "an unsigned quotient is rounded toward zero or up",
                );
            }
        }
        IntegerOp::NegI => {
            let no_unsigned = Attr::Overflow(IntegerOverflow::NoUnsignedWrap);
            if op.attr("overflow") == Some(&no_unsigned) {
                cx.error(
                    Code::VerifyAttributes,
                    op,
                    "`overflow<no_unsigned_wrap>` on a negation",
                    "a negation is signed",
                );
            }
        }
        IntegerOp::MmaI => {
            mma::verify_shapes(cx, op);
        }
        IntegerOp::AbsI
        | IntegerOp::AddI
        | IntegerOp::CmpI
        | IntegerOp::MaxI
        | IntegerOp::MinI
        | IntegerOp::MulhiI
        | IntegerOp::MulI
        | IntegerOp::RemI
        | IntegerOp::ShlI
        | IntegerOp::ShrI
        | IntegerOp::SubI => {}
    }
}
