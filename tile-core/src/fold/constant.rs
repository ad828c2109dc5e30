//! Finds the constants among the operands of an operation.

use super::{Elements, LIMIT};
use crate::interp::evaluate;
use crate::ir::{Attr, DenseElements, Module, Op, OpId, ValueId};
use crate::ops::CoreOp;
use smallvec::SmallVec;
use std::sync::Arc;

/// Returns the elements of `value` if a `constant` defines it.
pub fn constant(module: &Module, value: ValueId) -> Option<Elements> {
    let op = module.op(module.defining_op(value)?);
    if op.opcode != CoreOp::Constant.into() {
        return None;
    }
    match op.attrs.first() {
        Some(Some(Attr::Dense(elements))) => Some(Arc::clone(elements)),
        _ => None,
    }
}

/// The operands of an operation, all of them constants.
pub(super) struct Operands {
    pub(super) elements: SmallVec<[Elements; 3]>,
    /// Is `true` if an operand is an `iota`.
    pub(super) counted: bool,
}

/// Returns the operands of `op` if a `constant` or an `iota` defines each of them.
pub(super) fn operands(
    module: &Module,
    op: &Op,
    constant: &dyn Fn(ValueId) -> Option<Elements>,
) -> Option<Operands> {
    let mut constants: SmallVec<[Result<Elements, OpId>; 3]> = SmallVec::new();
    for &value in &op.operands {
        constants.push(match constant(value) {
            Some(elements) => Ok(elements),
            None => Err(iota(module, value)?),
        });
    }
    // An `iota` is expanded only once all operands are known to be constants.
    let counted = constants.iter().any(Result::is_err);
    let elements: Option<_> = constants
        .into_iter()
        .map(|constants| constants.map_or_else(|iota| count_up(module, iota), Some))
        .collect();
    Some(Operands {
        elements: elements?,
        counted,
    })
}

/// Returns the `iota` that defines a value, if it has at most [`LIMIT`] elements.
fn iota(module: &Module, value: ValueId) -> Option<OpId> {
    let id = module.defining_op(value)?;
    let small = module.op(id).opcode == CoreOp::Iota.into() && count(module, value).is_some();
    small.then_some(id)
}

/// Returns the elements of an `iota`.
fn count_up(module: &Module, id: OpId) -> Option<Elements> {
    let (scalar, _) = module.ty(module.op(id).result()).as_number_tile()?;
    let bits = evaluate(module, id, &[])?;
    Some(Arc::new(DenseElements::from_bits(scalar, bits)))
}

/// Returns the number of elements of the tile `value`, if it is at most [`LIMIT`].
pub(super) fn count(module: &Module, value: ValueId) -> Option<usize> {
    let count = module.ty(value).as_tile()?.num_elements();
    usize::try_from(count).ok().filter(|&count| count <= LIMIT)
}
