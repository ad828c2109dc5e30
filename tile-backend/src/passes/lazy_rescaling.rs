//! Lazy rescaling: warps skip the multiplication of an accumulator by factors that are all 1.
//!
//! Input: a loop that carries a tile and multiplies it in every iteration by a smaller one, the exponential
//! of the growth of a running maximum. Output: each warp tests whether all of its factors are 1, as they are
//! when no maximum has changed. If so, it skips the multiplication, which would change no bit:
//!
//! ```text
//!   higher = max(highest, scores)            factors = exp(highest - higher)
//!   factors = exp(highest - higher)          next = lazy_rescale mulf sum, factors
//!   next = sum * factors                              if all are 1 { sum } else { sum * factors }
//! ```

use crate::gpu::{BlockId, Kernel, OpId, OpKind, ValueId};
use crate::schedule::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::Scalar;
use tile_core::ops::{FloatOp, Opcode};

/// Minimum number of elements of the tile per factor in a thread.
const MIN_PER_FACTOR: usize = 8;

/// Replaces the multiplications by lazy ones.
pub(crate) fn rescale_lazily(kernel: &mut Kernel) -> Result<(), Refusal> {
    let mut refused = Err(Refusal::Because(
        "no loop multiplies a sum by the growth of a maximum",
    ));
    let mut carried = FxHashSet::default();
    let mut multiplications = Vec::new();
    visit(kernel, kernel.body(), &mut carried, &mut multiplications);
    let defining = kernel.op_ids().flat_map(|id| {
        let results = kernel.op(id).results.iter();
        results.map(move |&result| (result, id))
    });
    let defining: FxHashMap<ValueId, OpId> = defining.collect();
    for id in multiplications {
        let op = kernel.op(id);
        let sides = [(op.args[0], op.args[1]), (op.args[1], op.args[0])];
        let factor = sides
            .into_iter()
            .find(|(sum, factors)| carried.contains(sum) && is_growth(kernel, &defining, *factors));
        let Some((sum, factors)) = factor else {
            continue;
        };
        if let OpKind::Compute(element) = op.kind.clone() {
            let op = kernel.op_mut(id);
            op.kind = OpKind::LazyRescale(element);
            op.args = [sum, factors].into_iter().collect();
            refused = Ok(());
        }
    }
    refused
}

/// Collects the tiles that loops carry, and the multiplications inside loops.
fn visit(
    kernel: &Kernel,
    block: BlockId,
    carried: &mut FxHashSet<ValueId>,
    multiplications: &mut Vec<OpId>,
) {
    for &id in &kernel.block(block).ops {
        let op = kernel.op(id);
        if let OpKind::For { .. } = op.kind {
            carried.extend(&kernel.block(op.blocks[0]).args[1..]);
        }
        if let OpKind::Compute(element) = &op.kind
            && element.opcode == Opcode::Float(FloatOp::MulF)
            // A multiplication by 1 that flushes denormals would change denormal elements.
            && !element.has_flag("flush_to_zero")
            && kernel.ty(op.results[0]).layout().is_some()
            && kernel.ty(op.results[0]).scalar() == Some(Scalar::F32)
        {
            multiplications.push(id);
        }
        for &inner in &op.blocks {
            visit(kernel, inner, carried, multiplications);
        }
    }
}

/// Returns `true` if each factor applies to enough elements and has the form `exp(x - max(x, y))`.
fn is_growth(kernel: &Kernel, defining: &FxHashMap<ValueId, OpId>, factors: ValueId) -> bool {
    let op_of = |value: ValueId| defining.get(&value).map(|&id| kernel.op(id));
    let Some(op) = op_of(factors) else {
        return false;
    };
    let OpKind::PermuteRegisters(sources) = &op.kind else {
        return false;
    };
    let distinct: FxHashSet<_> = sources.iter().collect();
    if sources.len() < MIN_PER_FACTOR * distinct.len() {
        return false;
    }
    let through = |mut value: ValueId| loop {
        match op_of(value) {
            Some(op) if matches!(op.kind, OpKind::PermuteRegisters(_)) => value = op.args[0],
            _ => return value,
        }
    };
    let computed = |value: ValueId| {
        let op = op_of(through(value))?;
        match &op.kind {
            OpKind::Compute(element) => Some((element.opcode, &op.args)),
            _ => None,
        }
    };
    let Some((Opcode::Float(FloatOp::Exp | FloatOp::Exp2), exponent)) = computed(op.args[0]) else {
        return false;
    };
    let Some((Opcode::Float(FloatOp::SubF), difference)) = computed(exponent[0]) else {
        return false;
    };
    let Some((Opcode::Float(FloatOp::MaxF), maximum)) = computed(difference[1]) else {
        return false;
    };
    let before = through(difference[0]);
    maximum.iter().any(|&value| through(value) == before)
}
