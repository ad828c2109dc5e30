//! Special registers that change during execution (PTX ISA, `%clock`, `%globaltimer`).
//!
//! Time is the number of warp instructions issued so far, read as cycles and as nanoseconds. It is
//! monotonic and equal in every run.

use super::types::Type;
use super::{Op, Slot};
use crate::machine::Cx;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Operand;

/// A read of a clock register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    dest: Slot,
    /// The bits that the register holds: the shift from the lowest bit, and the width.
    shift: u8,
    bits: u8,
}

/// Decodes `mov.u32 %r, %clock;`. Returns `None` for a move of another operand.
pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Option<Op>> {
    let Some(Operand::Name(name)) = d.operand(1).ok() else {
        return Ok(None);
    };
    let (shift, bits) = match name.as_str() {
        "%clock" | "%globaltimer_lo" => (0, 32),
        "%clock_hi" | "%globaltimer_hi" => (32, 32),
        "%clock64" | "%globaltimer" => (0, 64),
        _ => return Ok(None),
    };
    let ty = d.ty_where(|ty| {
        u16::from(ty.bits) == bits && ty.packed == 1 && (ty.is_integer() || ty == bit_type(bits))
    })?;
    d.end(2)?;
    Ok(Some(Op::Clock(Clock {
        dest: d.dest_for(0, ty)?,
        shift,
        bits: ty.bits,
    })))
}

fn bit_type(bits: u16) -> Type {
    if bits == 32 { Type::B32 } else { Type::B64 }
}

impl Clock {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>, active: u32) {
        let now = cx.counters.total_warp_instructions() >> self.shift;
        let now = now & super::types::mask(u16::from(self.bits));
        cx.registers.each(active, self.dest, |_| now);
    }
}
