//! Finds the iteration for which a copy is issued, from its condition.

use super::super::super::{Kernel, OpId, OpKind, ValueId};
use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{BitwiseOp, IntegerOp, Opcode};

/// The iteration that must exist for a copy to be issued: the one `prefetched` iterations after the current
/// iteration of the loop `of`. Before the loop, its first iteration is one iteration ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) of: OpId,
    pub(super) prefetched: u64,
}

impl Target {
    /// Finds the iteration for which `condition` tests. It belongs to one of the loops `around` the copy or,
    /// if none of them matches, to the next matching loop in `rest`, the operations after the copy in its
    /// block.
    pub(super) fn find(
        kernel: &Kernel,
        condition: ValueId,
        around: &[OpId],
        rest: &[OpId],
    ) -> Option<Self> {
        let enclosing = around
            .iter()
            .rev()
            .find_map(|&id| inside(kernel, id, condition));
        enclosing.or_else(|| before(kernel, condition, rest))
    }
}

/// Matches `distance < upper - induction`, with `distance` a multiple of the step.
fn inside(kernel: &Kernel, id: OpId, condition: ValueId) -> Option<Target> {
    let op = kernel.op(id);
    let OpKind::For { .. } = op.kind else {
        return None;
    };
    let induction = kernel.block(op.blocks[0]).args[0];
    let prefetched = reached(kernel, condition, op.args[1], induction, op.args[2])?;
    Some(Target { of: id, prefetched })
}

/// Matches `lower < upper & distance < upper - lower`, or only the first comparison, for the next loop with
/// these bounds. If several loops have the same bounds, the first one is taken.
fn before(kernel: &Kernel, condition: ValueId, rest: &[OpId]) -> Option<Target> {
    rest.iter().find_map(|&id| {
        let op = kernel.op(id);
        let OpKind::For { unsigned } = op.kind else {
            return None;
        };
        let (lower, upper, step) = (op.args[0], op.args[1], op.args[2]);
        let enters = |value: ValueId| {
            less(kernel, value)
                == Some((
                    lower,
                    upper,
                    if unsigned {
                        Signedness::Unsigned
                    } else {
                        Signedness::Signed
                    },
                ))
        };
        if enters(condition) {
            return Some(Target {
                of: id,
                prefetched: 1,
            });
        }
        let (lhs, rhs) = operands(kernel, condition, |opcode| {
            opcode == Opcode::Bitwise(BitwiseOp::AndI)
        })?;
        let distance = match (enters(lhs), enters(rhs)) {
            (true, _) => rhs,
            (_, true) => lhs,
            _ => return None,
        };
        let prefetched = reached(kernel, distance, upper, lower, step)?;
        Some(Target {
            of: id,
            prefetched: prefetched + 1,
        })
    })
}

/// Returns `n` if `condition` states that `from + n * step` is below `upper`.
fn reached(
    kernel: &Kernel,
    condition: ValueId,
    upper: ValueId,
    from: ValueId,
    step: ValueId,
) -> Option<u64> {
    let (distance, left, signedness) = less(kernel, condition)?;
    let is_sub = |opcode| opcode == Opcode::Integer(IntegerOp::SubI);
    let is_left = operands(kernel, left, is_sub) == Some((upper, from));
    let (distance, step) = (constant(kernel, distance)?, constant(kernel, step)?);
    let is_whole = step > 0 && distance % step == 0;
    (is_left && is_whole && signedness == Signedness::Unsigned).then(|| distance / step)
}

fn less(kernel: &Kernel, value: ValueId) -> Option<(ValueId, ValueId, Signedness)> {
    let op = kernel.op(kernel.defining(value)?);
    let OpKind::Compute(element) = &op.kind else {
        return None;
    };
    let is_less = element.opcode == Opcode::Integer(IntegerOp::CmpI)
        && element.predicate() == ComparisonPredicate::LessThan;
    is_less.then(|| (op.args[0], op.args[1], element.signedness()))
}

/// Returns the operands of the operation that defines `value`, if its opcode matches.
fn operands(
    kernel: &Kernel,
    value: ValueId,
    is: impl FnOnce(Opcode) -> bool,
) -> Option<(ValueId, ValueId)> {
    let op = kernel.op(kernel.defining(value)?);
    match (&op.kind, &op.args[..]) {
        (OpKind::Compute(element), &[lhs, rhs]) if is(element.opcode) => Some((lhs, rhs)),
        _ => None,
    }
}

fn constant(kernel: &Kernel, value: ValueId) -> Option<u64> {
    match kernel.op(kernel.defining(value)?).kind {
        OpKind::Constant(bits) => Some(bits),
        _ => None,
    }
}
