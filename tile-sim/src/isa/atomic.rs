//! Atomic operations and reductions (PTX ISA, `atom`, `red`).

use super::float::{extreme, format_of};
use super::memory::{SCOPES, SPACES, resolve};
use super::soft::Rounding;
use super::types::{Class, Type, signed};
use super::{Op, Slot};
use crate::check::Trouble;
use crate::check::stamp::Scope;
use crate::counters::Traffic;
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::machine::sync::Order;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;

/// A read, an operation and a write that nothing comes between.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    operation: Operation,
    ty: Type,
    pub(crate) space: Space,
    order: Order,
    address: Address,
    /// What it takes the old value; `red` has none.
    dest: Option<Slot>,
    args: [Slot; 2],
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

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let returns = d.opcode() == "atom";
    type Ordering = fn(Scope) -> Order;
    let ordering = if returns {
        d.one_of::<Ordering>(&[
            ("relaxed", Order::Relaxed),
            ("acquire", Order::Acquire),
            ("release", Order::Release),
            ("acq_rel", Order::AcquireRelease),
        ])
    } else {
        d.one_of::<Ordering>(&[("relaxed", Order::Relaxed), ("release", Order::Release)])
    };
    let mut scope = d.one_of(&SCOPES);
    let space = d.one_of(&SPACES).unwrap_or(Space::Generic);
    if scope.is_none() {
        // Older texts have the scope behind the space.
        scope = d.one_of(&SCOPES);
    }
    let order = ordering.unwrap_or(Order::Relaxed)(scope.unwrap_or(Scope::Device));
    let operation = d.needs(&[
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
    ])?;
    let keeps_subnormals = d.takes("noftz");
    // Which lines of the cache to keep: changes nothing here.
    let policy = d.takes("L2::cache_hint");
    let is_float =
        |ty: Type| ty.is_float() && ty.total_bits() <= 64 && (ty.packed == 1 || ty.bits == 16);
    let ty = d.ty_where(|ty| {
        let number = ty.is_integer() && ty.bits >= 32;
        match operation {
            Operation::And | Operation::Or | Operation::Xor | Operation::Exchange => {
                ty.class == Class::Bits && ty.bits >= 32
            }
            Operation::CompareAndSwap => ty.class == Class::Bits && ty.bits >= 16,
            Operation::Add => {
                number && ty.packed == 1 && !(ty.is_signed() && ty.bits == 64) || is_float(ty)
            }
            Operation::Increment | Operation::Decrement => ty == Type::U32,
            Operation::Min | Operation::Max => {
                number && ty.packed == 1 || is_float(ty) && ty.bits == 16
            }
        }
    })?;
    if keeps_subnormals != (ty.is_float() && ty.bits == 16) {
        return d.error("`.noftz` is for halves");
    }
    if !matches!(
        space,
        Space::Generic | Space::Global | Space::Shared | Space::Cluster
    ) {
        return d.error("not in that space");
    }
    if !returns && matches!(operation, Operation::Exchange | Operation::CompareAndSwap) {
        return d.error("needs a destination");
    }
    let first = usize::from(returns);
    let operands = if operation == Operation::CompareAndSwap {
        2
    } else {
        1
    };
    d.end(first + 1 + operands + usize::from(policy))?;
    if policy {
        d.source(first + 1 + operands, Type::B64)?;
    }
    let dest = if returns {
        Some(d.dest_for(0, ty)?)
    } else {
        None
    };
    let address = d.address(first)?;
    let arg = d.source(first + 1, ty)?;
    let second = if operands == 2 {
        d.source(first + 2, ty)?
    } else {
        arg
    };
    Ok(Op::Atomic(Atomic {
        operation,
        ty,
        space,
        order,
        address,
        dest,
        args: [arg, second],
    }))
}

impl Atomic {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        let bases = cx.registers.row(self.address.base);
        let size = usize::from(self.ty.total_bits() / 8);
        cx.requests.clear();
        for lane in lanes(active) {
            let address = bases[lane].wrapping_add_signed(self.address.offset);
            let (space, address) = resolve(self.space, address);
            let arg = cx.registers.get(lane, self.args[0]) & self.ty.mask();
            let second = cx.registers.get(lane, self.args[1]) & self.ty.mask();
            let how = self.order.how();
            // At most 64 bits.
            let old = cx.atomic(how, lane, space, address, size, |old| {
                u128::from(self.combined(old as u64, arg, second))
            })? as u64;
            cx.loaded(self.order, lane, space, address)?;
            cx.stored(self.order, true, lane, space, address)?;
            if let Some(dest) = self.dest {
                cx.registers.set(lane, dest, old);
            }
        }
        if let Some(dest) = self.dest {
            cx.registers.define(active, dest);
        }
        cx.count_requests(Traffic::Atomic, size as u64);
        Ok(())
    }

    fn combined(&self, old: u64, arg: u64, second: u64) -> u64 {
        if self.ty.packed == 1 {
            return self.element(old, arg, second);
        }
        let half = |value: u64, at: u32| value >> (16 * at) & 0xffff;
        let element = |at| self.element(half(old, at), half(arg, at), 0);
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
