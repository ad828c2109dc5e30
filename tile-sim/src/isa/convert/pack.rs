//! `cvt.pack`: saturates and packs two integers, and shifts the third operand above them.

use super::super::Slot;
use super::super::types::{Type, mask, signed};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// A packing conversion.
#[derive(Clone, Debug)]
pub(crate) struct Pack {
    bits: u8,
    signed: bool,
    dest: Slot,
    /// The upper and the lower element.
    args: [Slot; 2],
    /// The operand that is shifted; `None` where the pair fills the register.
    rest: Option<Slot>,
}

const TYPES: [(&str, (u8, bool)); 8] = [
    ("u16", (16, false)),
    ("s16", (16, true)),
    ("u8", (8, false)),
    ("s8", (8, true)),
    ("u4", (4, false)),
    ("s4", (4, true)),
    ("u2", (2, false)),
    ("s2", (2, true)),
];

pub(super) fn decode(d: &mut Decoder<'_>) -> Decoded<Pack> {
    if !d.takes("sat") {
        return d.error("`.sat` is missing");
    }
    let (bits, signed) = d.needs(&TYPES)?;
    d.ty_where(|ty| ty == Type::S32)?;
    let merges = bits < 16;
    if merges {
        d.ty_where(|ty| ty == Type::B32)?;
    }
    d.end(if merges { 4 } else { 3 })?;
    d.requires((6, 5), if bits < 8 { 75 } else { 72 })?;
    Ok(Pack {
        bits,
        signed,
        dest: d.dest_for(0, Type::B32)?,
        args: [d.source(1, Type::S32)?, d.source(2, Type::S32)?],
        rest: if merges {
            Some(d.source(3, Type::B32)?)
        } else {
            None
        },
    })
}

impl Pack {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
        let &Self {
            bits,
            signed: is_signed,
            dest,
            args: [a, b],
            rest,
        } = self;
        let (min, max) = if is_signed {
            (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
        } else {
            (0, (1i64 << bits) - 1)
        };
        let field = mask(u16::from(bits));
        let part = |x: u64| signed(x, 32).clamp(min, max).cast_unsigned() & field;
        match rest {
            None => r.map2(active, dest, a, b, |x, y| part(x) << bits | part(y)),
            Some(rest) => r.map3(active, dest, a, b, rest, |x, y, z| {
                (z << (2 * bits) | part(x) << bits | part(y)) & 0xffff_ffff
            }),
        }
    }
}
