//! Arithmetic with the carry flag of each lane (PTX ISA, "Extended-Precision Integer Arithmetic
//! Instructions").

use super::super::Slot;
use super::super::types::mask;
use super::run::multiply;
use super::{PARTS, Part, words};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// An instruction with `.cc`, or `addc`, `subc`, `madc`.
#[derive(Clone, Debug)]
pub(crate) struct Carry {
    kind: Kind,
    bits: u8,
    signed: bool,
    takes: bool,
    sets: bool,
    dest: Slot,
    args: [Slot; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    MadLow,
    MadHigh,
}

/// Decodes the instruction if it uses the carry flag.
pub(super) fn decode(d: &mut Decoder<'_>) -> Decoded<Option<Carry>> {
    let opcode = d.opcode();
    let takes = matches!(opcode, "addc" | "subc" | "madc");
    let may_set = matches!(opcode, "add" | "sub" | "mad");
    if !(takes || may_set && d.has("cc")) {
        return Ok(None);
    }
    let kind = match opcode {
        "add" | "addc" => Kind::Add,
        "sub" | "subc" => Kind::Sub,
        _ if d.needs(&PARTS[..2])? == Part::High => Kind::MadHigh,
        _ => Kind::MadLow,
    };
    let sets = d.takes("cc");
    let ty = d.ty_where(words)?;
    let operands = match kind {
        Kind::Add | Kind::Sub => 2,
        Kind::MadLow | Kind::MadHigh => 3,
    };
    d.end(operands + 1)?;
    let dest = d.dest_for(0, ty)?;
    let (a, b) = (d.source(1, ty)?, d.source(2, ty)?);
    let c = if operands == 3 { d.source(3, ty)? } else { a };
    Ok(Some(Carry {
        kind,
        bits: ty.bits,
        signed: ty.is_signed(),
        takes,
        sets,
        dest,
        args: [a, b, c],
    }))
}

impl Carry {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
        let &Self {
            kind,
            bits,
            signed,
            takes,
            sets,
            dest,
            args,
        } = self;
        let m = mask(u16::from(bits));
        let old = r.carry;
        let mut new = old;
        let [a, b, c] = args.map(|slot| r.row(slot));
        r.each(active, dest, |lane| {
            let carry = u128::from(takes && old >> lane & 1 == 1);
            let (x, y) = (a[lane] & m, b[lane] & m);
            // The flag holds a borrow in the same way as a carry.
            let wide = match kind {
                Kind::Add => u128::from(x) + u128::from(y) + carry,
                Kind::Sub => u128::from(x)
                    .wrapping_sub(u128::from(y))
                    .wrapping_sub(carry),
                Kind::MadLow | Kind::MadHigh => {
                    let product = multiply(x, y, bits, signed);
                    let high = kind == Kind::MadHigh;
                    let part = if high { product >> bits } else { product };
                    (part & u128::from(m)) + u128::from(c[lane] & m) + carry
                }
            };
            let over = wide >> bits != 0;
            new = new & !(1 << lane) | u32::from(over) << lane;
            // Truncates to the type.
            wide as u64 & m
        });
        if sets {
            r.carry = new;
        }
    }
}
