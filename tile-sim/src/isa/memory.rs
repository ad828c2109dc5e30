//! Loads and stores (PTX ISA, `ld`, `st`), and their memory order.

use super::cache::{self, Hinted, PolicyOperand};
use super::operands::wide;
use super::types::{Class, Type, mask, signed};
use super::{Op, Slot};
use crate::check::Trouble;
use crate::check::stamp::Scope;
use crate::machine::Cx;
use crate::machine::registers::{Row, lanes};
use crate::machine::sync::Order;
use crate::machine::together::Together;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;

/// A load or a store.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) kind: Kind,
    pub(crate) space: Space,
    order: Order,
    /// The size of an element in bytes.
    bytes: u8,
    signed: bool,
    address: Address,
    /// One register per element.
    values: Slots,
    /// The width of the destination registers in bits.
    width: u8,
    /// The upper half of a `.b128` destination that receives a narrower value.
    upper: Option<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
}

pub(crate) const SPACES: [(&str, Space); 10] = [
    ("global", Space::Global),
    ("const", Space::Const),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("shared::cluster", Space::Cluster),
    ("local", Space::Local),
    ("param", Space::Param),
    ("param::entry", Space::Param),
    ("param::func", Space::Param),
    ("generic", Space::Generic),
];

pub(crate) const SCOPES: [(&str, Scope); 4] = [
    ("cta", Scope::Block),
    ("cluster", Scope::Cluster),
    ("gpu", Scope::Device),
    ("sys", Scope::Device),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let kind = if d.opcode() == "st" {
        if d.takes("async") {
            return super::bulk::decode_store(d).map(Op::Counted);
        }
        if d.takes("bulk") {
            return super::bulk::decode_clear(d).map(Op::Bulk);
        }
        Kind::Store
    } else {
        Kind::Load
    };
    let (order, mut space) = order_and_space(d, kind)?;
    let hints = hints(d, kind, order, space)?;
    let (mut ty, mut count) = elements(d, hints.wide_only)?;
    match hints.policy {
        PolicyOperand::Absent => d.end(2)?,
        PolicyOperand::Last => {
            d.end(3)?;
            cache::policy_operand(d, 2)?;
        }
    }
    let (values, address) = match kind {
        Kind::Load => (0, 1),
        Kind::Store => (1, 0),
    };
    if ty == Type::B128 {
        if count > 1 {
            return d.error("there are no vectors of `.b128`");
        }
        d.requires((8, 3), 70)?;
        wide(d, values)?;
        (ty, count) = (Type::B64, 2);
    }
    let address = d.address(address)?;
    if !address.of_call {
        d.fits_space(address.space, space)?;
    }
    // Parameters of device functions are in local memory here.
    if space == Space::Param && address.of_call {
        space = Space::Local;
    }
    if space == Space::Param && kind == Kind::Store {
        return d.error("kernel parameters are read-only");
    }
    let (values, upper) = registers(d, kind, values, (ty, count))?;
    Ok(Op::Memory(Access {
        kind,
        space,
        order,
        bytes: ty.bits / 8,
        signed: ty.is_signed(),
        address,
        width: d.names.width(values[0]),
        values,
        upper,
    }))
}

/// Decodes `.nc` and the cache hints.
fn hints(d: &mut Decoder<'_>, kind: Kind, order: Order, space: Space) -> Decoded<cache::Hints> {
    let coherent = kind == Kind::Store || !d.has("nc");
    if !coherent && space != Space::Global {
        return d.error("`.nc` is for `.global`");
    }
    let hinted = match kind {
        Kind::Store => Hinted::Store,
        Kind::Load if coherent => Hinted::Load,
        Kind::Load => Hinted::LoadNonCoherent,
    };
    let operators = ["ca", "cg", "cs", "lu", "cv", "wb", "wt"];
    // PTX ISA, "Cache Operators": they apply to weak accesses, and do not change the memory order.
    if order != Order::Weak && d.peek().is_some_and(|next| operators.contains(&next)) {
        return d.error("cache operators require a weak access");
    }
    cache::hints(d, hinted, space)
}

/// Decodes the type of an element, and the number of elements. With `wide_only`, they have 32 bytes.
fn elements(d: &mut Decoder<'_>, wide_only: bool) -> Decoded<(Type, usize)> {
    let device = d.has("mmio");
    let count = d.one_of(&[("v2", 2), ("v4", 4), ("v8", 8)]);
    if device && count.is_some() {
        return d.error("`.mmio` requires a scalar");
    }
    let count = count.unwrap_or(1);
    let ty = d.ty_where(|ty| {
        ty.bits >= 8
            && ty.packed == 1
            && matches!(
                ty.class,
                Class::Bits | Class::Unsigned | Class::Signed | Class::Float
            )
            && ty != Type::F16
    })?;
    if usize::from(ty.bits) * count > 256 {
        return d.error("a vector has at most 32 bytes");
    }
    if wide_only && usize::from(ty.bits) * count != 256 {
        return d.error("`.L2` eviction hints require an access of 32 bytes");
    }
    Ok((ty, count))
}

/// Decodes the operand `values`: a register for each element, and the upper half of a wider destination.
fn registers(
    d: &mut Decoder<'_>,
    kind: Kind,
    values: usize,
    (ty, count): (Type, usize),
) -> Decoded<(Slots, Option<Slot>)> {
    let mut upper = None;
    // Operands may be wider than the type (PTX ISA, "Operand Size Exceeding Instruction-Type
    // Size"): a load zeroes the upper half of a 128-bit register, and a store reads the lower half.
    let values = if count == 1 && wide(d, values).is_ok() {
        let halves = d.elements(values)?;
        Slots::from_iter([match kind {
            Kind::Load => {
                upper = Some(d.dest_of(&halves[1])?);
                d.dest_of(&halves[0])?
            }
            Kind::Store => d.source_of(&halves[0], ty)?,
        }])
    } else {
        match kind {
            Kind::Load => d.dests(values, count)?,
            Kind::Store => d.sources(values, count, ty)?,
        }
    };
    if values
        .iter()
        .any(|&slot| u16::from(d.names.width(slot)) < ty.total_bits())
    {
        return d.error("a register is too narrow");
    }
    Ok((values, upper))
}

/// The memory order that a modifier states.
#[derive(Clone, Copy)]
enum Ordering {
    Weak,
    Volatile,
    Scoped(fn(Scope) -> Order),
}

const LOAD_ORDERS: [(&str, Ordering); 4] = [
    ("weak", Ordering::Weak),
    ("volatile", Ordering::Volatile),
    ("relaxed", Ordering::Scoped(Order::Relaxed)),
    ("acquire", Ordering::Scoped(Order::Acquire)),
];

const STORE_ORDERS: [(&str, Ordering); 4] = [
    ("weak", Ordering::Weak),
    ("volatile", Ordering::Volatile),
    ("relaxed", Ordering::Scoped(Order::Relaxed)),
    ("release", Ordering::Scoped(Order::Release)),
];

/// Decodes order, scope and state space in any order, as ptxas does.
fn order_and_space(d: &mut Decoder<'_>, kind: Kind) -> Decoded<(Order, Space)> {
    let orders = match kind {
        Kind::Load => LOAD_ORDERS,
        Kind::Store => STORE_ORDERS,
    };
    if d.takes("mmio") {
        d.requires((8, 2), 70)?;
        d.needs(&[("relaxed", ())])?;
        d.needs(&[("sys", ())])?;
        let spaces = [("global", Space::Global)];
        let space = d.one_of(&spaces).unwrap_or(Space::Generic);
        return Ok((Order::Relaxed(Scope::Device), space));
    }
    let (mut ordering, mut scope, mut space) = (None, None, None);
    for _ in 0..3 {
        ordering = ordering.or_else(|| d.one_of(&orders));
        scope = scope.or_else(|| d.one_of(&SCOPES));
        space = space.or_else(|| d.one_of(&SPACES));
    }
    let order = match (ordering, scope) {
        (None | Some(Ordering::Weak), None) => Order::Weak,
        (Some(Ordering::Volatile), None) => Order::Relaxed(Scope::Device),
        (Some(Ordering::Scoped(order)), Some(scope)) => order(scope),
        (Some(Ordering::Scoped(_)), None) => return d.error("the order needs a scope"),
        (_, Some(_)) => return d.error("the scope needs `.relaxed`, `.acquire` or `.release`"),
    };
    Ok((order, space.unwrap_or(Space::Generic)))
}

/// Resolves a generic address of one lane to a state space and an address in it.
pub(crate) fn resolve(space: Space, address: u64) -> (Space, u64) {
    use crate::machine::memory::{LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW};
    if space != Space::Generic {
        return (space, address);
    }
    match super::moves::space_of(address) {
        Space::Shared => match address - SHARED_WINDOW {
            offset if offset >> RANK_SHIFT == 0 => (Space::Shared, offset),
            other => (Space::Cluster, other),
        },
        Space::Local => (Space::Local, address - LOCAL_WINDOW),
        Space::Param => (Space::Param, address - super::moves::PARAM_WINDOW),
        space => (space, address),
    }
}

impl Access {
    /// Returns `true` if the access may synchronize blocks.
    pub(crate) fn is_strong_global(&self) -> bool {
        self.order != Order::Weak && matches!(self.space, Space::Global | Space::Generic)
    }

    /// Executes an access in which all lanes use one contiguous range.
    fn together(
        &self,
        cx: &mut Cx<'_, '_>,
        bases: &Row,
        active: u32,
        bytes: usize,
    ) -> Option<Together> {
        let addresses = bases.map(|base| self.address.at(base));
        cx.together(self.space, &addresses, active, bytes, self.kind)
    }

    fn execute_together(&self, cx: &mut Cx<'_, '_>, access: &Together) -> Result<(), Trouble> {
        let size = usize::from(self.bytes);
        match self.kind {
            Kind::Store => cx.store_together(access, size, &self.values),
            Kind::Load if self.signed => {
                cx.load_together(access, size, &self.values, |value| self.extended(value))
            }
            Kind::Load => cx.load_together(access, size, &self.values, |value| value),
        }
    }

    /// Extends an element by its sign, to the width of the register.
    fn extended(&self, value: u64) -> u64 {
        signed(value, self.bytes * 8).cast_unsigned() & mask(u16::from(self.width))
    }

    /// Executes a weak load of the whole warp from one address. Returns `false` if a path for any addresses must
    /// decide.
    fn load_once(&self, cx: &mut Cx<'_, '_>, active: u32, bytes: usize) -> bool {
        if self.kind == Kind::Store || self.order != Order::Weak || active != u32::MAX {
            return false;
        }
        let Some(base) = cx.registers.uniform(self.address.base) else {
            return false;
        };
        let address = self.address.at(base);
        let Some(place) = cx.once(self.space, address, bytes) else {
            return false;
        };
        let size = usize::from(self.bytes);
        for (element, &dest) in self.values.iter().enumerate() {
            let value = cx.number_at(place, element * size, size);
            let value = if self.signed {
                self.extended(value)
            } else {
                value
            };
            cx.registers.spread(dest, value);
        }
        true
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        self.access(cx, active)?;
        if let Some(upper) = self.upper {
            for lane in lanes(active) {
                let lower = cx.registers.get(lane, self.values[0]).cast_signed();
                let sign = if self.signed { lower >> 63 } else { 0 };
                cx.registers.set(lane, upper, sign.cast_unsigned());
            }
            cx.registers.define(active, upper);
        }
        Ok(())
    }

    fn access(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        let count = self.values.len();
        let size = usize::from(self.bytes);
        let total = size * count;
        let mut buffer = [0u8; 32];
        let strength = self.order.strength();
        cx.requests.clear();
        if self.load_once(cx, active, total) {
            cx.count_requests(self.kind, total as u64);
            return Ok(());
        }
        // Strong accesses update the happens-before relation per lane and take the general path.
        let bases = cx.registers.row(self.address.base);
        if self.order == Order::Weak
            && active != 0
            && let Some(access) = self.together(cx, &bases, active, total)
        {
            self.execute_together(cx, &access)?;
            cx.count_requests(self.kind, total as u64);
            return Ok(());
        }
        for lane in lanes(active) {
            let address = self.address.at(bases[lane]);
            let (space, address) = cx.resolve(self.space, address);
            match self.kind {
                Kind::Load => {
                    cx.load_as(strength, lane, space, address, &mut buffer[..total])?;
                    cx.loaded(self.order, lane, space, address)?;
                    for (element, &dest) in buffer[..total].chunks_exact(size).zip(&self.values) {
                        let mut word = [0; 8];
                        word[..size].copy_from_slice(element);
                        let mut value = u64::from_le_bytes(word);
                        if self.signed {
                            value = self.extended(value);
                        }
                        cx.registers.set(lane, dest, value);
                    }
                }
                Kind::Store => {
                    for (element, &src) in buffer[..total].chunks_exact_mut(size).zip(&self.values)
                    {
                        let word = cx.registers.get(lane, src).to_le_bytes();
                        element.copy_from_slice(&word[..size]);
                    }
                    cx.store_as(strength, lane, space, address, &buffer[..total])?;
                    cx.stored(self.order, false, lane, space, address)?;
                }
            }
        }
        if self.kind == Kind::Load {
            for &dest in &self.values {
                cx.registers.define(active, dest);
            }
        }
        cx.count_requests(self.kind, total as u64);
        Ok(())
    }
}
