//! Folds of integer arithmetic, if the result is defined.
//!
//! Division by zero, an unrepresentable quotient, a shift by the width or more, and an overflow
//! that the operation rules out (`overflow<..>`) fault in the interpreter, so they are not folded.
//! `mmai` adds in an unspecified order, which does not matter because it wraps.

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
