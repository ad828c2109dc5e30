//! Constant folding: what an operation gives if its operands are constants.
//!
//! In: an operation of a verified module, and which values are constants. Out:
//! the elements of its result, or `None` if the operation must stay. Invariants:
//!
//! - what an operation computes is computed by the interpreter's closure for it
//!   (`interp/evaluate.rs`), so that a fold can never differ from execution;
//! - what is a fault there (a division by zero, a shift by the width, a broken
//!   promise, a slice that does not exist) is not folded: the operation stays;
//! - where devices may differ from each other nothing is folded: which NaN comes
//!   out, a number out of the range of its type, functions that are not rounded
//!   correctly, sums whose order is not specified (each group says more);
//! - no tile with more than [`LIMIT`] elements is made, neither as the result
//!   nor on the way. Splats have no limit: element-wise operations run on one
//!   element of each operand, and shapes do not matter to the others;
//! - a result that is not a splat comes from an operand that was none. `iota`
//!   counts as a constant, but is smaller than one that states its elements, so
//!   what comes from it is kept only if it is a splat.
//!
//! Attributes that the table does not know are ignored, like everywhere.

mod bitwise;
mod constant;
mod conversion;
mod core;
mod float;
mod integer;
mod reduce;

pub use constant::constant;

use crate::interp::{Input, evaluate, number};
use crate::ir::{DenseElements, Module, Op, OpId, ValueId};
use crate::ops::Opcode;
use crate::types::Scalar;
use smallvec::SmallVec;
use std::sync::Arc;

/// The most elements of a tile that is made, on the way or as a result: more
/// would cost more in the module (two kilobytes at eight bytes each), and in the
/// kernel to load, than the operation costs.
pub const LIMIT: usize = 256;

/// The elements of a tile.
type Elements = Arc<DenseElements>;

/// What to do if all operands are constants.
type Rule = fn(&Folder<'_>) -> Option<Elements>;

/// The results of the operation `id` if its operands are constants and it can be
/// folded: one for each of its results.
///
/// `constant` tells which values are constants; it is asked about operands in
/// order, until one is none. A `constant` itself is not folded.
pub fn fold(
    module: &Module,
    id: OpId,
    constant: &dyn Fn(ValueId) -> Option<Elements>,
) -> Option<SmallVec<[Elements; 1]>> {
    let op = module.op(id);
    let rule = rule(op.opcode)?;
    // There are no constants of i4.
    let &[result] = op.results.as_slice() else {
        return None;
    };
    if module.ty(result).as_number_tile()?.0 == Scalar::I4 {
        return None;
    }
    let constant::Operands { elements, counted } = constant::operands(module, op, constant)?;
    let folder = Folder {
        module,
        id,
        op,
        operands: elements,
    };
    let result = rule(&folder)?;
    let kept = !counted || result.splat_bits().is_some();
    kept.then(|| SmallVec::from_buf([result]))
}

fn rule(opcode: Opcode) -> Option<Rule> {
    match opcode {
        Opcode::Core(kind) => core::rule(kind),
        Opcode::Conversion(kind) => conversion::rule(kind),
        Opcode::Float(kind) => float::rule(kind),
        Opcode::Integer(kind) => Some(integer::rule(kind)),
        Opcode::Bitwise(kind) => Some(bitwise::rule(kind)),
        Opcode::ControlFlow(_)
        | Opcode::Memory(_)
        | Opcode::Atomic(_)
        | Opcode::View(_)
        | Opcode::Misc(_)
        | Opcode::LoopDialect(_)
        | Opcode::Testing(_)
        | Opcode::Unregistered(_) => None,
    }
}

/// An operation whose operands are constants.
struct Folder<'a> {
    module: &'a Module,
    id: OpId,
    op: &'a Op,
    operands: SmallVec<[Elements; 3]>,
}

impl Folder<'_> {
    /// Runs the operation on so many elements of each operand.
    fn run(&self, count: impl Fn(ValueId) -> Option<usize>) -> Option<Elements> {
        let mut inputs: SmallVec<[Input<'_>; 3]> = SmallVec::new();
        for (elements, &value) in self.operands.iter().zip(&self.op.operands) {
            let count = count(value)?;
            inputs.push(Input { elements, count });
        }
        let bits = evaluate(self.module, self.id, &inputs)?;
        let scalar = self.module.ty(self.op.result()).as_number_tile()?.0;
        Some(Arc::new(DenseElements::from_bits(scalar, bits)))
    }

    /// How many elements a tile has, if not too many.
    fn count(&self, value: ValueId) -> Option<usize> {
        constant::count(self.module, value)
    }

    /// Whether every element of every operand is a number that `f` accepts.
    fn operands_are(&self, f: impl Fn(f64) -> bool) -> bool {
        self.operands.iter().all(|elements| are(elements, &f))
    }
}

/// Runs an element-wise operation: once if every operand is a splat.
fn elementwise(cx: &Folder<'_>) -> Option<Elements> {
    let mut operands = cx.operands.iter();
    let count = if operands.all(|elements| elements.splat_bits().is_some()) {
        1
    } else {
        cx.count(cx.op.result())?
    };
    cx.run(|_| Some(count))
}

/// Runs an operation on whole tiles.
fn whole(cx: &Folder<'_>) -> Option<Elements> {
    cx.count(cx.op.result())?;
    cx.run(|value| cx.count(value))
}

/// The different elements of a tile, at least; a splat has one.
fn bits(elements: &DenseElements) -> &[u64] {
    match elements {
        DenseElements::Splat { scalar: _, bits } => std::slice::from_ref(bits),
        DenseElements::Each { scalar: _, bits } => bits,
    }
}

/// Whether every element, a float, is accepted by `f`.
fn are(elements: &DenseElements, f: impl Fn(f64) -> bool) -> bool {
    let scalar = elements.scalar();
    bits(elements).iter().all(|&bits| f(number(scalar, bits)))
}
