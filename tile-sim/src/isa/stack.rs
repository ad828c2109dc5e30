//! The stack of a thread (PTX ISA, `alloca`, `stacksave`, `stackrestore`).

use super::operands::{exact_dest, sized};
use super::types::Type;
use super::{Op, Slot};
use crate::check::{FaultKind, Trouble};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Decoded, Decoder};

/// The minimum alignment of an allocation in bytes.
const MIN_ALIGN: u64 = 8;
/// The maximum alignment of an allocation in bytes.
const MAX_ALIGN: u64 = 1 << 23;

/// A stack instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackOp {
    Allocate { dest: Slot, bytes: Slot, align: u64 },
    Save { dest: Slot },
    Restore { pointer: Slot },
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    d.requires((7, 3), 52)?;
    let ty = d.needs(&[("u32", Type::U32), ("u64", super::cluster::U64)])?;
    let op = match d.opcode() {
        "stacksave" => {
            d.end(1)?;
            StackOp::Save {
                dest: exact_dest(d, 0, ty)?,
            }
        }
        "stackrestore" => {
            d.end(1)?;
            StackOp::Restore {
                pointer: sized(d, 0, ty)?,
            }
        }
        _ => {
            d.end_between(2, 3)?;
            let align = if d.operands() == 3 { d.number(2)? } else { 1 };
            if !align.is_power_of_two() || align > MAX_ALIGN {
                return d.error(format!(
                    "the alignment must be a power of two up to {MAX_ALIGN}"
                ));
            }
            StackOp::Allocate {
                bytes: sized(d, 1, ty)?,
                dest: exact_dest(d, 0, ty)?,
                align: align.max(MIN_ALIGN),
            }
        }
    };
    Ok(Op::Stack(op))
}

impl StackOp {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        for lane in lanes(active) {
            let misuse = |message| Trouble::at(lane, FaultKind::Stack(message));
            match *self {
                Self::Allocate { dest, bytes, align } => {
                    let bytes = cx.registers.get(lane, bytes);
                    let others = cx.kernel.local_bytes as u64;
                    let base = cx.stacks[lane].allocate(bytes, align, others);
                    cx.registers.set(lane, dest, base.map_err(misuse)?);
                }
                Self::Save { dest } => {
                    cx.registers.set(lane, dest, cx.stacks[lane].pointer());
                }
                Self::Restore { pointer } => {
                    let pointer = cx.registers.get(lane, pointer);
                    cx.stacks[lane].restore(pointer).map_err(misuse)?;
                }
            }
        }
        if let Self::Allocate { dest, .. } | Self::Save { dest } = *self {
            cx.registers.define(active, dest);
        }
        Ok(())
    }
}
