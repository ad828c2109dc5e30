//! Folds of bitwise operations, which are folded for all operands.

use super::{Rule, elementwise};
use crate::ops::BitwiseOp;

pub(super) fn rule(kind: BitwiseOp) -> Rule {
    match kind {
        BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI => elementwise,
    }
}
