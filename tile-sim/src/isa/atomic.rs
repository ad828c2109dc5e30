//! Atomic operations and reductions (PTX ISA, `atom`, `red`).

use super::Op;
use super::float::{extreme, format_of};
use super::memory::{SCOPES, SPACES};
use super::operands::wide;
use super::soft::Rounding;
use super::types::{Class, Type, signed};
use crate::check::stamp::Scope;
use crate::check::{Trouble, bounds};
use crate::counters::Traffic;
use crate::machine::registers::lanes;
use crate::machine::sync::Order;
use crate::machine::{Cx, space_name};
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;

/// An atomic read-modify-write of each element.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    operation: Operation,
    ty: Type,
    /// Flushes subnormal `.f32` numbers in global memory to zeros of the same sign.
    flushes: bool,
    pub(crate) space: Space,
    order: Order,
    address: Address,
    /// The destinations of the old values; empty for `red`.
    dests: Slots,
    args: Slots,
    /// The value that `.cas` stores: one register, or two for `.b128`.
    new: Slots,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Add,
    Increment,
    Decrement,
    Min,
    Max,
}

type Ordering = fn(Scope) -> Order;

const ORDERINGS: [(&str, Ordering); 4] = [
    ("relaxed", Order::Relaxed),
    ("release", Order::Release),
    ("acquire", Order::Acquire),
    ("acq_rel", Order::AcquireRelease),
];

const OPERATIONS: [(&str, Operation); 10] = [
    ("and", Operation::And),
    ("or", Operation::Or),
    ("xor", Operation::Xor),
    ("exch", Operation::Exchange),
    ("cas", Operation::CompareAndSwap),
    ("add", Operation::Add),
    ("inc", Operation::Increment),
    ("dec", Operation::Decrement),
    ("min", Operation::Min),
    ("max", Operation::Max),
];

const VECTORS: [(&str, usize); 3] = [("v2", 2), ("v4", 4), ("v8", 8)];

/// The modifiers before the type. The PTX ISA prescribes an order; ptxas accepts any, and compilers
/// other than NVCC make use of that.
#[derive(Default)]
struct Modifiers {
    ordering: Option<Ordering>,
    scope: Option<Scope>,
    space: Option<Space>,
    operation: Option<Operation>,
    noftz: Option<()>,
    hinted: Option<()>,
    vector: Option<usize>,
    /// The type before the operation, where ptxas accepts it too: `.v2.f32.add`.
    ty: Option<Type>,
}

fn once<T>(d: &Decoder<'_>, place: &mut Option<T>, parsed: Option<T>) -> Decoded<bool> {
    if parsed.is_none() {
        return Ok(false);
    }
    if place.is_some() {
        return d.error("a modifier is given twice");
    }
    *place = parsed;
    Ok(true)
}

impl Modifiers {
    fn decode(d: &mut Decoder<'_>) -> Decoded<Self> {
        let orderings = match d.opcode() {
            "red" => &ORDERINGS[..2],
            _ => &ORDERINGS[..],
        };
        let mut modifiers = Self::default();
        loop {
            let ordering = d.one_of(orderings);
            let scope = d.one_of(&SCOPES);
            let space = d.one_of(&SPACES);
            let operation = d.one_of(&OPERATIONS);
            let noftz = d.one_of(&[("noftz", ())]);
            let hinted = d.one_of(&[("L2::cache_hint", ())]);
            let vector = d.one_of(&VECTORS);
            let ty = match d.peek().and_then(Type::parse) {
                Some(ty) if modifiers.operation.is_none() && operation.is_none() => {
                    d.ty()?;
                    Some(ty)
                }
                _ => None,
            };
            let has_modifier = once(d, &mut modifiers.ordering, ordering)?
                | once(d, &mut modifiers.scope, scope)?
                | once(d, &mut modifiers.space, space)?
                | once(d, &mut modifiers.operation, operation)?
                | once(d, &mut modifiers.noftz, noftz)?
                | once(d, &mut modifiers.hinted, hinted)?
                | once(d, &mut modifiers.vector, vector)?
                | once(d, &mut modifiers.ty, ty)?;
            if !has_modifier {
                return Ok(modifiers);
            }
        }
    }
}

/// Returns `true` if the operation exists for the type, on scalars or on vectors.
fn accepts(operation: Operation, ty: Type, vector: bool) -> bool {
    let is_half = ty.is_float() && ty.bits == 16;
    if vector {
        let adds_singles = operation == Operation::Add && ty == Type::F32;
        let combines = matches!(operation, Operation::Add | Operation::Min | Operation::Max);
        return adds_singles || combines && is_half;
    }
    let is_number = ty.is_integer() && ty.packed == 1 && ty.bits >= 32;
    let is_signed64 = ty.is_signed() && ty.bits == 64;
    match operation {
        Operation::And | Operation::Or | Operation::Xor | Operation::Exchange => {
            let exchanges = operation == Operation::Exchange && ty == Type::B128;
            matches!(ty, Type::B32 | Type::B64) || exchanges
        }
        Operation::CompareAndSwap => {
            matches!(ty, Type::B16 | Type::B32 | Type::B64 | Type::B128)
        }
        Operation::Add => {
            is_number && !is_signed64 || is_half || matches!(ty, Type::F32 | Type::F64)
        }
        Operation::Increment | Operation::Decrement => ty == Type::U32,
        Operation::Min | Operation::Max => is_number,
    }
}

fn requirements(
    d: &Decoder<'_>,
    operation: Operation,
    ty: Type,
    modifiers: &Modifiers,
) -> Decoded<()> {
    if modifiers.ordering.is_some() {
        d.requires((6, 0), 70)?;
    }
    if modifiers.scope == Some(Scope::Cluster) {
        d.requires((7, 8), 90)?;
    }
    if modifiers.vector.is_some() {
        return d.requires((8, 1), 90);
    }
    if modifiers.hinted.is_some() {
        d.requires((7, 4), 80)?;
    }
    if ty == Type::B128 {
        return d.requires((8, 3), 90);
    }
    if operation == Operation::CompareAndSwap && ty.bits == 16 {
        return d.requires((6, 3), 70);
    }
    match (ty.class, ty.bits, ty.packed) {
        (Class::Brain, ..) => d.requires((7, 8), 90),
        (Class::Float, 16, 1) => d.requires((6, 3), 70),
        (Class::Float, 16, _) => d.requires((6, 2), 60),
        (Class::Float, 64, _) => d.requires((5, 0), 60),
        _ => Ok(()),
    }
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let returns = d.opcode() == "atom";
    if !returns && d.takes("async") {
        return super::bulk::decode_reduce(d).map(Op::Counted);
    }
    let modifiers = Modifiers::decode(d)?;
    let Some(operation) = modifiers.operation else {
        return d.unexpected();
    };
    let accepted = |ty: Type| accepts(operation, ty, modifiers.vector.is_some());
    let ty = match modifiers.ty {
        Some(ty) if accepted(ty) => ty,
        Some(_) => return d.error("the operation does not exist for the type"),
        None => d.ty_where(accepted)?,
    };
    let is_half = ty.is_float() && ty.bits == 16;
    // PTX ISA, "atom": `.noftz` is mandatory for half precision, and new for `.f32`.
    if is_half && modifiers.noftz.is_none() {
        return d.error("`.f16` and `.bf16` require `.noftz`");
    }
    if modifiers.noftz.is_some() && !is_half {
        if ty != Type::F32 {
            return d.error("`.noftz` is for `.f16`, `.bf16` and `.f32`");
        }
        d.requires((9, 4), 70)?;
    }
    requirements(d, operation, ty, &modifiers)?;
    let space = modifiers.space.unwrap_or(Space::Generic);
    let fits = match space {
        Space::Generic | Space::Global => true,
        Space::Shared | Space::Cluster => modifiers.vector.is_none() && modifiers.hinted.is_none(),
        Space::Const | Space::Local | Space::Param => false,
    };
    if !fits {
        return d.error("not in that space");
    }
    // PTX ISA, "atom", "Vector operations": at most 128 bits per operation.
    let count = modifiers.vector.unwrap_or(1);
    if count * usize::from(ty.total_bits()) > 128 {
        return d.error("at most 16 bytes can be updated");
    }
    let swaps = operation == Operation::CompareAndSwap;
    if !returns && (swaps || operation == Operation::Exchange) {
        return d.error("needs a destination");
    }
    if swaps && modifiers.hinted.is_some() {
        return d.error("`.cas` has no cache policy");
    }
    let first = usize::from(returns);
    let args = first + 2 + usize::from(swaps);
    d.end(args + usize::from(modifiers.hinted.is_some()))?;
    if modifiers.hinted.is_some() {
        d.source(args, Type::B64)?;
    }
    // A `.b128` register is two rows of 64 bits.
    let (count, part) = if ty == Type::B128 {
        for index in 0..args {
            let discarded = index == 0 && d.is_sink(0);
            if index != 1 && !discarded {
                wide(d, index)?;
            }
        }
        (2, Type::B64)
    } else {
        (count, ty)
    };
    let dests = if returns && !(part != ty && d.is_sink(0)) {
        d.dests_for(0, count, part)?
    } else {
        Slots::new()
    };
    let ordering = modifiers.ordering.unwrap_or(Order::Relaxed);
    let new = if swaps {
        d.sources(first + 2, count, part)?
    } else {
        Slots::new()
    };
    Ok(Op::Atomic(Atomic {
        operation,
        ty,
        flushes: ty == Type::F32 && modifiers.noftz.is_none(),
        space,
        order: ordering(modifiers.scope.unwrap_or(Scope::Device)),
        address: d.address(first)?,
        dests,
        args: d.sources(first + 1, count, part)?,
        new,
    }))
}

impl Atomic {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        if self.ty == Type::B128 {
            return self.execute_wide(cx, active);
        }
        let bases = cx.registers.row(self.address.base);
        let size = usize::from(self.ty.total_bits() / 8);
        let total = size * self.args.len();
        let strength = self.order.strength();
        cx.requests.clear();
        for lane in lanes(active) {
            let address = self.address.at(bases[lane]);
            let (space, address) = cx.resolve(self.space, address);
            bounds::aligned(space_name(space), address, total)
                .map_err(|kind| Trouble::at(lane, kind))?;
            let flushes = self.flushes && space == Space::Global;
            let new = self.new.first();
            let new = new.map_or(0, |&slot| cx.registers.get(lane, slot));
            for (element, &arg) in self.args.iter().enumerate() {
                let address = address + (element * size) as u64;
                let arg = cx.registers.get(lane, arg) & self.ty.mask();
                // The old value has at most 64 bits.
                let old = cx.atomic(strength, lane, space, address, size, |old| {
                    let old = old as u64;
                    u128::from(if flushes {
                        flushed_sum(old, arg)
                    } else {
                        self.combined(old, arg, new & self.ty.mask())
                    })
                })? as u64;
                cx.loaded(self.order, lane, space, address)?;
                cx.stored(self.order, true, lane, space, address)?;
                if let Some(&dest) = self.dests.get(element) {
                    cx.registers.set(lane, dest, old);
                }
            }
        }
        for &dest in &self.dests {
            cx.registers.define(active, dest);
        }
        cx.count_requests(Traffic::Atomic, size as u64);
        Ok(())
    }

    /// Executes `.exch.b128` and `.cas.b128`, whose values are in two registers each.
    fn execute_wide(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        let bases = cx.registers.row(self.address.base);
        let strength = self.order.strength();
        cx.requests.clear();
        for lane in lanes(active) {
            let address = self.address.at(bases[lane]);
            let (space, address) = cx.resolve(self.space, address);
            let value = |slots: &Slots| {
                slots.iter().rev().fold(0, |value, &slot| {
                    value << 64 | u128::from(cx.registers.get(lane, slot))
                })
            };
            let (arg, new) = (value(&self.args), value(&self.new));
            let swaps = self.operation == Operation::CompareAndSwap;
            let old = cx.atomic(strength, lane, space, address, 16, |old| match swaps {
                true if old == arg => new,
                true => old,
                false => arg,
            })?;
            cx.loaded(self.order, lane, space, address)?;
            cx.stored(self.order, true, lane, space, address)?;
            for (&dest, half) in self.dests.iter().zip([old, old >> 64]) {
                cx.registers.set(lane, dest, half as u64);
            }
        }
        for &dest in &self.dests {
            cx.registers.define(active, dest);
        }
        cx.count_requests(Traffic::Atomic, 16);
        Ok(())
    }

    fn combined(&self, old: u64, arg: u64, second: u64) -> u64 {
        if self.ty.packed == 1 {
            return self.element(old, arg, second);
        }
        let half = |value: u64, index: u32| value >> (16 * index) & 0xffff;
        let element = |index| self.element(half(old, index), half(arg, index), 0);
        element(0) | element(1) << 16
    }

    fn element(&self, old: u64, arg: u64, second: u64) -> u64 {
        let bits = self.ty.bits;
        let m = self.ty.element().mask();
        let (a, b) = (signed(old, bits), signed(arg, bits));
        let is_signed = self.ty.is_signed();
        if self.ty.is_float() {
            let format = format_of(self.ty);
            return match self.operation {
                Operation::Add => format.add(old, arg, Rounding::NearestEven),
                Operation::Max => extreme(format, true, false, old, arg),
                _ => extreme(format, false, false, old, arg),
            };
        }
        match self.operation {
            Operation::And => old & arg,
            Operation::Or => old | arg,
            Operation::Xor => old ^ arg,
            Operation::Exchange => arg,
            Operation::CompareAndSwap => {
                if old == arg {
                    second
                } else {
                    old
                }
            }
            Operation::Add => old.wrapping_add(arg) & m,
            Operation::Increment => {
                if old >= arg {
                    0
                } else {
                    old + 1
                }
            }
            Operation::Decrement => {
                if old == 0 || old > arg {
                    arg
                } else {
                    old - 1
                }
            }
            Operation::Min if is_signed => a.min(b).cast_unsigned() & m,
            Operation::Max if is_signed => a.max(b).cast_unsigned() & m,
            Operation::Min => old.min(arg),
            Operation::Max => old.max(arg),
        }
    }
}

/// Computes `atom.add.f32` in global memory (PTX ISA, `atom`: "flushes subnormal inputs and
/// results").
fn flushed_sum(old: u64, arg: u64) -> u64 {
    let format = format_of(Type::F32);
    let sum = format.add(format.flush(old), format.flush(arg), Rounding::NearestEven);
    format.flush(sum)
}
