//! Atomic operations: one atomic step per element, in the order of the elements.
//!
//! - The result of `atomic_rmw_tko` for a masked-off element is zero.
//! - An address that is not a multiple of the element's size is a fault.

use super::buffers::{Origin, Span};
use super::check::AccessKind;
use super::compile::Compiler;
use super::machine::{Exec, Flow, Machine, Stop};
use super::memory::{Pointers, ordered, watch};
use super::number::{Float, I32, I64, Int, with_float};
use super::tile::{Lane, Storage, with_lane};
use super::trace::{Action, Place};
use super::{shared, view};
use crate::ir::{AtomicRmwMode, Attr, MemoryOrdering, Op};
use crate::ops::AtomicOp;
use crate::types::Scalar;

/// Compiles an atomic operation.
pub(super) fn compile(kind: AtomicOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let exec = match kind {
        AtomicOp::AtomicCasTko => {
            let storage = Storage::for_scalar(cx.scalar(op.operand("val")));
            let exec = with_lane!(storage, L => compare_and_swap::<L>(cx, op));
            watch(cx, op, "pointers", AccessKind::Atomic, exec)
        }
        AtomicOp::AtomicRmwTko => {
            let scalar = cx.scalar(op.operand("arg"));
            let exec = with_lane!(Storage::for_scalar(scalar), L => modify::<L>(cx, op, scalar));
            watch(cx, op, "pointers", AccessKind::Atomic, exec)
        }
        AtomicOp::AtomicRedViewTko => {
            let scalar = cx.scalar(op.operand("value"));
            with_lane!(Storage::for_scalar(scalar), L => reduce_into::<L>(cx, op, scalar))
        }
    };
    ordered(op, exec)
}

fn mode(op: &Op) -> AtomicRmwMode {
    match op.attr("mode") {
        Some(&Attr::RmwMode(mode)) => mode,
        other => panic!("verified code has a mode, found {other:?}"),
    }
}

/// A function that computes the bits to store from the bits in memory and the bits of the argument.
type Combine = fn(u64, u64) -> u64;

fn combine(mode: AtomicRmwMode, scalar: Scalar) -> Combine {
    let is_wide = scalar == Scalar::I64;
    match mode {
        AtomicRmwMode::And => |old, arg| old & arg,
        AtomicRmwMode::Or => |old, arg| old | arg,
        AtomicRmwMode::Xor => |old, arg| old ^ arg,
        // The bits above the element are dropped.
        AtomicRmwMode::Add => |old, arg| old.wrapping_add(arg),
        AtomicRmwMode::Max if is_wide => |old, arg| signed::<I64>(old, arg, i64::max),
        AtomicRmwMode::Max => |old, arg| signed::<I32>(old, arg, i64::max),
        AtomicRmwMode::Min if is_wide => |old, arg| signed::<I64>(old, arg, i64::min),
        AtomicRmwMode::Min => |old, arg| signed::<I32>(old, arg, i64::min),
        AtomicRmwMode::UMax => |old, arg| old.max(arg),
        AtomicRmwMode::UMin => |old, arg| old.min(arg),
        AtomicRmwMode::Xchg => |_, arg| arg,
        AtomicRmwMode::AddF => with_float!(scalar, F => |old, arg| {
            let [old, arg] = [old, arg].map(|bits| F::widen(Lane::from_bits(bits)));
            F::narrow(old + arg).to_bits()
        }, else panic!("verified code adds floats")),
    }
}

fn signed<I: Int>(old: u64, arg: u64, pick: fn(i64, i64) -> i64) -> u64 {
    let [old, arg] = [old, arg].map(|bits| I::signed(I::L::from_bits(bits)));
    pick(old, arg).cast_unsigned()
}

fn modify<L: Lane>(cx: &mut Compiler<'_>, op: &Op, scalar: Scalar) -> Exec {
    let pointers = Pointers::from_operands(cx, op, "pointers");
    let arg = cx.tile(op.operand("arg"));
    let step = AtomicStep::new(op, Some(mode(op)));
    let combine = combine(mode(op), scalar);
    let out = cx.define_tile(op.results[0]);
    cx.define(op.results[1]);
    Box::new(move |machine| {
        let mut old: Vec<L> = machine.take(out);
        old.clear();
        let arg = machine.tile::<L>(arg);
        pointers.each::<L>(machine, |index, span| {
            let Some(span) = span else {
                old.push(L::default());
                return Ok(());
            };
            let arg = arg[index].to_bits();
            old.push(step.run(machine, span, |old: L| {
                L::from_bits(combine(old.to_bits(), arg))
            })?);
            Ok(())
        })?;
        machine.put(out, old);
        Ok(Flow::Next)
    })
}

fn compare_and_swap<L: Lane>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let pointers = Pointers::from_operands(cx, op, "pointers");
    let (cmp, val) = (cx.tile(op.operand("cmp")), cx.tile(op.operand("val")));
    let step = AtomicStep::new(op, None);
    let out = cx.define_tile(op.results[0]);
    cx.define(op.results[1]);
    Box::new(move |machine| {
        let mut old_values: Vec<L> = machine.take(out);
        old_values.clear();
        let (cmp, val) = (machine.tile::<L>(cmp), machine.tile::<L>(val));
        pointers.each::<L>(machine, |index, span| {
            let Some(span) = span else {
                old_values.push(cmp[index]);
                return Ok(());
            };
            old_values.push(step.run(machine, span, |old: L| {
                if old.to_bits() == cmp[index].to_bits() {
                    val[index]
                } else {
                    old
                }
            })?);
            Ok(())
        })?;
        machine.put(out, old_values);
        Ok(Flow::Next)
    })
}

fn reduce_into<L: Lane>(cx: &mut Compiler<'_>, op: &Op, scalar: Scalar) -> Exec {
    let access = view::access(cx, op, &[]);
    let value = cx.tile(op.operand("value"));
    let step = AtomicStep::new(op, Some(mode(op)));
    let combine = combine(mode(op), scalar);
    cx.define(op.results[0]);
    let watched = access.clone();
    let exec: Exec = Box::new(move |machine| {
        let value = machine.tile::<L>(value);
        access.each::<L>(machine, |index, span| {
            let arg = value[index].to_bits();
            step.run(machine, span, |old: L| {
                L::from_bits(combine(old.to_bits(), arg))
            })
            .map(drop)
        })?;
        Ok(Flow::Next)
    });
    watched.watch(cx, op, AccessKind::Atomic, exec)
}

/// The properties that all elements of an atomic operation share.
#[derive(Clone, Copy, Debug)]
struct AtomicStep {
    ordering: MemoryOrdering,
    mode: Option<AtomicRmwMode>,
}

impl AtomicStep {
    fn new(op: &Op, mode: Option<AtomicRmwMode>) -> Self {
        Self {
            ordering: op.memory_ordering(),
            mode,
        }
    }

    /// Replaces an element `e` by `f(e)`; returns the old value.
    fn run<L: Lane>(
        self,
        machine: &Machine<'_>,
        span: Span,
        f: impl Fn(L) -> L,
    ) -> Result<L, Stop> {
        span.to_store()?;
        // SAFETY: `span` was checked to be inside the buffer. Other accesses to it that may happen
        // at the same time are atomic and of the same size.
        let Some(old) = (unsafe { shared::update(span.ptr, &f) }) else {
            return Stop::here(format!(
                "atomic access to an address that is no multiple of {}",
                size_of::<L>()
            ));
        };
        if let Some(trace) = machine.options.trace
            && span.origin != Origin::Local
        {
            let action = Action::Atomic {
                ordering: self.ordering,
                mode: self.mode,
                place: Place::from_span(span, size_of::<L>()),
                old: old.to_bits(),
                new: f(old).to_bits(),
            };
            trace.record(machine.block, action);
        }
        Ok(old)
    }
}
