//! `reduce` and `scan`.
//!
//! Order, which the dialect leaves open: along the axis from its start, the
//! accumulator beginning as the identity, one element after another. The body
//! gets the element first and the accumulator second. `scan` gives every accumulator; in
//! reverse it begins at the end of the axis.
//!
//! One kind of `reduce` has another order, so that it runs in vectors: the body is one
//! operation of `addf`, `mulf`, `maxf`, `minf`, `addi`, `muli`, `maxi`, `mini`, `andi`,
//! `ori` or `xori` (rounding to nearest even, no flushing), the axis is the last with an
//! extent above 1, and it has at least 32 elements. These are combined as 32 partial results,
//! element `i` going to number `i % 32`, in order; then numbers 16 to 31 are combined into 0 to
//! 15, 8 to 15 into 0 to 7, and so on; the identity comes last. This does not depend on
//! the processor. `interp/loops.rs` does it.

use super::compile::{Compiler, Place, Scope, extents, is_elementwise};
use super::core::storage;
use super::exact;
use super::float;
use super::integer;
use super::loops::{fold_into, fold_rows};
use super::machine::{Exec, Flow, Machine, Slot, run_steps};
use super::tile::{Lane, Storage, to_stored, with_lane};
use crate::ir::{Attr, BlockId, Op, OpId, RoundingMode, TypedScalar};
use crate::ops::{BitwiseOp, ControlFlowOp, FloatOp, IntegerOp, Opcode};
use crate::types::Scalar;

/// The extents before, along and after the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) outer: usize,
    pub(super) extent: usize,
    pub(super) inner: usize,
}

/// Which accumulators are results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// The last of an axis.
    Last,
    /// Every one.
    Each,
    /// Every one, from the end of the axis to its start.
    EachFromEnd,
}

/// Compiles a `reduce`.
pub(super) fn reduce(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let (axis, block) = axis_and_body(cx, id, op);
    simple(cx, op, block, axis).unwrap_or_else(|| general(cx, op, (id, block), axis, Kept::Last))
}

/// Compiles a `scan`.
pub(super) fn scan(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let (axis, block) = axis_and_body(cx, id, op);
    let kept = match op.attr("reverse") {
        Some(Attr::Bool(true)) => Kept::EachFromEnd,
        _ => Kept::Each,
    };
    general(cx, op, (id, block), axis, kept)
}

fn axis_and_body(cx: &Compiler<'_>, id: OpId, op: &Op) -> (Axis, BlockId) {
    let dim = usize::try_from(op.dim()).expect("axes are not negative");
    let shape = extents(cx.numbers(op.operands[0]).1);
    let axis = Axis {
        outer: shape[..dim].iter().product(),
        extent: shape[dim],
        inner: shape[dim + 1..].iter().product(),
    };
    let block = cx.module.region_block(id, 0);
    (axis, block.expect("verified code has a body here"))
}

/// A body of one well-known operation on one tile.
fn simple(cx: &mut Compiler<'_>, op: &Op, block: BlockId, axis: Axis) -> Option<Exec> {
    let module = cx.module;
    let (args, ops) = (&module.block(block).args, &module.block(block).ops);
    let ([x, acc], [body, end]) = (args.as_slice(), ops.as_slice()) else {
        return None;
    };
    let (body, end) = (module.op(*body), module.op(*end));
    let combines = body.operands.as_slice() == [*x, *acc] || body.operands.as_slice() == [*acc, *x];
    let yields = end.opcode == Opcode::ControlFlow(ControlFlowOp::Yield)
        && end.operands.as_slice() == body.results.as_slice();
    if !combines || !yields {
        return None;
    }
    let source = cx.tile(op.operands[0]);
    let scalar = cx.scalar(op.operands[0]);
    let identity = identity_of(scalar, op.identities()[0]);
    let fold = Fold {
        source,
        identity,
        axis,
    };
    match body.opcode {
        Opcode::Float(kind @ (FloatOp::AddF | FloatOp::MulF | FloatOp::MaxF | FloatOp::MinF)) => {
            let combine = float::combiner(kind, body, scalar)?;
            let out = cx.result(op);
            Some(combine(fold, out))
        }
        Opcode::Integer(
            kind @ (IntegerOp::AddI | IntegerOp::MulI | IntegerOp::MaxI | IntegerOp::MinI),
        ) => {
            let combine = integer::combiner(kind, body, scalar)?;
            let out = cx.result(op);
            Some(combine(fold, out))
        }
        Opcode::Bitwise(kind @ (BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI)) => {
            let out = cx.result(op);
            Some(with_lane!(Storage::of_scalar(scalar), L => match kind {
                BitwiseOp::AndI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() & acc.to_bits())),
                BitwiseOp::OrI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() | acc.to_bits())),
                BitwiseOp::XorI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() ^ acc.to_bits())),
            }))
        }
        _ => None,
    }
}

/// The stored bits of an identity. Where an f16 stands for a bf16, or the other way round, it
/// is the number that is meant and not its bits.
fn identity_of(element: Scalar, identity: TypedScalar) -> u64 {
    let stored = to_stored(identity.scalar, identity.bits);
    if identity.scalar == element {
        return stored;
    }
    let value = exact::decode(identity.scalar, stored);
    exact::encode(element, value, RoundingMode::NearestEven)
}

/// A reduction by one function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    source: Slot,
    identity: u64,
    axis: Axis,
}

impl Fold {
    /// In the order that the module says.
    pub(super) fn exec<L: Lane>(
        self,
        out: Slot,
        f: impl Fn(L, L) -> L + Send + Sync + 'static,
    ) -> Exec {
        let Fold {
            source,
            identity,
            axis:
                Axis {
                    outer,
                    extent,
                    inner,
                },
        } = self;
        Box::new(move |machine| {
            machine.write(out, |machine, result: &mut Vec<L>| {
                let lanes: &[L] = machine.tile(source);
                result.resize(outer * inner, L::from_bits(identity));
                if inner == 1 {
                    fold_rows(&f, lanes, extent, result);
                    return;
                }
                let blocks = lanes.chunks_exact(extent * inner);
                for (acc, block) in result.chunks_exact_mut(inner).zip(blocks) {
                    for row in block.chunks_exact(inner) {
                        fold_into(&f, row, acc);
                    }
                }
            });
            Ok(Flow::Next)
        })
    }
}

/// One operand of a reduction.
struct Operand {
    source: Slot,
    storage: Storage,
    identity: u64,
    element: Slot,
    acc: Slot,
    next: Slot,
    out: Slot,
}

/// Any body. If it works element by element, it runs once per position along the
/// axis for all positions of the other axes; otherwise once per element.
fn general(
    cx: &mut Compiler<'_>,
    op: &Op,
    (id, block): (OpId, BlockId),
    axis: Axis,
    kept: Kept,
) -> Exec {
    let module = cx.module;
    let instances = axis.outer * axis.inner;
    let lanes = if cx.lanes == 1 && is_elementwise(module, block) {
        instances
    } else {
        1
    };
    let args = &module.block(block).args;
    let sources: Vec<Slot> = op.operands.iter().map(|&value| cx.tile(value)).collect();
    let outs: Vec<Slot> = op
        .results
        .iter()
        .map(|&value| cx.define_tile(value))
        .collect();
    let outer_lanes = std::mem::replace(&mut cx.lanes, lanes);
    let outer_captures = std::mem::take(&mut cx.captures);
    let outer_outside = cx.outside;
    // `spare` numbers slots in order, so that every slot from here on is inside.
    cx.outside = cx.next_slot();
    let operands: Vec<Operand> = op
        .identities()
        .into_iter()
        .enumerate()
        .map(|(index, identity)| Operand {
            source: sources[index],
            storage: storage(cx, op.operands[index]),
            identity: identity_of(cx.scalar(op.operands[index]), identity),
            element: cx.define_tile(args[2 * index]),
            acc: cx.define_tile(args[2 * index + 1]),
            next: cx.spare(args[2 * index + 1]),
            out: outs[index],
        })
        .collect();
    let places = operands
        .iter()
        .map(|operand| Place::Tile(operand.next))
        .collect();
    cx.scopes.push(Scope::Yield(id, places));
    let body = cx.block(block);
    cx.scopes.pop();
    let captures = std::mem::replace(&mut cx.captures, outer_captures);
    cx.lanes = outer_lanes;
    cx.outside = outer_outside;
    Box::new(move |machine| {
        for &(from, to) in &captures {
            repeat(machine, from, to, lanes);
        }
        for operand in &operands {
            with_lane!(operand.storage, L => {
                machine.write(operand.out, |_, result: &mut Vec<L>| {
                    let count = match kept {
                        Kept::Last => instances,
                        Kept::Each | Kept::EachFromEnd => instances * axis.extent,
                    };
                    result.resize(count, L::from_bits(operand.identity));
                });
            });
        }
        for first in (0..instances).step_by(lanes) {
            for operand in &operands {
                with_lane!(operand.storage, L => {
                    machine.write(operand.acc, |_, acc: &mut Vec<L>| {
                        acc.resize(lanes, L::from_bits(operand.identity));
                    });
                });
            }
            for step in 0..axis.extent {
                let position = match kept {
                    Kept::Last | Kept::Each => step,
                    Kept::EachFromEnd => axis.extent - 1 - step,
                };
                let place = |instance: usize| {
                    let (outer, inner) = (instance / axis.inner, instance % axis.inner);
                    (outer * axis.extent + position) * axis.inner + inner
                };
                for operand in &operands {
                    with_lane!(operand.storage, L => {
                        machine.write(operand.element, |machine, element: &mut Vec<L>| {
                            let source: &[L] = machine.tile(operand.source);
                            let instances = first..first + lanes;
                            element.extend(instances.map(|instance| source[place(instance)]));
                        });
                    });
                }
                run_steps(&body, machine)?;
                for operand in &operands {
                    machine.swap(operand.next, operand.acc);
                    if kept == Kept::Last {
                        continue;
                    }
                    with_lane!(operand.storage, L => {
                        let mut out: Vec<L> = machine.take(operand.out);
                        for (instance, &acc) in (first..).zip(machine.tile::<L>(operand.acc)) {
                            out[place(instance)] = acc;
                        }
                        machine.put(operand.out, out);
                    });
                }
            }
            if kept != Kept::Last {
                continue;
            }
            for operand in &operands {
                with_lane!(operand.storage, L => {
                    let mut out: Vec<L> = machine.take(operand.out);
                    out[first..first + lanes].copy_from_slice(machine.tile(operand.acc));
                    machine.put(operand.out, out);
                });
            }
        }
        Ok(Flow::Next)
    })
}

/// Gives every lane of a body the value of a rank-0 tile from outside.
fn repeat(machine: &mut Machine<'_>, from: Slot, to: Slot, lanes: usize) {
    let storage = machine.frame.tiles[from.0].storage();
    with_lane!(storage, L => {
        machine.write(to, |machine, copy: &mut Vec<L>| {
            copy.resize(lanes, machine.tile::<L>(from)[0]);
        });
    });
}
