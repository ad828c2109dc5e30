//! Constant folding: computes the result of an operation whose operands are constants.
//!
//! [`fold`] takes an operation of a verified module and a function that looks up constants, and
//! returns the elements of its result, or `None` if it cannot be folded. Invariants:
//!
//! - results are computed by the interpreter's closure for the operation (`interp/evaluate.rs`),
//!   so a fold never differs from execution;
//! - operations that fault there (a division by zero, a shift by the width, a violated promise such
//!   as `overflow<no_wrap>`, a slice that does not exist) are not folded;
//! - an operation is not folded if devices may give different results: a NaN, a number out of the
//!   range of its type, a function that is not correctly rounded, or a sum whose order is not
//!   specified (the module of each group gives details);
//! - no tile with more than [`LIMIT`] elements is created, neither as a result nor as an
//!   intermediate. Splats have no limit: elementwise operations run on one element of each
//!   operand, and the other folds do not depend on the shape;
//! - a result that is not a splat needs an operand that is not a splat. `iota` counts as a
//!   constant, but is smaller than a constant with explicit elements, so results computed from it
//!   are kept only if they are splats.
//!
//! Discardable attributes are ignored.

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

/// The maximum number of elements of a result or intermediate. A larger constant would cost more
/// than the operation, both in the module (two kilobytes at eight bytes per element) and to load in
/// the kernel.
pub const LIMIT: usize = 256;

/// The elements of a constant tile.
type Elements = Arc<DenseElements>;

/// A function that computes the result of an operation from its constant operands.
type Rule = fn(&Folder<'_>) -> Option<Elements>;

/// Returns the elements of each result of the operation `id`, if its operands are constants and it
/// can be folded.
///
/// `constant` returns the elements of a value that is a constant; it is called on the operands in
/// order, until one is not a constant. A `constant` itself is not folded.
pub fn fold(
    module: &Module,
    id: OpId,
    constant: &dyn Fn(ValueId) -> Option<Elements>,
) -> Option<SmallVec<[Elements; 1]>> {
    let op = module.op(id);
    let rule = rule(op.opcode)?;
    // There are no constants of `i4`, so results of this type are not folded.
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
    /// Runs the operation on `count(value)` elements of each operand.
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

    /// Returns the number of elements of a tile, if it is at most [`LIMIT`].
    fn count(&self, value: ValueId) -> Option<usize> {
        constant::count(self.module, value)
    }

    /// Returns `true` if `f` accepts every element of every operand.
    fn operands_are(&self, f: impl Fn(f64) -> bool) -> bool {
        self.operands.iter().all(|elements| are(elements, &f))
    }
}

/// Runs an elementwise operation, on only one element if every operand is a splat.
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

/// Returns the bit patterns of all elements; for a splat, only their common bit pattern.
fn bits(elements: &DenseElements) -> &[u64] {
    match elements {
        DenseElements::Splat { scalar: _, bits } => std::slice::from_ref(bits),
        DenseElements::Each { scalar: _, bits } => bits,
    }
}

/// Returns `true` if `f` accepts every element of a tile of floats.
fn are(elements: &DenseElements, f: impl Fn(f64) -> bool) -> bool {
    let scalar = elements.scalar();
    bits(elements).iter().all(|&bits| f(number(scalar, bits)))
}
