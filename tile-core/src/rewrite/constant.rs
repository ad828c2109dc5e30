//! Queries on values that constants and single operations define.

use super::Rewriter;
use crate::ir::{Attr, DenseElements, OpId, ValueId};
use crate::ops::{CoreOp, IntegerOp, Opcode};
use crate::types::Scalar;
use std::sync::Arc;

impl Rewriter {
    /// Returns the elements of a value that a `constant` defines.
    pub(crate) fn constant(&self, value: ValueId) -> Option<&Arc<DenseElements>> {
        let op = self.op(self.defining_op(value)?);
        if op.opcode != Opcode::Core(CoreOp::Constant) {
            return None;
        }
        match &op.attrs[0] {
            Some(Attr::Dense(dense)) => Some(dense),
            _ => None,
        }
    }

    /// Returns the type and the bits of an integer constant whose elements are all equal.
    pub(crate) fn splat_integer(&self, value: ValueId) -> Option<(Scalar, u64)> {
        let dense = self.constant(value)?;
        let scalar = dense.scalar();
        let bits = dense.splat_bits().filter(|_| scalar.is_integer())?;
        Some((scalar, bits))
    }

    /// Returns the truth value of an `i1` constant whose elements are all equal.
    pub(crate) fn constant_bool(&self, value: ValueId) -> Option<bool> {
        match self.splat_integer(value)? {
            (Scalar::I1, bits) => Some(bits == 1),
            _ => None,
        }
    }

    /// Returns `true` if a value is an integer constant that is 1 everywhere.
    pub(crate) fn is_one(&self, value: ValueId) -> bool {
        matches!(self.splat_integer(value), Some((_, 1)))
    }

    /// Returns `true` if a value is an integer constant that is 0 everywhere.
    pub(crate) fn is_zero(&self, value: ValueId) -> bool {
        matches!(self.splat_integer(value), Some((_, 0)))
    }

    /// Returns `p` if `value` is `xori p, true`.
    pub(crate) fn negated(&self, value: ValueId) -> Option<ValueId> {
        let op = self.op(self.defining_op(value)?);
        if op.opcode != Opcode::Bitwise(crate::ops::BitwiseOp::XorI) {
            return None;
        }
        let (lhs, rhs) = (op.operands[0], op.operands[1]);
        (self.constant_bool(rhs) == Some(true)).then_some(lhs)
    }

    /// Returns the operation that defines `value`, if its opcode is `opcode`.
    pub(crate) fn defined_by(&self, value: ValueId, opcode: impl Into<Opcode>) -> Option<OpId> {
        let op = self.defining_op(value)?;
        (self.op(op).opcode == opcode.into()).then_some(op)
    }

    /// Returns the integer comparison that defines `value`, if there is one.
    pub(crate) fn comparison(&self, value: ValueId) -> Option<OpId> {
        self.defined_by(value, IntegerOp::CmpI)
    }
}
