//! Decides whether and how a loop is unrolled.

use super::attribute;
use crate::ir::{OpId, Signedness};
use crate::ops::{ControlFlowOp, Opcode};
use crate::rewrite::Rewriter;
use crate::types::Scalar;

/// The maximum number of operations that one loop may become.
const MAX_OPS: u64 = 1 << 14;

#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The number of iterations, if it is known.
    pub(super) trips: Option<u64>,
    /// The number of bodies per iteration.
    pub(super) factor: u64,
}

/// Returns the plan for unrolling a loop, or the name of the reason to refuse it.
pub(super) fn plan(rewriter: &Rewriter, id: OpId) -> Result<Plan, &'static str> {
    let stated = match attribute(rewriter, id) {
        Some("\"full\"" | "0") => None,
        Some(number) => {
            let factor = number.parse::<u64>().ok().filter(|&factor| factor >= 2);
            Some(factor.ok_or("unroll_refused_factor")?)
        }
        None => return Err("unroll_refused_factor"),
    };
    let trips = trips(rewriter, id);
    let factor = match (stated, trips) {
        (Some(factor), Some(trips)) => factor.min(trips),
        (Some(factor), None) => factor,
        (None, Some(trips)) => trips,
        (None, None) => return Err("unroll_refused_bounds"),
    };
    let size = Size::measure(rewriter, id);
    if size.continues_early {
        return Err("unroll_refused_continue");
    }
    if size.ops.checked_mul(factor).is_none_or(|ops| ops > MAX_OPS) {
        return Err("unroll_refused_size");
    }
    let is_flat = trips.is_some_and(|trips| trips <= factor);
    if !is_flat && !is_group_a_number(rewriter, id, factor) {
        return Err("unroll_refused_step");
    }
    Ok(Plan { trips, factor })
}

/// Returns `true` unless the step times `factor` is known not to be representable in the type of
/// the induction variable. Returns `false` for a constant step that is undefined behaviour too, so
/// that the loop still faults.
fn is_group_a_number(rewriter: &Rewriter, id: OpId, factor: u64) -> bool {
    let step = rewriter.op(id).operands[2];
    let Some((scalar, _)) = rewriter.ty(step).as_number_tile() else {
        return false;
    };
    let step = rewriter.splat_integer(step).map_or(1, |(_, step)| step);
    let group = step.checked_mul(factor);
    step > 0 && group.is_some_and(|group| group <= greatest(scalar, signedness(rewriter, id)))
}

pub(super) fn signedness(rewriter: &Rewriter, id: OpId) -> Signedness {
    if rewriter.op(id).has_flag("unsignedCmp") {
        Signedness::Unsigned
    } else {
        Signedness::Signed
    }
}

/// Returns the greatest number of a type.
pub(super) fn greatest(scalar: Scalar, signedness: Signedness) -> u64 {
    match signedness {
        Signedness::Signed => mask(scalar) >> 1,
        Signedness::Unsigned => mask(scalar),
    }
}

pub(super) fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// Returns the number of iterations of a `for` with constant bounds and a valid constant step.
fn trips(rewriter: &Rewriter, id: OpId) -> Option<u64> {
    let op = rewriter.op(id);
    let signedness = signedness(rewriter, id);
    let number = |index: usize| rewriter.splat_integer(op.operands[index]);
    let ((scalar, lower), (_, upper), (_, step)) = (number(0)?, number(1)?, number(2)?);
    if step == 0 || step > greatest(scalar, signedness) {
        return None;
    }
    // The bias maps the least number to 0, so that unsigned arithmetic applies.
    let bias = match signedness {
        Signedness::Signed => 1 << (scalar.bits() - 1),
        Signedness::Unsigned => 0,
    };
    let distance = (upper ^ bias).saturating_sub(lower ^ bias);
    Some(distance.div_ceil(step))
}

/// The size of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    ops: u64,
    /// True if an iteration may end inside an `if`, before the end of the body.
    continues_early: bool,
}

impl Size {
    fn measure(rewriter: &Rewriter, id: OpId) -> Self {
        let mut size = Self::default();
        let mut next: Vec<OpId> = rewriter
            .blocks(id)
            .flat_map(|block| rewriter.ops(block))
            .collect();
        // The terminator does not end the iteration early.
        next.pop();
        let mut is_inside_loop: Vec<bool> = vec![false; next.len()];
        while let (Some(inner), Some(in_loop)) = (next.pop(), is_inside_loop.pop()) {
            size.ops += 1;
            let opcode = rewriter.op(inner).opcode;
            size.continues_early |= rewriter.is_exit(inner) && !in_loop;
            let in_loop = in_loop
                || matches!(
                    opcode,
                    Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
                );
            next.extend(rewriter.blocks(inner).flat_map(|block| rewriter.ops(block)));
            is_inside_loop.resize(next.len(), in_loop);
        }
        size
    }
}
