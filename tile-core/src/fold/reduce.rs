//! Folds of `reduce`, if the order in which elements are combined cannot matter.
//!
//! The dialect defines neither this order nor how often the identity is combined. Hence the
//! identity must leave the elements unchanged, and the body must be a single operation on the
//! element and the accumulator that satisfies one of these conditions:
//!
//! - it is associative and commutative on the elements: wrapping integer arithmetic, bitwise
//!   operations, and extrema of ordered numbers;
//! - the tile is a splat that the operation leaves unchanged, as in a sum of zeros.
//!
//! A splat is combined with itself once per doubling of the extent, never element by element. Other
//! sums of floats are not folded, since they round in every step; neither are bodies with several
//! operations.

use super::float::is_ordered;
use super::{Elements, Folder, bits, fold, whole};
use crate::interp::{Input, evaluate};
use crate::ir::{DenseElements, IntegerOverflow, Module, Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, FloatOp, IntegerOp, Opcode};
use std::sync::Arc;

pub(super) fn reduce(cx: &Folder<'_>) -> Option<Elements> {
    let body = Body::from_reduce(cx.module, cx.id)?;
    let source = &cx.operands[0];
    let identities = cx.op.identities();
    let identity = identities.first()?;
    if identity.scalar != source.scalar() {
        return None;
    }
    let identity = Arc::new(DenseElements::Splat {
        scalar: identity.scalar,
        bits: identity.bits,
    });
    if source.splat_bits().is_some() {
        return splat(cx, &body, source, &identity);
    }
    let is_free = is_order_free(body.op)
        && (source.scalar().is_integer() || {
            let flushes = body.op.has_flag("flush_to_zero");
            is_ordered([&**source, &*identity].into_iter(), flushes)
        });
    let count = cx.count(cx.op.operands[0])?;
    if !is_free || !body.keeps(source, &identity, count) {
        return None;
    }
    whole(cx)
}

fn splat(
    cx: &Folder<'_>,
    body: &Body<'_>,
    source: &Elements,
    identity: &Elements,
) -> Option<Elements> {
    let is_neutral = body.combine(source, identity)? == *source
        && body.combine(identity, source)? == *source
        && body.combine(identity, identity)? == *identity;
    if !is_neutral {
        return None;
    }
    let dim = usize::try_from(cx.op.dim()).ok()?;
    let extent = *cx.module.ty(cx.op.operands[0]).as_tile()?.shape.get(dim)?;
    let mut result = Arc::clone(source);
    if extent == 1 || body.combine(source, source)? == *source {
        return Some(result);
    }
    if !is_order_free(body.op) {
        return None;
    }
    // Extents are powers of two, so doubling reaches them exactly.
    for _ in 0..extent.ilog2() {
        result = body.combine(&result, &result)?;
    }
    Some(result)
}

/// Returns `true` if elements may be combined in any order, provided that they are ordered numbers.
fn is_order_free(op: &Op) -> bool {
    match op.opcode {
        Opcode::Bitwise(_) => true,
        Opcode::Integer(IntegerOp::AddI | IntegerOp::MulI) => {
            op.overflow() == IntegerOverflow::None
        }
        Opcode::Integer(IntegerOp::MaxI | IntegerOp::MinI)
        | Opcode::Float(FloatOp::MaxF | FloatOp::MinF) => true,
        _ => false,
    }
}

/// The single operation of a body.
struct Body<'a> {
    module: &'a Module,
    id: OpId,
    op: &'a Op,
    element: ValueId,
    accumulator: ValueId,
}

impl<'a> Body<'a> {
    /// Returns the body of the reduction `id` of one tile, if it combines the element and the
    /// accumulator with one operation.
    fn from_reduce(module: &'a Module, id: OpId) -> Option<Self> {
        let block = module.block(module.region_block(id, 0)?);
        let (&[element, accumulator], &[id, end]) = (block.args.as_slice(), block.ops.as_slice())
        else {
            return None;
        };
        let (op, end) = (module.op(id), module.op(end));
        let operands = op.operands.as_slice();
        let combines = operands == [element, accumulator] || operands == [accumulator, element];
        let yields = end.opcode == Opcode::ControlFlow(ControlFlowOp::Yield)
            && end.operands.as_slice() == op.results.as_slice();
        (combines && yields).then_some(Self {
            module,
            id,
            op,
            element,
            accumulator,
        })
    }

    /// Folds the body for two splats, if possible.
    fn combine(&self, element: &Elements, accumulator: &Elements) -> Option<Elements> {
        let constant = |value| match value {
            value if value == self.element => Some(Arc::clone(element)),
            value if value == self.accumulator => Some(Arc::clone(accumulator)),
            _ => None,
        };
        fold(self.module, self.id, &constant)?.pop()
    }

    /// Returns `true` if the identity leaves all elements unchanged.
    fn keeps(&self, source: &DenseElements, identity: &DenseElements, count: usize) -> bool {
        let inputs = [source, identity].map(|elements| Input { elements, count });
        evaluate(self.module, self.id, &inputs).is_some_and(|result| result == bits(source))
    }
}
