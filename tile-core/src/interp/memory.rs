//! Access through pointers, and tokens.
//!
//! - Elements are accessed individually and in order. When an element is out of bounds, the
//!   elements before it have already been stored.
//! - Memory operations of a block run in program order, regardless of tokens;
//!   [`RunOptions::seed`](super::RunOptions::seed) changes the order, and checking mode finds
//!   accesses that no token orders. Between blocks, an ordering other than weak or relaxed adds a
//!   fence before or after the accesses, which are atomic.
//! - Masked-off elements without padding read as zero.

use super::buffers::{Origin, Pointer, Span};
use super::check::{AccessKind, Check, Clock, Visit, Watched, watched};
use super::compile::Compiler;
use super::machine::{ClockSlot, Exec, Flow, Machine, Slot, Step, Stop, run_steps};
use super::shared;
use super::tile::{Lane, Storage, with_lane};
use super::trace::{Action, Place};
use crate::ir::{Attr, BlockId, MemoryOrdering, Module, Op, OpId, ValueId};
use crate::ops::MemoryOp;
use crate::types::{Element, Scalar};
use std::sync::atomic::{Ordering, fence};

/// Compiles a memory operation.
pub(super) fn compile(kind: MemoryOp, cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    match kind {
        MemoryOp::JoinTokens => join_tokens(cx, op),
        MemoryOp::MakeToken => make_token(cx, op),
        MemoryOp::LoadPtrTko => {
            let scalar = cx.scalar(op.results[0]);
            let exec = with_lane!(Storage::for_scalar(scalar), L => load::<L>(cx, op, scalar));
            let exec = watch(cx, op, "source", AccessKind::Load, exec);
            Some(ordered(op, exec))
        }
        MemoryOp::StorePtrTko => {
            let scalar = cx.scalar(op.operand("value"));
            let exec = with_lane!(Storage::for_scalar(scalar), L => store::<L>(cx, op));
            let exec = watch(cx, op, "destination", AccessKind::Store, exec);
            Some(ordered(op, exec))
        }
        MemoryOp::Alloca => Some(alloca(cx, op)),
        // No other kernel runs on the device, and aliases of memory are always coherent.
        MemoryOp::GdcLaunchDependentsTko | MemoryOp::GdcWaitTko | MemoryOp::MemoryFenceAliasTko => {
            match op.operands.first() {
                Some(&token) => cx.alias(op.result(), token),
                None => {
                    cx.define(op.result());
                }
            }
            None
        }
    }
}

/// Compiles `make_token`: nothing is ordered before the result.
fn make_token(cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    cx.define(op.result());
    if cx.check == Check::Off {
        return None;
    }
    let to = cx.clock(op.result());
    Some(Box::new(move |machine| {
        machine.frame.clocks[to.0] = Clock::default();
        Ok(Flow::Next)
    }))
}

/// Compiles `join_tokens`: operations ordered before any of the operands are ordered before the
/// result.
fn join_tokens(cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    cx.define(op.result());
    if cx.check == Check::Off {
        return None;
    }
    let from: Vec<ClockSlot> = op.operands.iter().map(|&token| cx.clock(token)).collect();
    let to = cx.clock(op.result());
    Some(Box::new(move |machine| {
        let clocks = &mut machine.frame.clocks;
        let (first, rest) = from.split_first().expect("verified code joins tokens");
        let mut joined = clocks[first.0].clone();
        for token in rest {
            joined.join(&clocks[token.0]);
        }
        clocks[to.0] = joined;
        Ok(Flow::Next)
    }))
}

/// Adds checks before the closure of an operation that accesses memory through the pointers of the
/// operand `slot`.
pub(super) fn watch(
    cx: &mut Compiler<'_>,
    op: &Op,
    slot: &str,
    kind: AccessKind,
    exec: Exec,
) -> Exec {
    if cx.check == Check::Off {
        return exec;
    }
    let pointers = Pointers::from_operands(cx, op, slot);
    let tile = cx.module.ty(op.operand(slot)).as_tile();
    let Some(Element::Ptr(pointee)) = tile.map(|tile| tile.element) else {
        panic!("verified code accesses what pointers point to");
    };
    let (shape, bytes) = (pointers.shape.clone(), pointee.bytes());
    let each = move |machine: &Machine<'_>, visit: Visit<'_>| {
        let mask = pointers.mask.map(|mask| machine.tile::<u8>(mask));
        let lanes = machine.tile::<Pointer>(pointers.addresses);
        for (index, &pointer) in lanes.iter().enumerate() {
            // The operation itself reports out-of-bounds elements.
            if mask.is_none_or(|mask| mask[index] != 0)
                && let Ok(span) = machine.buffers.span(pointer, 0, bytes as u128)
            {
                visit(index, span)?;
            }
        }
        Ok(())
    };
    watched(cx, op, kind, Watched::bytes(shape, bytes), each, exec)
}

/// Compiles `alloca`, memory local to the block. The attribute `global` is not observable: other
/// blocks could only reach the memory by its address, and blocks that make pointers from integers
/// run sequentially.
fn alloca(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let number = |name| match op.attr(name) {
        Some(&Attr::Int(number)) => usize::try_from(number).unwrap_or(usize::MAX),
        other => panic!("verified code has a number here, found {other:?}"),
    };
    let (elements, alignment) = (number("num_elem"), number("alignment"));
    let tile = cx.module.ty(op.result()).as_tile();
    let Some(Element::Ptr(pointee)) = tile.map(|tile| tile.element) else {
        panic!("verified code makes a pointer");
    };
    let bytes = elements.saturating_mul(pointee.bytes());
    let out = cx.result(op);
    Box::new(move |machine| {
        let pointer = machine.buffers.allocate(bytes, alignment)?;
        machine.put_scalar(out, pointer);
        Ok(Flow::Next)
    })
}

/// Wraps the steps of a block so that the block frees its `alloca` memory when it ends.
pub(super) fn scoped(module: &Module, block: BlockId, steps: Vec<Step>) -> Vec<Step> {
    let is_alloca = |&id: &OpId| module.op(id).opcode == MemoryOp::Alloca.into();
    let has_alloca = module.block(block).ops.iter().any(is_alloca);
    let Some(site) = steps.first().map(|step| step.site).filter(|_| has_alloca) else {
        return steps;
    };
    let exec: Exec = Box::new(move |machine| {
        let kept = machine.buffers.locals();
        let flow = run_steps(&steps, machine);
        machine.buffers.release(kept);
        flow
    });
    vec![Step { exec, site }]
}

/// Returns the characters from `pointer` on, up to a zero or at most `limit`.
pub(super) fn text(machine: &Machine<'_>, pointer: Pointer, limit: usize) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::new();
    while text.len() < limit {
        let span = machine.buffers.span(pointer, text.len() as u128, 1)?;
        // SAFETY: as in `load`.
        match unsafe { read::<u8>(span) } {
            0 => break,
            character => text.push(character),
        }
    }
    Ok(text)
}

/// Orders a memory operation relative to those of other blocks, as its ordering attribute states.
/// Memory that several blocks access is accessed atomically, so that fences are enough.
pub(super) fn ordered(op: &Op, exec: Exec) -> Exec {
    let (release, acquire) = match op.memory_ordering() {
        MemoryOrdering::Weak | MemoryOrdering::Relaxed => return exec,
        MemoryOrdering::Acquire => (false, true),
        MemoryOrdering::Release => (true, false),
        MemoryOrdering::AcqRel => (true, true),
    };
    Box::new(move |machine| {
        if release {
            fence(Ordering::Release);
        }
        let flow = exec(machine)?;
        if acquire {
            fence(Ordering::Acquire);
        }
        Ok(flow)
    })
}

/// The pointers of an access and their mask.
pub(super) struct Pointers {
    addresses: Slot,
    shape: Vec<usize>,
    mask: Option<Slot>,
}

impl Pointers {
    /// Returns the pointers in the operand `slot`, and the operand `mask`.
    pub(super) fn from_operands(cx: &mut Compiler<'_>, op: &Op, slot: &str) -> Self {
        Self {
            addresses: cx.tile(op.operand(slot)),
            shape: cx.shape(op.operand(slot)),
            mask: optional(cx, op.optional_operand("mask")),
        }
    }

    /// Calls `f` for every element with its index and, unless it is masked off, its memory. A
    /// failure states the element; a launch that continues treats the element as masked off.
    pub(super) fn each<L: Lane>(
        &self,
        machine: &Machine<'_>,
        mut f: impl FnMut(usize, Option<Span>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mask = self.mask.map(|mask| machine.tile::<u8>(mask));
        for (index, &pointer) in machine.tile::<Pointer>(self.addresses).iter().enumerate() {
            if mask.is_some_and(|mask| mask[index] == 0) {
                f(index, None)?;
                continue;
            }
            let span = machine.buffers.span(pointer, 0, size_of::<L>() as u128);
            if let Err(stop) = span.and_then(|span| f(index, Some(span))) {
                machine.undefined(stop.in_element(&self.shape, index))?;
                f(index, None)?;
            }
        }
        Ok(())
    }
}

fn optional(cx: &mut Compiler<'_>, value: Option<ValueId>) -> Option<Slot> {
    value.map(|value| cx.tile(value))
}

fn load<L: Lane>(cx: &mut Compiler<'_>, op: &Op, scalar: Scalar) -> Exec {
    let source = Pointers::from_operands(cx, op, "source");
    let padding = optional(cx, op.optional_operand("paddingValue"));
    let ordering = op.memory_ordering();
    let out = cx.define_tile(op.results[0]);
    cx.define(op.results[1]);
    Box::new(move |machine| {
        let mut lanes: Vec<L> = machine.take(out);
        lanes.clear();
        let padding = padding.map(|padding| machine.tile::<L>(padding));
        source.each::<L>(machine, |index, span| {
            let Some(span) = span else {
                lanes.push(padding.map_or_else(L::default, |padding| padding[index]));
                return Ok(());
            };
            // SAFETY: `span` checked that the element is inside the buffer, all of whose accesses
            // are of this kind.
            let lane = normal(scalar, unsafe { read::<L>(span) });
            machine.trace_read(ordering, span, lane);
            lanes.push(lane);
            Ok(())
        })?;
        machine.put(out, lanes);
        Ok(Flow::Next)
    })
}

fn store<L: Lane>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let destination = Pointers::from_operands(cx, op, "destination");
    let value = cx.tile(op.operand("value"));
    let ordering = op.memory_ordering();
    cx.define(op.results[0]);
    Box::new(move |machine| {
        let lanes = machine.tile::<L>(value);
        destination.each::<L>(machine, |index, span| {
            if let Some(span) = span {
                span.to_store()?;
                // SAFETY: as in `load`.
                unsafe { write(span, lanes[index]) };
                machine.trace_write(ordering, span, lanes[index]);
            }
            Ok(())
        })?;
        Ok(Flow::Next)
    })
}

/// Reads an element.
///
/// # Safety
/// The element must be inside the buffer, and all concurrent accesses must be made with the
/// functions of this module or of [`shared`].
unsafe fn read<L: Lane>(span: Span) -> L {
    // SAFETY: promised by the caller; nothing writes to uncontended memory.
    unsafe {
        if span.contended {
            shared::read(span.ptr)
        } else {
            span.ptr.cast::<L>().read_unaligned()
        }
    }
}

/// Writes an element.
///
/// # Safety
/// As [`read`].
unsafe fn write<L: Lane>(span: Span, lane: L) {
    // SAFETY: promised by the caller; only this block accesses uncontended memory.
    unsafe {
        if span.contended {
            shared::write(span.ptr, lane);
        } else {
            span.ptr.cast::<L>().write_unaligned(lane);
        }
    }
}

/// Converts an element in memory to an element of a tile.
pub(super) fn normal<L: Lane>(scalar: Scalar, lane: L) -> L {
    match normalizer(scalar) {
        None => lane,
        Some(f) => L::from_bits(f(lane.to_bits())),
    }
}

/// Returns the conversion of an element in memory to one of a tile, if they differ.
pub(super) fn normalizer(scalar: Scalar) -> Option<fn(u64) -> u64> {
    match scalar {
        // A truth value is a byte, true if it is not zero.
        Scalar::I1 => Some(|bits| u64::from(bits != 0)),
        Scalar::F4E2M1FN | Scalar::I4 => Some(|bits| bits & 0xf),
        // The multiplier reads the upper 19 bits.
        Scalar::TF32 => Some(|bits| bits & !0x1fff),
        _ => None,
    }
}

/// Compiles `result[i] = ptr[i] + offset[i] * size`. The dialect leaves an overflow of the sum or
/// product undefined; here the result is an invalid pointer.
pub(super) fn offset(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    use super::machine::binary;
    use super::number::{Int, with_int};
    let args = cx.args(op);
    let tile = cx.module.ty(op.result()).as_tile();
    let Some(Element::Ptr(pointee)) = tile.map(|tile| tile.element) else {
        panic!("verified code moves pointers");
    };
    let bytes = i64::try_from(pointee.bytes()).expect("few bytes");
    let scalar = cx.scalar(op.operand("offset"));
    let out = cx.result(op);
    with_int!(scalar, I => {
        binary(args, out, move |pointer: Pointer, by: <I as Int>::L| {
            let by = I::signed(by).checked_mul(bytes);
            let offset = by.and_then(|by| pointer.offset.checked_add(by));
            offset.map_or_else(Pointer::default, |offset| Pointer { offset, ..pointer })
        })
    }, else panic!("verified code has integers here"))
}

impl Machine<'_> {
    /// Records a load, if it is observable.
    pub(super) fn trace_read<L: Lane>(&self, ordering: MemoryOrdering, span: Span, lane: L) {
        if let Some(trace) = self.options.trace
            && ordering != MemoryOrdering::Weak
            && span.origin != Origin::Local
        {
            let action = Action::Read {
                ordering,
                place: Place::from_span(span, size_of::<L>()),
                bits: lane.to_bits(),
            };
            trace.record(self.block, action);
        }
    }

    /// Records a store.
    pub(super) fn trace_write<L: Lane>(&self, ordering: MemoryOrdering, span: Span, lane: L) {
        if let Some(trace) = self.options.trace
            && span.origin != Origin::Local
        {
            let action = Action::Write {
                ordering,
                place: Place::from_span(span, size_of::<L>()),
                bits: lane.to_bits(),
            };
            trace.record(self.block, action);
        }
    }
}
