//! `reduce` and `scan`.
//!
//! The dialect leaves the order open. Here it is sequential, from the start of the axis; the
//! accumulator starts as the first element. The body gets the element first and the accumulator
//! second. `scan` returns every accumulator; in reverse it starts at the end of the axis. The
//! identity, which must be neutral, is never combined, neither here nor in compiled code: the
//! extremum of a row of NaNs is NaN.
//!
//! Sums and products of f16 and bf16 have already been widened to f32 (`interp/wide_sums.rs`).
//!
//! A `reduce` has another order, which can be vectorized, if its body is one operation of `addf`,
//! `mulf`, `maxf`, `minf`, `addi`, `muli`, `maxi`, `mini`, `andi`, `ori` or `xori` (rounding to
//! nearest even, no flushing), and its axis is the last with an extent above 1. The elements are
//! combined into 32 partial results: element `i` is combined into number `i % 32`, in order. Then
//! numbers 16 to 31 are combined into 0 to 15, 8 to 15 into 0 to 7, and so on; fewer elements are
//! as many partial results. The order does not depend on the processor. `interp/loops.rs` implements
//! it.
//!
//! With a seed, elements are combined in random groups (`interp/regroup.rs`), and with checks the
//! body and the identity are tested (`interp/laws.rs`).

use super::check::Check;
use super::compile::{Compiler, Place, Scope, extents, is_elementwise};
use super::core::storage;
use super::exact;
use super::float;
use super::integer;
use super::laws::Laws;
use super::loops::{fold_into, fold_rows};
use super::machine::{Exec, Flow, Machine, Slot, Step, Stop, run_steps};
use super::regroup::Groups;
use super::tile::{Data, Lane, Storage, to_stored, with_lane};
use crate::ir::{Attr, BlockId, Module, Op, OpId, RoundingMode, TypedScalar};
use crate::ops::{BitwiseOp, ControlFlowOp, FloatOp, IntegerOp, Opcode};
use crate::types::Scalar;

/// The extents before, along and after the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) outer: usize,
    pub(super) extent: usize,
    pub(super) inner: usize,
}

/// The accumulators that are results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// The last accumulator along the axis.
    Last,
    /// Every accumulator.
    Each,
    /// Every accumulator, from the end of the axis to its start.
    EachFromEnd,
}

/// Compiles a `reduce`.
pub(super) fn reduce(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let (axis, block) = axis_and_body(cx, id, op);
    let laws = laws_of(cx, op, (id, block), axis);
    let exec = if cx.seed.is_some() {
        regrouped(cx, op, (id, block), axis, Kept::Last)
    } else {
        let simple = simple(cx, op, block, axis);
        simple.unwrap_or_else(|| general(cx, op, (id, block), axis, Kept::Last))
    };
    after(laws, exec)
}

/// Compiles a `scan`.
pub(super) fn scan(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let (axis, block) = axis_and_body(cx, id, op);
    let kept = match op.attr("reverse") {
        Some(Attr::Bool(true)) => Kept::EachFromEnd,
        _ => Kept::Each,
    };
    let laws = laws_of(cx, op, (id, block), axis);
    let exec = if cx.seed.is_some() {
        regrouped(cx, op, (id, block), axis, kept)
    } else {
        general(cx, op, (id, block), axis, kept)
    };
    after(laws, exec)
}

/// Returns the test of the body of a checked entry, with its own copy of the body.
fn laws_of(
    cx: &mut Compiler<'_>,
    op: &Op,
    (id, block): (OpId, BlockId),
    axis: Axis,
) -> Option<Laws> {
    (cx.check == Check::On).then(|| {
        let body = Body::compile(cx, op, (id, block), axis);
        Laws::new(cx.module, op, block, body)
    })
}

fn after(laws: Option<Laws>, exec: Exec) -> Exec {
    let Some(laws) = laws else { return exec };
    Box::new(move |machine| {
        laws.check(machine)?;
        exec(machine)
    })
}

/// Compiles a reduction in random groups.
fn regrouped(
    cx: &mut Compiler<'_>,
    op: &Op,
    (id, block): (OpId, BlockId),
    axis: Axis,
    kept: Kept,
) -> Exec {
    let seed = cx.seed.expect("asked by the caller") ^ (id.index() as u64) << 32;
    let groups = match kept {
        Kept::Last if is_commutative(cx.module, block) => Groups::any(axis.extent, seed),
        Kept::Last => Groups::in_order(axis.extent, seed),
        Kept::Each => Groups::prefixes(axis.extent, seed),
        Kept::EachFromEnd => Groups::suffixes(axis.extent, seed),
    };
    let outs: Vec<Slot> = op
        .results
        .iter()
        .map(|&value| cx.define_tile(value))
        .collect();
    let body = Body::compile(cx, op, (id, block), axis);
    Box::new(move |machine| {
        groups.run(&body, machine, &outs)?;
        Ok(Flow::Next)
    })
}

/// Returns `true` if the body only combines each element with its accumulator by a commutative
/// operation: then compiled code may combine elements in any order.
pub(super) fn is_commutative(module: &Module, block: BlockId) -> bool {
    let block = module.block(block);
    let Some((&end, ops)) = block.ops.split_last() else {
        return false;
    };
    let pairs = block.args.chunks_exact(2);
    let results = module.op(end).operands.iter();
    ops.len() == pairs.len()
        && ops
            .iter()
            .zip(pairs)
            .zip(results)
            .all(|((&id, pair), result)| {
                let op = module.op(id);
                let both = matches!(op.operands[..], [lhs, rhs]
                if [lhs, rhs] == *pair || [rhs, lhs] == *pair);
                op.def().commutative && both && op.results.first() == Some(result)
            })
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

/// Compiles a body of one well-known operation on one tile.
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
    let fold = Fold { source, axis };
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
            Some(with_lane!(Storage::for_scalar(scalar), L => match kind {
                BitwiseOp::AndI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() & acc.to_bits())),
                BitwiseOp::OrI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() | acc.to_bits())),
                BitwiseOp::XorI => fold.exec(out, |x: L, acc: L| L::from_bits(x.to_bits() ^ acc.to_bits())),
            }))
        }
        _ => None,
    }
}

/// Returns the stored bits of an identity. An f16 identity of a bf16 reduction, or vice versa, is
/// converted by value rather than by its bits.
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
    axis: Axis,
}

impl Fold {
    /// Compiles the reduction in the order of the module.
    pub(super) fn exec<L: Lane>(
        self,
        out: Slot,
        f: impl Fn(L, L) -> L + Send + Sync + 'static,
    ) -> Exec {
        let Fold { source, axis } = self;
        let Axis { extent, inner, .. } = axis;
        Box::new(move |machine| {
            machine.write(out, |machine, result: &mut Vec<L>| {
                let lanes: &[L] = machine.tile(source);
                if inner == 1 {
                    fold_rows(&f, lanes, extent, result);
                    return;
                }
                for block in lanes.chunks_exact(extent * inner) {
                    let (first, rows) = block.split_at(inner);
                    let start = result.len();
                    result.extend_from_slice(first);
                    for row in rows.chunks_exact(inner) {
                        fold_into(&f, row, &mut result[start..]);
                    }
                }
            });
            Ok(Flow::Next)
        })
    }
}

/// An operand of a reduction.
pub(super) struct Operand {
    source: Slot,
    storage: Storage,
    /// The type of its elements.
    pub(super) scalar: Scalar,
    identity: u64,
    element: Slot,
    acc: Slot,
    next: Slot,
}

/// A compiled body. An elementwise body runs once per position along the axis, for all positions of
/// the other axes together; other bodies run once per element.
pub(super) struct Body {
    pub(super) operands: Vec<Operand>,
    pub(super) axis: Axis,
    /// The number of positions of the other axes that one run of the body processes.
    pub(super) lanes: usize,
    steps: Vec<Step>,
    captures: Vec<(Slot, Slot)>,
}

/// Per operand, the elements or accumulators of all instances that one run of a body processes.
pub(super) type Tuple = Vec<Data>;

impl Body {
    fn compile(cx: &mut Compiler<'_>, op: &Op, (id, block): (OpId, BlockId), axis: Axis) -> Self {
        let module = cx.module;
        let lanes = if cx.lanes == 1 && is_elementwise(module, block) {
            axis.outer * axis.inner
        } else {
            1
        };
        let args = &module.block(block).args;
        let sources: Vec<Slot> = op.operands.iter().map(|&value| cx.tile(value)).collect();
        let outer_lanes = std::mem::replace(&mut cx.lanes, lanes);
        let outer_captures = std::mem::take(&mut cx.captures);
        let outer_outside = cx.outside;
        // `spare` numbers slots in order, so that every slot from here on belongs to the body.
        cx.outside = cx.next_slot();
        let operands: Vec<Operand> = op
            .identities()
            .into_iter()
            .enumerate()
            .map(|(index, identity)| {
                let scalar = cx.scalar(op.operands[index]);
                Operand {
                    source: sources[index],
                    storage: storage(cx, op.operands[index]),
                    scalar,
                    identity: identity_of(scalar, identity),
                    element: cx.define_tile(args[2 * index]),
                    acc: cx.define_tile(args[2 * index + 1]),
                    next: cx.spare(args[2 * index + 1]),
                }
            })
            .collect();
        let places = operands
            .iter()
            .map(|operand| Place::Tile(operand.next))
            .collect();
        cx.scopes.push(Scope::Yield(id, places));
        let steps = cx.block(block);
        cx.scopes.pop();
        let captures = std::mem::replace(&mut cx.captures, outer_captures);
        cx.lanes = outer_lanes;
        cx.outside = outer_outside;
        Self {
            operands,
            axis,
            lanes,
            steps,
            captures,
        }
    }

    /// Returns the number of positions of the other axes.
    pub(super) fn instances(&self) -> usize {
        self.axis.outer * self.axis.inner
    }

    /// Returns the index of the element at `position` along the axis.
    fn place(&self, instance: usize, position: usize) -> usize {
        let Axis { extent, inner, .. } = self.axis;
        let (outer, inside) = (instance / inner, instance % inner);
        (outer * extent + position) * inner + inside
    }

    /// Broadcasts captured values before the first run.
    pub(super) fn begin(&self, machine: &mut Machine<'_>) {
        for &(from, to) in &self.captures {
            repeat(machine, from, to, self.lanes);
        }
    }

    /// Loads the elements at `position` of the instances from `first` on to the slots `to` of the
    /// operands.
    fn load(
        &self,
        machine: &mut Machine<'_>,
        (first, position): (usize, usize),
        to: impl Fn(&Operand) -> Slot,
    ) {
        for operand in &self.operands {
            with_lane!(operand.storage, L => {
                machine.write(to(operand), |machine, elements: &mut Vec<L>| {
                    let source: &[L] = machine.tile(operand.source);
                    let instances = first..first + self.lanes;
                    elements.extend(instances.map(|instance| source[self.place(instance, position)]));
                });
            });
        }
    }

    /// Returns the elements at `position` of the instances from `first` on.
    pub(super) fn elements(
        &self,
        machine: &mut Machine<'_>,
        first: usize,
        position: usize,
    ) -> Tuple {
        self.load(machine, (first, position), |operand| operand.element);
        let slots = self.operands.iter().map(|operand| operand.element);
        slots
            .map(|slot| machine.frame.tiles[slot.0].clone())
            .collect()
    }

    /// Returns the identity, once for each instance.
    pub(super) fn identity(&self) -> Tuple {
        let splat = |operand: &Operand| Data::splat(operand.storage, operand.identity, self.lanes);
        self.operands.iter().map(splat).collect()
    }

    /// Combines a later and an earlier value with the body.
    pub(super) fn combine(
        &self,
        machine: &mut Machine<'_>,
        element: &Tuple,
        acc: &Tuple,
    ) -> Result<Tuple, Stop> {
        for (operand, (element, acc)) in self.operands.iter().zip(element.iter().zip(acc)) {
            machine.frame.tiles[operand.element.0] = element.clone();
            machine.frame.tiles[operand.acc.0] = acc.clone();
        }
        run_steps(&self.steps, machine)?;
        let slots = self.operands.iter().map(|operand| operand.next);
        Ok(slots
            .map(|slot| machine.frame.tiles[slot.0].clone())
            .collect())
    }

    /// Resizes the result of every operand to `count` elements.
    fn make_room(&self, machine: &mut Machine<'_>, outs: &[Slot], count: usize) {
        for (operand, &out) in self.operands.iter().zip(outs) {
            with_lane!(operand.storage, L => {
                machine.write(out, |_, result: &mut Vec<L>| {
                    result.resize(count, L::default());
                });
            });
        }
    }

    /// Makes room for one result per instance.
    pub(super) fn room_for_totals(&self, machine: &mut Machine<'_>, outs: &[Slot]) {
        self.make_room(machine, outs, self.instances());
    }

    /// Makes room for a result at every position of the axis.
    pub(super) fn room_for_prefixes(&self, machine: &mut Machine<'_>, outs: &[Slot]) {
        self.make_room(machine, outs, self.instances() * self.axis.extent);
    }

    /// Writes the totals of the instances from `first` on to the results.
    pub(super) fn put_total(
        &self,
        machine: &mut Machine<'_>,
        outs: &[Slot],
        first: usize,
        total: &Tuple,
    ) {
        for ((operand, &out), total) in self.operands.iter().zip(outs).zip(total) {
            with_lane!(operand.storage, L => {
                let mut lanes: Vec<L> = machine.take(out);
                lanes[first..first + self.lanes].copy_from_slice(L::lanes(total));
                machine.put(out, lanes);
            });
        }
    }

    /// Writes the prefix at `position` of the instances from `first` on to the results.
    pub(super) fn put_prefix(
        &self,
        machine: &mut Machine<'_>,
        outs: &[Slot],
        (first, position): (usize, usize),
        prefix: &Tuple,
    ) {
        for ((operand, &out), prefix) in self.operands.iter().zip(outs).zip(prefix) {
            with_lane!(operand.storage, L => {
                let mut lanes: Vec<L> = machine.take(out);
                for (instance, &value) in (first..).zip(L::lanes(prefix)) {
                    lanes[self.place(instance, position)] = value;
                }
                machine.put(out, lanes);
            });
        }
    }
}

/// Compiles an arbitrary body, in the order of the axis.
fn general(
    cx: &mut Compiler<'_>,
    op: &Op,
    (id, block): (OpId, BlockId),
    axis: Axis,
    kept: Kept,
) -> Exec {
    let outs: Vec<Slot> = op
        .results
        .iter()
        .map(|&value| cx.define_tile(value))
        .collect();
    let body = Body::compile(cx, op, (id, block), axis);
    Box::new(move |machine| {
        body.begin(machine);
        match kept {
            Kept::Last => body.room_for_totals(machine, &outs),
            Kept::Each | Kept::EachFromEnd => body.room_for_prefixes(machine, &outs),
        }
        let lanes = body.lanes;
        for first in (0..body.instances()).step_by(lanes) {
            for step in 0..axis.extent {
                let position = match kept {
                    Kept::Last | Kept::Each => step,
                    Kept::EachFromEnd => axis.extent - 1 - step,
                };
                if step == 0 {
                    body.load(machine, (first, position), |operand| operand.acc);
                } else {
                    body.load(machine, (first, position), |operand| operand.element);
                    run_steps(&body.steps, machine)?;
                    for operand in &body.operands {
                        machine.swap(operand.next, operand.acc);
                    }
                }
                if kept == Kept::Last {
                    continue;
                }
                for (operand, &out) in body.operands.iter().zip(&outs) {
                    with_lane!(operand.storage, L => {
                        let mut out_lanes: Vec<L> = machine.take(out);
                        for (instance, &acc) in (first..).zip(machine.tile::<L>(operand.acc)) {
                            out_lanes[body.place(instance, position)] = acc;
                        }
                        machine.put(out, out_lanes);
                    });
                }
            }
            if kept != Kept::Last {
                continue;
            }
            for (operand, &out) in body.operands.iter().zip(&outs) {
                with_lane!(operand.storage, L => {
                    let mut out_lanes: Vec<L> = machine.take(out);
                    out_lanes[first..first + lanes].copy_from_slice(machine.tile(operand.acc));
                    machine.put(out, out_lanes);
                });
            }
        }
        Ok(Flow::Next)
    })
}

/// Broadcasts a captured rank-0 tile to every lane of a body.
fn repeat(machine: &mut Machine<'_>, from: Slot, to: Slot, lanes: usize) {
    let storage = machine.frame.tiles[from.0].storage();
    with_lane!(storage, L => {
        machine.write(to, |machine, copy: &mut Vec<L>| {
            copy.resize(lanes, machine.tile::<L>(from)[0]);
        });
    });
}
