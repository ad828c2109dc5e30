//! Instructions on all replicas of a multicast address (PTX ISA, `multimem.ld_reduce`,
//! `multimem.st`, `multimem.red`). Bulk copies to replicas are in [`super::bulk`].
//!
//! Replicas are processed in order. A reduction over several replicas is rounded after each
//! addition: in the element type, or in the type of `.acc::`, from which the final sum is then
//! rounded to the element type. Sums in 8-bit formats saturate, as every conversion to these
//! formats does.

use smallvec::SmallVec;

use super::Op;
use super::float::{extreme, format_of};
use super::memory::{Kind as Traffic, SCOPES};
use super::operands::sized_of;
use super::reduction::{Operation, Reduction};
use super::soft::{E4M3, E5M2, F16, F32, F64, Format, Rounding};
use super::types::{Class, Type};
use crate::check::stamp::Scope;
use crate::check::{FaultKind, Trouble, bounds};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::machine::sync::Order;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;
use crate::parse::target::Target;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    LoadReduce,
    Store,
    Reduce,
}

/// A `multimem` instruction.
#[derive(Clone, Debug)]
pub(crate) struct Multimem {
    kind: Kind,
    operation: Option<Operation>,
    ty: Type,
    /// The accumulation format of `.acc::`, if it differs from the element type.
    accumulator: Option<Format>,
    order: Order,
    address: Address,
    /// The destinations of a load, or the sources of a store.
    values: Slots,
}

type Ordering = fn(Scope) -> Order;

const ORDERINGS: [(&str, Kind, Ordering); 5] = [
    ("relaxed", Kind::LoadReduce, Order::Relaxed),
    ("acquire", Kind::LoadReduce, Order::Acquire),
    ("relaxed", Kind::Store, Order::Relaxed),
    ("release", Kind::Store, Order::Release),
    ("relaxed", Kind::Reduce, Order::Relaxed),
];

const OPERATIONS: [(&str, Operation); 6] = [
    ("add", Operation::Add),
    ("min", Operation::Min),
    ("max", Operation::Max),
    ("and", Operation::And),
    ("or", Operation::Or),
    ("xor", Operation::Xor),
];

/// The targets with sums in 8-bit formats.
const BYTES: &[Target] = &[
    Target::only(100),
    Target::only(101),
    Target::only(120),
    Target::family(100),
    Target::family(101),
    Target::family(120),
];

/// The modifiers before the type, which ptxas accepts in any order.
#[derive(Default)]
struct Modifiers {
    weak: bool,
    ordering: Option<Ordering>,
    scope: Option<Scope>,
    global: bool,
    operation: Option<Operation>,
    accumulator: Option<Format>,
    vector: Option<usize>,
}

impl Modifiers {
    fn decode(d: &mut Decoder<'_>, kind: Kind) -> Self {
        let mut modifiers = Self::default();
        let orderings = ORDERINGS.map(|(name, of, ordering)| (name, (of, ordering)));
        let mut orderings: Vec<(&str, Ordering)> = orderings
            .into_iter()
            .filter(|(_, (of, _))| *of == kind)
            .map(|(name, (_, ordering))| (name, ordering))
            .collect();
        if kind == Kind::Reduce {
            orderings.push(("release", Order::Release));
        }
        loop {
            if kind != Kind::Reduce && !modifiers.weak && d.takes("weak") {
                modifiers.weak = true;
            } else if !modifiers.global && d.takes("global") {
                modifiers.global = true;
            } else if modifiers.ordering.is_none()
                && let Some(ordering) = d.one_of(&orderings)
            {
                modifiers.ordering = Some(ordering);
            } else if modifiers.scope.is_none()
                && let Some(scope) = d.one_of(&SCOPES)
            {
                modifiers.scope = Some(scope);
            } else if kind != Kind::Store
                && modifiers.operation.is_none()
                && let Some(operation) = d.one_of(&OPERATIONS)
            {
                modifiers.operation = Some(operation);
            } else if kind == Kind::LoadReduce
                && modifiers.accumulator.is_none()
                && let Some(format) = d.one_of(&[("acc::f32", F32), ("acc::f16", F16)])
            {
                modifiers.accumulator = Some(format);
            } else if modifiers.vector.is_none()
                && let Some(count) = d.one_of(&[("v2", 2), ("v4", 4), ("v8", 8)])
            {
                modifiers.vector = Some(count);
            } else {
                return modifiers;
            }
        }
    }

    fn order(&self, d: &Decoder<'_>, kind: Kind) -> Decoded<Order> {
        match (self.ordering, self.scope) {
            (Some(ordering), Some(scope)) if !self.weak => Ok(ordering(scope)),
            (None, None) if kind == Kind::Reduce => Ok(Order::Relaxed(Scope::Device)),
            (None, None) => Ok(Order::Weak),
            (Some(_), None) => d.error("the order needs a scope"),
            _ => d.error("the scope needs `.relaxed`, `.acquire` or `.release`"),
        }
    }
}

fn is_byte(ty: Type) -> bool {
    matches!(ty.class, Class::E4m3 | Class::E5m2)
}

/// Returns `true` if the form exists (PTX ISA, tables of `multimem`).
fn accepts(kind: Kind, modifiers: &Modifiers, ty: Type) -> bool {
    let is_half = ty.is_float() && ty.bits == 16;
    let is_word = ty.packed == 1 && ty.bits >= 32;
    let is_integer = ty.is_integer() && is_word;
    let is_bits = matches!(ty, Type::B32 | Type::B64);
    let is_wide_float = matches!(ty, Type::F32 | Type::F64);
    if modifiers.vector.is_none() && ty.total_bits() < 32 {
        return false;
    }
    if modifiers.vector.is_some() && !(is_half || ty == Type::F32 || is_byte(ty)) {
        return false;
    }
    let fits = match modifiers.accumulator {
        None => true,
        Some(F32) => is_half,
        Some(_) => is_byte(ty),
    };
    if !fits || modifiers.accumulator.is_some() && modifiers.operation != Some(Operation::Add) {
        return false;
    }
    let narrow = is_half || is_byte(ty) && kind != Kind::Reduce;
    match modifiers.operation {
        None => is_bits || is_integer || is_wide_float || narrow,
        Some(Operation::Add) => {
            is_integer && (ty.bits == 32 || !ty.is_signed()) || is_wide_float || narrow
        }
        Some(Operation::Min | Operation::Max) => is_integer || narrow && kind != Kind::Reduce,
        Some(Operation::And | Operation::Or | Operation::Xor) => is_bits,
        Some(Operation::Increment | Operation::Decrement) => false,
    }
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    d.requires((8, 1), 90)?;
    if d.takes("cp") {
        let reduces = d.takes("reduce");
        d.needs(&[("async", ())])?;
        d.needs(&[("bulk", ())])?;
        return super::bulk::decode_multicast(d, reduces).map(Op::Bulk);
    }
    let kind = d.needs(&[
        ("ld_reduce", Kind::LoadReduce),
        ("st", Kind::Store),
        ("red", Kind::Reduce),
    ])?;
    let modifiers = Modifiers::decode(d, kind);
    if (kind == Kind::Store) != modifiers.operation.is_none() {
        return d.unexpected();
    }
    let order = modifiers.order(d, kind)?;
    let ty = d.ty_where(|ty| accepts(kind, &modifiers, ty))?;
    if modifiers.accumulator.is_some() {
        d.requires((8, 2), 90)?;
    }
    if is_byte(ty) {
        d.requires_one_of((8, 6), BYTES)?;
    }
    let count = modifiers.vector.unwrap_or(1);
    if !matches!(count * usize::from(ty.total_bits()), 32 | 64 | 128) {
        return d.error("the type and the vector must have 32, 64 or 128 bits");
    }
    d.end(2)?;
    let (values, address) = match kind {
        Kind::LoadReduce => (0, 1),
        Kind::Store | Kind::Reduce => (1, 0),
    };
    let address = d.address(address)?;
    d.fits_space(address.space, Space::Global)?;
    // A vector needs braces, and a single register must not have them.
    let elements = d.elements(values)?;
    if elements.len() != count || modifiers.vector.is_some() != d.is_vector(values) {
        return d.error(format!("operand {} needs {count} registers", values + 1));
    }
    let values = match kind {
        Kind::LoadReduce => {
            let dests = d.dests(values, count)?;
            let exact = |(&dest, element): (&_, &crate::parse::syntax::Operand)| {
                *element == crate::parse::syntax::Operand::Name("_".into())
                    || u16::from(d.names.width(dest)) == ty.total_bits()
            };
            if !dests.iter().zip(elements).all(exact) {
                let bits = ty.total_bits();
                return d.error(format!("the destination must have {bits} bits"));
            }
            dests
        }
        Kind::Store | Kind::Reduce => elements
            .iter()
            .map(|element| sized_of(d, element, ty))
            .collect::<Decoded<_>>()?,
    };
    Ok(Op::Multimem(Multimem {
        kind,
        operation: modifiers.operation,
        ty,
        accumulator: modifiers.accumulator,
        order,
        address,
        values,
    }))
}

/// Converts to an 8-bit format, saturating to the largest number.
fn saturated(to: Format, bits: u64, from: Format) -> u64 {
    let result = to.convert_from(bits, from, Rounding::NearestEven);
    let magnitude = result & (to.sign_bit() - 1);
    if from.is_nan(bits) || magnitude <= to.greatest() && !to.is_nan(result) {
        return result;
    }
    to.greatest() | result & to.sign_bit()
}

/// The formats of an element and of its sums.
struct Sums {
    element: Format,
    accumulator: Format,
    /// Is `true` if the element is narrower than any arithmetic format.
    byte: bool,
}

impl Sums {
    /// Widens an element to the format of sums.
    fn widen(&self, bits: u64) -> u64 {
        if self.element == self.accumulator {
            return bits;
        }
        self.accumulator
            .convert_from(bits, self.element, Rounding::NearestEven)
    }

    fn narrow(&self, bits: u64) -> u64 {
        if self.element == self.accumulator {
            bits
        } else if self.byte {
            saturated(self.element, bits, self.accumulator)
        } else {
            self.element
                .convert_from(bits, self.accumulator, Rounding::NearestEven)
        }
    }

    fn add(&self, sum: u64, bits: u64) -> u64 {
        let operand = self.widen(bits);
        if self.byte && self.element == self.accumulator {
            // The sum of two elements has fewer than 53 bits and is exact in f64.
            let [sum, operand] =
                [sum, operand].map(|x| F64.convert_from(x, self.element, Rounding::NearestEven));
            let exact = F64.add(sum, operand, Rounding::NearestEven);
            return saturated(self.element, exact, F64);
        }
        self.accumulator.add(sum, operand, Rounding::NearestEven)
    }
}

/// Returns the addresses of the replicas of `bytes` bytes.
pub(crate) fn replicas(
    cx: &Cx<'_, '_>,
    lane: usize,
    address: u64,
    bytes: usize,
) -> Result<SmallVec<[u64; 8]>, Trouble> {
    let device = cx.world.device;
    device.replicas(address, bytes).ok_or_else(|| {
        let around = device.around(address);
        let message = format!(
            "{bytes} bytes at {address:#x} have no replicas{around}: pass an address of `Memory::multicast` or `Argument::replicas`"
        );
        Trouble::at(lane, FaultKind::Multimem(message))
    })
}

impl Multimem {
    /// Returns `true` if the instruction may synchronize blocks or make their order observable.
    pub(crate) fn is_seen_by_other_blocks(&self) -> bool {
        self.kind == Kind::Reduce || self.order != Order::Weak
    }

    fn element_format(&self) -> Format {
        match self.ty.class {
            Class::E4m3 => E4M3,
            Class::E5m2 => E5M2,
            _ => format_of(self.ty),
        }
    }

    /// Reduces one element over all replicas.
    fn reduced(&self, operation: Operation, elements: impl Iterator<Item = u64>) -> u64 {
        let ty = self.ty.element();
        let byte = is_byte(ty);
        let mut elements = elements;
        let first = elements.next().unwrap_or(0);
        if operation == Operation::Add && (ty.is_float() || byte) {
            let element = self.element_format();
            let sums = Sums {
                element,
                accumulator: self.accumulator.unwrap_or(element),
                byte,
            };
            let sum = elements.fold(sums.widen(first), |sum, bits| sums.add(sum, bits));
            return sums.narrow(sum);
        }
        if byte {
            let max = operation == Operation::Max;
            let format = self.element_format();
            return elements.fold(first, |best, bits| extreme(format, max, false, best, bits));
        }
        let reduction = Reduction { operation, ty };
        elements.fold(first, |value, with| reduction.element(value, with))
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        // The size of a register, and of all registers of a lane.
        let size = usize::from(self.ty.total_bits() / 8);
        let total = size * self.values.len();
        let bases = cx.registers.row(self.address.base);
        cx.requests.clear();
        for lane in lanes(active) {
            let address = self.address.at(bases[lane]);
            let to_trouble = |kind| Trouble::at(lane, kind);
            bounds::aligned("global", address, total).map_err(to_trouble)?;
            let replicas = replicas(cx, lane, address, total)?;
            match self.kind {
                Kind::LoadReduce => self.load(cx, lane, &replicas, size)?,
                Kind::Store => self.store(cx, lane, &replicas, size)?,
                Kind::Reduce => self.reduce(cx, lane, &replicas, size)?,
            }
        }
        let traffic = match self.kind {
            Kind::LoadReduce => {
                for &dest in &self.values {
                    cx.registers.define(active, dest);
                }
                Traffic::Load
            }
            Kind::Store => Traffic::Store,
            Kind::Reduce => {
                cx.count_requests(crate::counters::Traffic::Atomic, size as u64);
                return Ok(());
            }
        };
        cx.count_requests(traffic, total as u64);
        Ok(())
    }

    fn load(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        replicas: &[u64],
        size: usize,
    ) -> Result<(), Trouble> {
        let Some(operation) = self.operation else {
            return Ok(());
        };
        let total = size * self.values.len();
        let mut loaded = vec![0; total * replicas.len()];
        for (&address, into) in replicas.iter().zip(loaded.chunks_exact_mut(total)) {
            cx.load_as(self.order.strength(), lane, Space::Global, address, into)?;
            cx.loaded(self.order, lane, Space::Global, address)?;
        }
        let element = usize::from(self.ty.bits / 8);
        for (register, &dest) in self.values.iter().enumerate() {
            let mut word = [0; 8];
            for (within, into) in word[..size].chunks_exact_mut(element).enumerate() {
                let offset = register * size + within * element;
                let elements = loaded.chunks_exact(total).map(|replica| {
                    let mut word = [0; 8];
                    word[..element].copy_from_slice(&replica[offset..offset + element]);
                    u64::from_le_bytes(word)
                });
                let value = self.reduced(operation, elements);
                into.copy_from_slice(&value.to_le_bytes()[..element]);
            }
            cx.registers.set(lane, dest, u64::from_le_bytes(word));
        }
        Ok(())
    }

    fn store(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        replicas: &[u64],
        size: usize,
    ) -> Result<(), Trouble> {
        let mut bytes = [0; 16];
        for (into, &value) in bytes.chunks_exact_mut(size).zip(&self.values) {
            into.copy_from_slice(&cx.registers.get(lane, value).to_le_bytes()[..size]);
        }
        let total = size * self.values.len();
        for &address in replicas {
            let strength = self.order.strength();
            cx.store_as(strength, lane, Space::Global, address, &bytes[..total])?;
            cx.stored(self.order, false, lane, Space::Global, address)?;
        }
        Ok(())
    }

    /// Reduces each element into each replica, as `red` does.
    fn reduce(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        replicas: &[u64],
        size: usize,
    ) -> Result<(), Trouble> {
        let Some(operation) = self.operation else {
            return Ok(());
        };
        let ty = self.ty.element();
        for &replica in replicas {
            for (register, &value) in self.values.iter().enumerate() {
                let operand = cx.registers.get(lane, value).to_le_bytes();
                let address = replica + (register * size) as u64;
                let strength = self.order.strength();
                cx.atomic(strength, lane, Space::Global, address, size, |old| {
                    let mut bytes = old.to_le_bytes();
                    Reduction { operation, ty }.apply(&mut bytes[..size], &operand[..size]);
                    u128::from_le_bytes(bytes)
                })?;
                cx.loaded(self.order, lane, Space::Global, address)?;
                cx.stored(self.order, true, lane, Space::Global, address)?;
            }
        }
        Ok(())
    }
}
