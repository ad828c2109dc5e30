//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision").

use super::types::{Class, Type, mask, signed};
use super::{Op, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// An instruction on integers.
#[derive(Clone, Debug)]
pub(crate) struct Integer {
    kind: Kind,
    bits: u8,
    signed: bool,
    packed: bool,
    dest: Slot,
    /// Operands; those that the kind does not have repeat the first.
    args: [Slot; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    AddSaturated,
    SubSaturated,
    MulLow,
    MulHigh,
    MulWide,
    MadLow,
    MadHigh,
    MadHighSaturated,
    MadWide,
    Mul24Low,
    Mul24High,
    Mad24Low,
    Mad24High,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    Sad,
    Popc,
    Clz,
    Brev,
    Bfind,
    BfindShift,
    Bfe,
    Bfi,
    Dp4a {
        lhs: Signs,
        rhs: Signs,
    },
    /// Sets the carry, or takes it, or both.
    Carry {
        subtract: bool,
        takes: bool,
        sets: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signs {
    Signed,
    Unsigned,
}

fn wide_enough(ty: Type) -> bool {
    ty.is_integer() && ty.packed == 1 && ty.bits >= 16
}

fn any_pair(ty: Type) -> bool {
    ty.is_integer() && ty.bits >= 16
}

fn words(ty: Type) -> bool {
    wide_enough(ty) && ty.bits >= 32
}

fn bit_words(ty: Type) -> bool {
    ty.class == Class::Bits && ty.bits >= 32
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    let parts: [(&str, u8); 3] = [("lo", 0), ("hi", 1), ("wide", 2)];
    let halves = &parts[..2];
    let (kind, ty, operands) = match opcode {
        "add" | "sub" | "addc" | "subc" => {
            let subtract = opcode.starts_with("sub");
            let takes = opcode.ends_with('c');
            let sets = d.takes("cc");
            if takes || sets {
                let carry = Kind::Carry {
                    subtract,
                    takes,
                    sets,
                };
                (carry, d.ty_where(words)?, 2)
            } else if d.takes("sat") {
                let kind = if subtract {
                    Kind::SubSaturated
                } else {
                    Kind::AddSaturated
                };
                (kind, d.ty_where(|ty| ty == Type::S32)?, 2)
            } else {
                let kind = if subtract { Kind::Sub } else { Kind::Add };
                (kind, d.ty_where(any_pair)?, 2)
            }
        }
        "mul" => {
            let kind = [Kind::MulLow, Kind::MulHigh, Kind::MulWide][usize::from(d.needs(&parts)?)];
            (kind, d.ty_where(wide_enough)?, 2)
        }
        "mad" => {
            let mut kind =
                [Kind::MadLow, Kind::MadHigh, Kind::MadWide][usize::from(d.needs(&parts)?)];
            if kind == Kind::MadHigh && d.takes("sat") {
                kind = Kind::MadHighSaturated;
                (kind, d.ty_where(|ty| ty == Type::S32)?, 3)
            } else {
                (kind, d.ty_where(wide_enough)?, 3)
            }
        }
        "mul24" => {
            let kind = [Kind::Mul24Low, Kind::Mul24High][usize::from(d.needs(halves)?)];
            (kind, d.ty_where(|ty| wide_enough(ty) && ty.bits == 32)?, 2)
        }
        "mad24" => {
            let kind = [Kind::Mad24Low, Kind::Mad24High][usize::from(d.needs(halves)?)];
            (kind, d.ty_where(|ty| wide_enough(ty) && ty.bits == 32)?, 3)
        }
        "div" => (Kind::Div, d.ty_where(wide_enough)?, 2),
        "rem" => (Kind::Rem, d.ty_where(wide_enough)?, 2),
        "abs" => (
            Kind::Abs,
            d.ty_where(|ty| wide_enough(ty) && ty.is_signed())?,
            1,
        ),
        "neg" => (
            Kind::Neg,
            d.ty_where(|ty| any_pair(ty) && ty.is_signed())?,
            1,
        ),
        "min" => (Kind::Min, d.ty_where(any_pair)?, 2),
        "max" => (Kind::Max, d.ty_where(any_pair)?, 2),
        "sad" => (Kind::Sad, d.ty_where(wide_enough)?, 3),
        "popc" => (Kind::Popc, d.ty_where(bit_words)?, 1),
        "clz" => (Kind::Clz, d.ty_where(bit_words)?, 1),
        "brev" => (Kind::Brev, d.ty_where(bit_words)?, 1),
        "bfind" => {
            let kind = if d.takes("shiftamt") {
                Kind::BfindShift
            } else {
                Kind::Bfind
            };
            (kind, d.ty_where(words)?, 1)
        }
        "bfe" => (Kind::Bfe, d.ty_where(words)?, 3),
        "bfi" => (Kind::Bfi, d.ty_where(bit_words)?, 4),
        "dp4a" => {
            let signs = [("s32", Signs::Signed), ("u32", Signs::Unsigned)];
            let (lhs, rhs) = (d.needs(&signs)?, d.needs(&signs)?);
            (Kind::Dp4a { lhs, rhs }, Type::B32, 3)
        }
        _ => return d.unexpected(),
    };
    d.end(operands + 1)?;
    let wide = matches!(kind, Kind::MulWide | Kind::MadWide);
    if wide && ty.bits == 64 {
        return d.error("no type is twice as wide");
    }
    let result = match kind {
        Kind::MulWide | Kind::MadWide => Type::new(ty.class, ty.bits * 2),
        Kind::Popc | Kind::Clz | Kind::Bfind | Kind::BfindShift => Type::B32,
        _ => ty,
    };
    let dest = d.dest_for(0, result)?;
    let mut args = [dest; 4];
    for (index, arg) in args.iter_mut().enumerate().take(operands) {
        let of = match (kind, index) {
            (Kind::MadWide, 2) => result,
            (Kind::Bfe, 1 | 2) | (Kind::Bfi, 2 | 3) => Type::B32,
            _ => ty,
        };
        *arg = d.source(index + 1, of)?;
    }
    for index in operands..4 {
        args[index] = args[0];
    }
    Ok(Op::Integer(Integer {
        kind,
        bits: ty.bits,
        signed: ty.is_signed(),
        packed: ty.packed == 2,
        dest,
        args,
    }))
}

fn multiply(a: u64, b: u64, bits: u8, is_signed: bool) -> u128 {
    if is_signed {
        (i128::from(signed(a, bits)) * i128::from(signed(b, bits))).cast_unsigned()
    } else {
        let mask = mask(u16::from(bits));
        u128::from(a & mask) * u128::from(b & mask)
    }
}

fn saturated(value: i64) -> u64 {
    let clamped = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    clamped.cast_unsigned() & 0xffff_ffff
}

impl Integer {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        let &Self {
            kind,
            bits,
            signed: is_signed,
            packed,
            dest,
            args: [a, b, c, e],
        } = self;
        let width = u16::from(bits);
        let m = mask(width);
        if let Kind::Carry {
            subtract,
            takes,
            sets,
        } = kind
        {
            return carry(r, active, (dest, a, b), m, subtract, takes, sets);
        }
        if packed {
            return r.map2(active, dest, a, b, |x, y| {
                let half = |x: u64, y: u64| self.simple(x & m, y & m) & m;
                half(x, y) | half(x >> 16, y >> 16) << 16
            });
        }
        match kind {
            Kind::Add => r.map2(active, dest, a, b, |x, y| x.wrapping_add(y) & m),
            Kind::Sub => r.map2(active, dest, a, b, |x, y| x.wrapping_sub(y) & m),
            Kind::MulLow => r.map2(active, dest, a, b, |x, y| x.wrapping_mul(y) & m),
            Kind::MadLow => r.map3(active, dest, a, b, c, |x, y, z| {
                x.wrapping_mul(y).wrapping_add(z) & m
            }),
            // The factors have at most 32 bits.
            Kind::MulWide if is_signed => r.map2(active, dest, a, b, |x, y| {
                (signed(x, bits) * signed(y, bits)).cast_unsigned() & mask(2 * width)
            }),
            Kind::MulWide => r.map2(active, dest, a, b, |x, y| (x & m) * (y & m)),
            Kind::MadWide => r.map3(active, dest, a, b, c, |x, y, z| {
                // Cut to the result's width, at most 64 bits.
                let product = multiply(x, y, bits, is_signed) as u64;
                product.wrapping_add(z) & mask(2 * width)
            }),
            Kind::AddSaturated => r.map2(active, dest, a, b, |x, y| {
                saturated(signed(x, 32) + signed(y, 32))
            }),
            Kind::SubSaturated => r.map2(active, dest, a, b, |x, y| {
                saturated(signed(x, 32) - signed(y, 32))
            }),
            Kind::MulHigh => r.map2(active, dest, a, b, |x, y| {
                (multiply(x, y, bits, is_signed) >> bits) as u64 & m
            }),
            Kind::MadHigh => r.map3(active, dest, a, b, c, |x, y, z| {
                ((multiply(x, y, bits, is_signed) >> bits) as u64).wrapping_add(z) & m
            }),
            Kind::MadHighSaturated => r.map3(active, dest, a, b, c, |x, y, z| {
                let high = (signed(x, 32) * signed(y, 32)) >> 32;
                saturated(high + signed(z, 32))
            }),
            Kind::Mul24Low | Kind::Mul24High | Kind::Mad24Low | Kind::Mad24High => {
                let shift = if matches!(kind, Kind::Mul24High | Kind::Mad24High) {
                    16
                } else {
                    0
                };
                let adds = matches!(kind, Kind::Mad24Low | Kind::Mad24High);
                r.map3(active, dest, a, b, c, |x, y, z| {
                    let product = (multiply(x, y, 24, is_signed) >> shift) as u64;
                    product.wrapping_add(if adds { z } else { 0 }) & m
                });
            }
            Kind::Sad => r.map3(active, dest, a, b, c, |x, y, z| {
                let distance = if is_signed {
                    signed(x, bits).abs_diff(signed(y, bits))
                } else {
                    (x & m).abs_diff(y & m)
                };
                distance.wrapping_add(z) & m
            }),
            Kind::Div | Kind::Rem | Kind::Abs | Kind::Neg | Kind::Min | Kind::Max => {
                r.map2(active, dest, a, b, |x, y| self.simple(x & m, y & m) & m);
            }
            Kind::Popc => r.map1(active, dest, a, |x| u64::from((x & m).count_ones())),
            Kind::Clz => r.map1(active, dest, a, |x| {
                u64::from((x & m).leading_zeros()) - u64::from(64 - bits)
            }),
            Kind::Brev => r.map1(active, dest, a, |x| (x & m).reverse_bits() >> (64 - bits)),
            Kind::Bfind | Kind::BfindShift => r.map1(active, dest, a, |x| {
                let negative = is_signed && signed(x, bits) < 0;
                let found = if negative { !x & m } else { x & m };
                match found.checked_ilog2() {
                    None => 0xffff_ffff,
                    Some(at) if kind == Kind::Bfind => u64::from(at),
                    Some(at) => u64::from(u32::from(bits) - 1 - at),
                }
            }),
            Kind::Bfe => r.map3(active, dest, a, b, c, |x, position, length| {
                let (position, length) = (position as u32 & 0xff, length as u32 & 0xff);
                extract(x & m, position, length, bits, is_signed)
            }),
            Kind::Bfi => r.map4(active, dest, [a, b, c, e], |x, y, position, length| {
                let (position, length) = (position as u32 & 0xff, length as u32 & 0xff);
                if position >= u32::from(bits) {
                    return y & m;
                }
                let field = (mask(u16::try_from(length).expect("eight bits")) << position) & m;
                (y & m & !field) | ((x << position) & field)
            }),
            Kind::Dp4a { lhs, rhs } => r.map3(active, dest, a, b, c, |x, y, z| {
                let byte = |value: u64, index: u32, signs| {
                    let byte = value >> (8 * index) & 0xff;
                    match signs {
                        Signs::Signed => signed(byte, 8),
                        Signs::Unsigned => byte.cast_signed(),
                    }
                };
                let dot: i64 = (0..4).map(|i| byte(x, i, lhs) * byte(y, i, rhs)).sum();
                z.wrapping_add_signed(dot) & m
            }),
            Kind::Carry { .. } => {}
        }
    }

    /// One element, already cut to its bits; the result is still to be cut.
    fn simple(&self, x: u64, y: u64) -> u64 {
        let bits = self.bits;
        let (sx, sy) = (signed(x, bits), signed(y, bits));
        match self.kind {
            Kind::Add => x.wrapping_add(y),
            Kind::Sub => x.wrapping_sub(y),
            Kind::Abs => sx.unsigned_abs(),
            Kind::Neg => sx.wrapping_neg().cast_unsigned(),
            Kind::Min if self.signed => sx.min(sy).cast_unsigned(),
            Kind::Max if self.signed => sx.max(sy).cast_unsigned(),
            Kind::Min => x.min(y),
            Kind::Max => x.max(y),
            // Division by zero is left open by the PTX ISA; these are what the devices give.
            Kind::Div if y == 0 => u64::MAX,
            Kind::Rem if y == 0 => x,
            Kind::Div if self.signed => sx.wrapping_div(sy).cast_unsigned(),
            Kind::Rem if self.signed => sx.wrapping_rem(sy).cast_unsigned(),
            Kind::Div => x / y,
            _ => x % y,
        }
    }
}

/// PTX ISA, "bfe": the field, filled with its sign or zeros.
fn extract(x: u64, position: u32, length: u32, bits: u8, is_signed: bool) -> u64 {
    let top = u32::from(bits) - 1;
    let sign = if !is_signed || length == 0 {
        0
    } else {
        x >> (position + length - 1).min(top) & 1
    };
    (0..=top).fold(0, |field, bit| {
        let value = if bit < length && position + bit <= top {
            x >> (position + bit) & 1
        } else {
            sign
        };
        field | value << bit
    })
}

fn carry(
    r: &mut Registers,
    active: u32,
    (dest, a, b): (Slot, Slot, Slot),
    mask: u64,
    subtract: bool,
    takes: bool,
    sets: bool,
) {
    let old = r.carry;
    let mut new = old;
    let (a, b) = (r.row(a), r.row(b));
    r.each(active, dest, |lane| {
        let carry = u128::from(takes && old >> lane & 1 == 1);
        let (x, y) = (u128::from(a[lane] & mask), u128::from(b[lane] & mask));
        let wide = if subtract {
            x.wrapping_sub(y).wrapping_sub(carry)
        } else {
            x + y + carry
        };
        let over = wide & !u128::from(mask) != 0;
        new = new & !(1 << lane) | u32::from(over) << lane;
        // Cut to the type.
        wide as u64 & mask
    });
    if sets {
        r.carry = new;
    }
}
