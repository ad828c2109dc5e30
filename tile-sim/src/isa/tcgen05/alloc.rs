//! `tcgen05.alloc`, `tcgen05.dealloc`, `tcgen05.relinquish_alloc_permit`.

use super::{aligned, group, uniform};
use crate::check::Trouble;
use crate::isa::Slot;
use crate::isa::operands::{Window, address_at, address_in, sized, window};
use crate::isa::types::Type;
use crate::machine::Cx;
use crate::machine::bulk::shared_address;
use crate::machine::tensor_memory::{COLUMNS, Group, TensorMemory};
use crate::machine::warp::Flow;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Operand;

/// The instruction of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Alloc,
    Dealloc,
    Relinquish,
}

/// A tensor-memory allocation instruction.
#[derive(Clone, Debug)]
pub(crate) struct Alloc {
    pub(crate) group: Group,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Writes the address of the allocation to shared memory.
    Alloc {
        dst: Address,
        window: Window,
        columns: Slot,
    },
    Dealloc {
        address: Slot,
        columns: Slot,
    },
    Relinquish,
}

pub(crate) fn decode(d: &mut Decoder<'_>, name: Name) -> Decoded<Alloc> {
    let group = group(d)?;
    aligned(d)?;
    let kind = match name {
        Name::Relinquish => {
            d.end(0)?;
            Kind::Relinquish
        }
        Name::Alloc => {
            let window = window(d, &[Window::Generic, Window::Shared])?;
            d.needs(&[("b32", ())])?;
            d.end(2)?;
            Kind::Alloc {
                dst: address_in(d, 0, window)?,
                window,
                columns: columns(d)?,
            }
        }
        Name::Dealloc => {
            d.needs(&[("b32", ())])?;
            d.end(2)?;
            Kind::Dealloc {
                address: sized(d, 0, Type::B32)?,
                columns: columns(d)?,
            }
        }
    };
    Ok(Alloc { group, kind })
}

/// Decodes the number of columns, and checks it if it is a constant.
fn columns(d: &mut Decoder<'_>) -> Decoded<Slot> {
    if let Operand::Int(value) = d.operand(1)?
        && let Err(message) = number_of_columns(*value as u64)
    {
        return d.error(message);
    }
    sized(d, 1, Type::B32)
}

/// Checks a number of columns to allocate.
pub(crate) fn number_of_columns(columns: u64) -> Result<u32, String> {
    match u32::try_from(columns) {
        Ok(columns @ 32..=COLUMNS) if columns.is_power_of_two() => Ok(columns),
        _ => Err(format!(
            "the number of columns, {columns}, must be a power of two from 32 to {COLUMNS}"
        )),
    }
}

impl Alloc {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<Flow, Trouble> {
        cx.tensor_group(self.group)?;
        match self.kind {
            Kind::Relinquish => {
                cx.tensor_relinquish();
                Ok(Flow::Next)
            }
            Kind::Alloc {
                dst,
                window,
                columns,
            } => {
                let columns = uniform(cx.registers.row_ref(columns), "numbers of columns")?;
                uniform(cx.registers.row_ref(dst.base), "addresses")?;
                let granted = match cx.tensor_granted() {
                    None => cx.tensor_alloc(self.group, columns)?,
                    granted => granted,
                };
                let Some(column) = granted else {
                    return Ok(Flow::Sleep);
                };
                let (space, to) = shared_address(0, window.space(), address_at(cx, 0, dst))?;
                // The write is ordered with the accesses of every lane ("Asynchronous Operations").
                let agent = cx.agent;
                cx.cluster.order.meet(agent);
                cx.store(0, space, to, &column.to_le_bytes())?;
                cx.cluster.order.meet(agent);
                Ok(Flow::Next)
            }
            Kind::Dealloc { address, columns } => {
                let columns = uniform(cx.registers.row_ref(columns), "numbers of columns")?;
                let address = uniform(cx.registers.row_ref(address), "addresses")?;
                // The register has 32 bits.
                let done = cx.tensor_granted().is_some()
                    || cx.tensor_dealloc(self.group, address as u32, columns)?;
                Ok(if done { Flow::Next } else { Flow::Sleep })
            }
        }
    }

    /// Describes the condition that a blocked warp waits for.
    pub(crate) fn awaits(&self, tensor: &TensorMemory) -> String {
        match (self.group, &self.kind) {
            (Group::Two, _) if tensor.request.is_some() => {
                let what = match self.kind {
                    Kind::Alloc { .. } => "alloc",
                    Kind::Dealloc { .. } | Kind::Relinquish => "dealloc",
                };
                format!(
                    "`tcgen05.{what}.cta_group::2` waits for a warp of the other block of the pair, or for columns: {} are free here",
                    tensor.free()
                )
            }
            _ => format!(
                "`tcgen05.alloc` waits for columns, of which {} are free: the others were not deallocated",
                tensor.free()
            ),
        }
    }
}
