//! Integer arithmetic: folded wherever it is defined.
//!
//! Division by zero, an unrepresentable quotient, a shift by the width or more, and an overflow
//! that the operation rules out (`overflow<..>`) fault in the interpreter, so they are not folded.
//! `mmai` sums in an unspecified order, but wraps, so the order does not matter.

use super::{Rule, elementwise, whole};
use crate::ops::IntegerOp;

pub(super) fn rule(kind: IntegerOp) -> Rule {
    match kind {
        IntegerOp::AbsI
        | IntegerOp::AddI
        | IntegerOp::CmpI
        | IntegerOp::DivI
        | IntegerOp::MaxI
        | IntegerOp::MinI
        | IntegerOp::MulhiI
        | IntegerOp::MulI
        | IntegerOp::NegI
        | IntegerOp::RemI
        | IntegerOp::ShlI
        | IntegerOp::ShrI
        | IntegerOp::SubI => elementwise,
        IntegerOp::MmaI => whole,
    }
}
