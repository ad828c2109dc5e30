//! `tcgen05.alloc`, `tcgen05.dealloc`, `tcgen05.relinquish_alloc_permit`.

use super::{aligned, group, misuse, uniform};
use crate::check::Trouble;
use crate::isa::Slot;
use crate::isa::operands::{Window, address_at, address_in, sized, window};
use crate::isa::types::Type;
use crate::machine::Cx;
use crate::machine::tensor_memory::Group;
use crate::machine::warp::Flow;
use crate::parse::decoder::{Address, Decoded, Decoder};

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Alloc,
    Dealloc,
    Relinquish,
}

/// Columns of tensor memory that a warp takes or gives back.
#[derive(Clone, Debug)]
pub(crate) struct Alloc {
    pub(crate) group: Group,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Writes the address to shared memory.
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
                columns: sized(d, 1, Type::B32)?,
            }
        }
        Name::Dealloc => {
            d.needs(&[("b32", ())])?;
            d.end(2)?;
            Kind::Dealloc {
                address: sized(d, 0, Type::B32)?,
                columns: sized(d, 1, Type::B32)?,
            }
        }
    };
    Ok(Alloc { group, kind })
}

impl Alloc {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<Flow, Trouble> {
        cx.tensor_group(self.group)?;
        match self.kind {
            Kind::Relinquish => cx.tensor_relinquish(self.group),
            Kind::Alloc {
                dst,
                window,
                columns,
            } => {
                let columns = uniform(cx.registers.row_ref(columns), "numbers of columns")?;
                let base = uniform(cx.registers.row_ref(dst.base), "addresses")?;
                let _ = base;
                let to = address_at(cx, 0, dst);
                cx.tensor_alloc(self.group, window.space(), to, columns)
            }
            Kind::Dealloc { address, columns } => {
                let columns = uniform(cx.registers.row_ref(columns), "numbers of columns")?;
                let address = uniform(cx.registers.row_ref(address), "addresses")?;
                let Ok(address) = u32::try_from(address) else {
                    return Err(misuse("an address of tensor memory has 32 bits"));
                };
                cx.tensor_dealloc(self.group, address, columns)
            }
        }
    }
}
