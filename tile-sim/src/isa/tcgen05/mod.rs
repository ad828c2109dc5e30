//! The `tcgen05` family (PTX ISA, "`TensorCore` 5th Generation Family Instructions").
//!
//! [`crate::machine::tensor_memory`] implements tensor memory; [`crate::machine::tensor_pipe`]
//! executes the operations that were issued to the tensor cores.

mod access;
pub(crate) mod alloc;
pub(crate) mod copy;
mod descriptor;
mod fence;
pub(crate) mod multiply;
pub(crate) mod shift;

use super::Op;
use super::operands::address_at;
use crate::check::{FaultKind, Trouble};
use crate::machine::Cx;
use crate::machine::registers::{Row, lanes};
use crate::machine::tensor_memory::{Group, split};
use crate::machine::warp::Flow;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Operand;

/// A `tcgen05` instruction.
#[derive(Clone, Debug)]
pub(crate) enum Tcgen05 {
    Alloc(alloc::Alloc),
    Access(access::Access),
    Wait(access::Wait),
    Shift(shift::Shift),
    Commit(fence::Commit),
    Fence(fence::Fence),
    Multiply(Box<multiply::Multiply>),
    Copy(copy::Copy),
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    #[derive(Clone, Copy)]
    enum Name {
        Alloc(alloc::Name),
        Access(access::Direction),
        Wait(access::Wait),
        Shift,
        Commit,
        Fence(fence::Fence),
        Multiply,
        Copy,
    }
    let name = d.needs(&[
        ("alloc", Name::Alloc(alloc::Name::Alloc)),
        ("dealloc", Name::Alloc(alloc::Name::Dealloc)),
        (
            "relinquish_alloc_permit",
            Name::Alloc(alloc::Name::Relinquish),
        ),
        ("ld", Name::Access(access::Direction::Load)),
        ("st", Name::Access(access::Direction::Store)),
        ("wait::ld", Name::Wait(access::Wait::Loads)),
        ("wait::st", Name::Wait(access::Wait::Stores)),
        ("shift", Name::Shift),
        ("commit", Name::Commit),
        (
            "fence::before_thread_sync",
            Name::Fence(fence::Fence::Before),
        ),
        ("fence::after_thread_sync", Name::Fence(fence::Fence::After)),
        ("mma", Name::Multiply),
        ("cp", Name::Copy),
    ])?;
    let op = match name {
        Name::Alloc(name) => Tcgen05::Alloc(alloc::decode(d, name)?),
        Name::Access(direction) => Tcgen05::Access(access::decode(d, direction)?),
        Name::Wait(wait) => {
            aligned(d)?;
            d.end(0)?;
            Tcgen05::Wait(wait)
        }
        Name::Shift => Tcgen05::Shift(shift::decode(d)?),
        Name::Commit => Tcgen05::Commit(fence::decode_commit(d)?),
        Name::Fence(fence) => {
            d.end(0)?;
            Tcgen05::Fence(fence)
        }
        Name::Multiply => Tcgen05::Multiply(Box::new(multiply::decode(d)?)),
        Name::Copy => Tcgen05::Copy(copy::decode(d)?),
    };
    Ok(Op::Tcgen05(op))
}

/// Decodes `.sync.aligned`.
fn aligned(d: &mut Decoder<'_>) -> Decoded<()> {
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])
}

/// Decodes `.cta_group::1` or `.cta_group::2`.
pub(crate) fn group(d: &mut Decoder<'_>) -> Decoded<Group> {
    d.needs(&[("cta_group::1", Group::One), ("cta_group::2", Group::Two)])
}

/// Decodes `[taddr]`: a 32-bit register plus an offset in columns.
pub(crate) fn cell_address(d: &mut Decoder<'_>, index: usize) -> Decoded<Address> {
    if let Operand::Address(base, _) = d.operand(index)?
        && let Operand::Name(name) = &**base
        && let Some((_, declared)) = d.names.value(name)
        && declared.total_bits() == 32
    {
        return d.address(index);
    }
    let number = index + 1;
    d.error(format!(
        "operand {number} must be an address of tensor memory: a register of 32 bits in brackets"
    ))
}

/// Returns the lane and the column of the address in a lane of the warp.
pub(crate) fn address_of_cell(
    cx: &Cx<'_, '_>,
    lane: usize,
    address: Address,
) -> Result<(u32, u32), Trouble> {
    match u32::try_from(address_at(cx, lane, address)) {
        Ok(address) => Ok(split(address)),
        Err(_) => Err(misuse_at(lane, "an address of tensor memory has 32 bits")),
    }
}

pub(crate) fn misuse_at(lane: usize, message: impl Into<String>) -> Trouble {
    Trouble::at(lane, FaultKind::TensorMemory(message.into()))
}

pub(crate) fn misuse(message: impl Into<String>) -> Trouble {
    Trouble::of_warp(FaultKind::TensorMemory(message.into()))
}

/// Returns the value of a register that must be uniform over the warp.
fn uniform(row: &Row, what: &str) -> Result<u64, Trouble> {
    match row.iter().position(|&value| value != row[0]) {
        None => Ok(row[0]),
        Some(lane) => {
            let message = format!("the lanes of the warp have different {what}");
            Err(Trouble::at(lane, FaultKind::TensorMemory(message)))
        }
    }
}

impl Tcgen05 {
    /// Returns `true` if all lanes of the warp must execute it together.
    pub(crate) fn is_convergent(&self) -> bool {
        match self {
            Self::Alloc(_) | Self::Access(_) | Self::Wait(_) => true,
            Self::Shift(_)
            | Self::Commit(_)
            | Self::Fence(_)
            | Self::Multiply(_)
            | Self::Copy(_) => false,
        }
    }

    /// Executes the instruction for the active lanes, which are all lanes if it is convergent.
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<Flow, Trouble> {
        match self {
            Self::Alloc(op) => return op.execute(cx),
            Self::Access(op) => op.execute(cx)?,
            Self::Wait(op) => op.execute(cx),
            Self::Fence(op) => op.execute(cx),
            Self::Shift(op) => lanes(active).try_for_each(|lane| op.issue(cx, lane))?,
            Self::Commit(op) => lanes(active).try_for_each(|lane| op.issue(cx, lane))?,
            Self::Multiply(op) => lanes(active).try_for_each(|lane| op.issue(cx, lane))?,
            Self::Copy(op) => lanes(active).try_for_each(|lane| op.issue(cx, lane))?,
        }
        Ok(Flow::Next)
    }
}
