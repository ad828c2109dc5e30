//! Modifiers and operands that asynchronous instructions share.

use super::Slot;
use super::types::Type;
use crate::machine::Cx;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::{Operand, Space};

/// The shared-memory window of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    Generic,
    /// `.shared::cta`: the shared memory of the executing block.
    Shared,
    /// `.shared::cluster`: the shared memory of any block of the cluster.
    Cluster,
}

impl Window {
    pub(crate) const ALL: [Self; 3] = [Self::Generic, Self::Shared, Self::Cluster];

    pub(crate) fn space(self) -> Space {
        match self {
            Self::Generic => Space::Generic,
            Self::Shared => Space::Shared,
            Self::Cluster => Space::Cluster,
        }
    }
}

/// Returns the address of a lane.
pub(crate) fn address_at(cx: &Cx<'_, '_>, lane: usize, address: Address) -> u64 {
    let base = cx.registers.get(lane, address.base);
    address.at(base)
}

/// A memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Relaxed,
    Acquire,
    Release,
}

/// A memory order, and its scope: the cluster, or the block only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ordering {
    pub(crate) order: Order,
    pub(crate) of_cluster: bool,
}

/// Decodes `.shared`, `.shared::cta`, `.shared::cluster` or no window.
pub(crate) fn window(d: &mut Decoder<'_>, allowed: &[Window]) -> Decoded<Window> {
    let table = [
        ("shared", Window::Shared),
        ("shared::cta", Window::Shared),
        ("shared::cluster", Window::Cluster),
    ];
    let next = d.peek();
    let window = d.one_of(&table).unwrap_or(Window::Generic);
    if allowed.contains(&window) {
        return Ok(window);
    }
    d.error(format!("`.{}` is not allowed", next.unwrap_or_default()))
}

/// Decodes `.sem.scope`, or nothing.
pub(crate) fn order_and_scope(
    d: &mut Decoder<'_>,
    allowed: &[Order],
    otherwise: Order,
) -> Decoded<Ordering> {
    let table = [
        ("relaxed", Order::Relaxed),
        ("acquire", Order::Acquire),
        ("release", Order::Release),
    ];
    let Some(order) = d.one_of(&table) else {
        return Ok(Ordering {
            order: otherwise,
            of_cluster: false,
        });
    };
    if !allowed.contains(&order) {
        return d.error("this memory order is not allowed");
    }
    let of_cluster = d.needs(&[("cta", false), ("cluster", true)])?;
    if order == Order::Relaxed {
        d.requires((8, 0), 90)?;
    }
    if of_cluster {
        d.requires((8, 0), 90)?;
    }
    Ok(Ordering { order, of_cluster })
}

/// Decodes a source operand with exactly the width of `ty`.
pub(crate) fn sized(d: &mut Decoder<'_>, index: usize, ty: Type) -> Decoded<Slot> {
    let operand = d.operand(index)?;
    sized_of(d, operand, ty)
}

pub(crate) fn sized_of(d: &mut Decoder<'_>, operand: &Operand, ty: Type) -> Decoded<Slot> {
    if let Operand::Name(name) = operand
        && let Some((_, declared)) = d.names.value(name)
        && declared.total_bits() != ty.total_bits()
    {
        let bits = ty.total_bits();
        return d.error(format!("`{name}` must have {bits} bits"));
    }
    d.source_of(operand, ty)
}

/// Decodes a destination register with exactly the width of `ty`.
pub(crate) fn exact_dest(d: &mut Decoder<'_>, index: usize, ty: Type) -> Decoded<Slot> {
    let dest = d.dest(index)?;
    let bits = ty.total_bits();
    if u16::from(d.names.width(dest)) == bits || d.is_sink(index) {
        return Ok(dest);
    }
    d.error(format!("the destination must have {bits} bits"))
}

/// Decodes an address in shared memory.
pub(crate) fn address_in(d: &mut Decoder<'_>, index: usize, window: Window) -> Decoded<Address> {
    match window {
        Window::Generic => d.address(index),
        Window::Shared | Window::Cluster => address_of(d, index, &[Space::Shared]),
    }
}

/// Decodes an address: of a variable in one of the spaces, or in a register.
pub(crate) fn address_of(d: &mut Decoder<'_>, index: usize, spaces: &[Space]) -> Decoded<Address> {
    let address = d.address(index)?;
    match address.space {
        Some(space) if !spaces.contains(&space) => {
            let number = index + 1;
            d.error(format!(
                "operand {number} names a variable of another space"
            ))
        }
        _ => Ok(address),
    }
}

pub(crate) const CACHE_HINT: &str = "L2::cache_hint";

pub(crate) fn cache_hint(d: &mut Decoder<'_>) -> bool {
    d.takes(CACHE_HINT)
}

/// Decodes the operand of `.L2::cache_hint`, which must be initialized but has no effect.
pub(crate) fn policy(d: &mut Decoder<'_>, index: usize) -> Decoded<()> {
    sized(d, index, Type::B64)?;
    Ok(())
}

/// Decodes one `.b128` register, which is two rows of 64 bits.
pub(crate) fn wide(d: &Decoder<'_>, index: usize) -> Decoded<()> {
    let is_wide = match d.elements(index)? {
        [Operand::Name(low), Operand::Name(high)] => {
            let register = low.strip_suffix(".x");
            register.is_some() && register == high.strip_suffix(".y")
        }
        _ => false,
    };
    if is_wide {
        return Ok(());
    }
    let number = index + 1;
    d.error(format!("operand {number} must be a register of `.b128`"))
}
