//! Evaluates one operation on given elements, for constant folding.
//!
//! The input is an operation and the elements of its operands. The output is the elements of its
//! only result, or `None` if executing it is a fault. The operation is compiled to the same closure
//! as in a kernel and runs once, so that folding can never differ from execution.
//!
//! Closures of elementwise operations accept any number of elements: a caller may pass one element
//! of each tile instead of all.

use super::compile::{Compiler, Place};
use super::core::stored;
use super::exact;
use super::machine::{Frame, Machine};
use super::tile::{Data, Storage, from_stored, to_stored};
use super::{Buffers, RunOptions};
use crate::ir::{DenseElements, Module, OpId};
use crate::types::Scalar;
use std::cell::RefCell;

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    pub(crate) elements: &'a DenseElements,
    /// The number of elements that a splat represents; other constants list all their elements.
    pub(crate) count: usize,
}

/// Returns the bit patterns of the result of the operation `id`, in the form of the IR.
///
/// # Panics
/// If the operation has memory effects, or does not return exactly one tile of numbers; folding
/// checks the opcode first.
pub(crate) fn evaluate(module: &Module, id: OpId, inputs: &[Input<'_>]) -> Option<Vec<u64>> {
    let op = module.op(id);
    let result = op.result();
    let (scalar, _) = module.ty(result).as_number_tile()?;
    let mut cx = Compiler::new(module);
    let mut frame = Frame::default();
    for (&value, input) in op.operands.iter().zip(inputs) {
        cx.define_tile(value);
        frame.tiles.push(stored(input.elements, input.count));
    }
    let exec = cx.op(id, op);
    let out = match cx.place(result) {
        Place::Tile(slot) => slot,
        Place::View(_) | Place::Token(_) => return None,
    };
    let empty = Data::splat(Storage::for_scalar(scalar), 0, 0);
    frame.tiles.resize(cx.next_slot(), empty);
    for (slot, data) in cx.constants {
        frame.tiles[slot.0] = data;
    }
    if let Some(exec) = exec {
        let mut machine = Machine {
            frame: &mut frame,
            block: [0; 3],
            block_number: 0,
            grid: [1; 3],
            buffers: &mut Buffers::default(),
            options: RunOptions::default(),
            iterations: 0,
            chunk: None,
            checker: None,
            pending: RefCell::default(),
            reported: Vec::new(),
            printed: Vec::new(),
        };
        exec(&mut machine).ok()?;
    }
    let lanes = &frame.tiles[out.0];
    let bits = |index| from_stored(scalar, lanes.bits_at(index));
    Some((0..lanes.len()).map(bits).collect())
}

/// Returns the exact value of a bit pattern of the IR.
pub(crate) fn number(scalar: Scalar, bits: u64) -> f64 {
    exact::decode(scalar, to_stored(scalar, bits))
}
