//! Execution of integer instructions.

use super::super::types::{mask, signed};
use super::{Kind, Plain, Signs};
use crate::machine::registers::Registers;

const WORD: u64 = 0xffff_ffff;

/// Returns the full product in two's complement.
pub(super) fn multiply(a: u64, b: u64, bits: u8, is_signed: bool) -> u128 {
    if is_signed {
        (i128::from(signed(a, bits)) * i128::from(signed(b, bits))).cast_unsigned()
    } else {
        let mask = mask(u16::from(bits));
        u128::from(a & mask) * u128::from(b & mask)
    }
}

fn saturated(value: i64) -> u64 {
    let clamped = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    clamped.cast_unsigned() & WORD
}

impl Plain {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
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
        if packed {
            return r.map2(active, dest, a, b, |x, y| {
                let half = |x: u64, y: u64| self.element(x & m, y & m) & m;
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
                // Truncates to the result's width, at most 64 bits.
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
            // PTX ISA, "mul24": bits 0 to 31, or 16 to 47, of a product of 48 bits.
            Kind::Mul24 { high } => r.map2(active, dest, a, b, |x, y| {
                (multiply(x, y, 24, is_signed) >> (16 * u32::from(high))) as u64 & m
            }),
            Kind::Mad24 { high } => r.map3(active, dest, a, b, c, |x, y, z| {
                let product = (multiply(x, y, 24, is_signed) >> (16 * u32::from(high))) as u64;
                product.wrapping_add(z) & m
            }),
            Kind::Mad24HighSaturated => r.map3(active, dest, a, b, c, |x, y, z| {
                saturated(((signed(x, 24) * signed(y, 24)) >> 16) + signed(z, 32))
            }),
            Kind::Sad => r.map3(active, dest, a, b, c, |x, y, z| {
                let distance = if is_signed {
                    signed(x, bits).abs_diff(signed(y, bits))
                } else {
                    (x & m).abs_diff(y & m)
                };
                distance.wrapping_add(z) & m
            }),
            Kind::Min if is_signed => r.map2(active, dest, a, b, |x, y| {
                signed(x, bits).min(signed(y, bits)).cast_unsigned() & m
            }),
            Kind::Max if is_signed => r.map2(active, dest, a, b, |x, y| {
                signed(x, bits).max(signed(y, bits)).cast_unsigned() & m
            }),
            Kind::Min => r.map2(active, dest, a, b, |x, y| (x & m).min(y & m)),
            Kind::Max => r.map2(active, dest, a, b, |x, y| (x & m).max(y & m)),
            Kind::Div
            | Kind::Rem
            | Kind::Abs
            | Kind::Neg
            | Kind::MinPositive
            | Kind::MaxPositive => {
                r.map2(active, dest, a, b, |x, y| self.element(x & m, y & m) & m);
            }
            Kind::Popc => r.map1(active, dest, a, |x| u64::from((x & m).count_ones())),
            Kind::Clz => r.map1(active, dest, a, |x| {
                u64::from((x & m).leading_zeros()) - u64::from(64 - bits)
            }),
            Kind::Brev => r.map1(active, dest, a, |x| (x & m).reverse_bits() >> (64 - bits)),
            Kind::Bfind | Kind::BfindShift => r.map1(active, dest, a, |x| {
                let negative = is_signed && signed(x, bits) < 0;
                let magnitude = if negative { !x & m } else { x & m };
                match magnitude.checked_ilog2() {
                    None => WORD,
                    Some(bit) if kind == Kind::Bfind => u64::from(bit),
                    Some(bit) => u64::from(u32::from(bits) - 1 - bit),
                }
            }),
            Kind::Fns => r.map3(active, dest, a, b, c, |x, y, z| {
                find_set(x as u32, y as u32, (z as u32).cast_signed())
            }),
            Kind::Bfe => r.map3(active, dest, a, b, c, |x, position, length| {
                let (position, length) = (position as u32 & 0xff, length as u32 & 0xff);
                extract(x, position, length, bits, is_signed) & m
            }),
            Kind::Bfi => r.map4(active, dest, [a, b, c, e], |x, y, position, length| {
                let (position, length) = (position as u32 & 0xff, length as u16 & 0xff);
                if position >= u32::from(bits) {
                    return y & m;
                }
                let field = (mask(length) << position) & m;
                (y & m & !field) | ((x << position) & field)
            }),
            Kind::Bmsk { clamp } => r.map2(active, dest, a, b, |position, length| {
                bit_mask(position & WORD, length & WORD, clamp)
            }),
            Kind::Szext { clamp } => r.map2(active, dest, a, b, |x, length| {
                extend(x & WORD, length & WORD, clamp, is_signed)
            }),
            Kind::Dp4a(signs) => r.map3(active, dest, a, b, c, |x, y, z| {
                let bytes = |index| (part(x, index, 8, signs.lhs), part(y, index, 8, signs.rhs));
                dot(z, (0..4).map(bytes))
            }),
            Kind::Dp2a { signs, high } => r.map3(active, dest, a, b, c, |x, y, z| {
                let Signs { lhs, rhs } = signs;
                let first = 2 * u32::from(high);
                let pairs = |index| (part(x, index, 16, lhs), part(y, first + index, 8, rhs));
                dot(z, (0..2).map(pairs))
            }),
        }
    }

    /// Computes one element from truncated operands; the caller truncates the result.
    fn element(&self, x: u64, y: u64) -> u64 {
        let bits = self.bits;
        let (sx, sy) = (signed(x, bits), signed(y, bits));
        match self.kind {
            Kind::Add => x.wrapping_add(y),
            Kind::Abs => sx.unsigned_abs(),
            Kind::Neg => sx.wrapping_neg().cast_unsigned(),
            Kind::Min if self.signed => sx.min(sy).cast_unsigned(),
            Kind::Max if self.signed => sx.max(sy).cast_unsigned(),
            Kind::Min => x.min(y),
            Kind::Max => x.max(y),
            Kind::MinPositive => sx.min(sy).max(0).cast_unsigned(),
            Kind::MaxPositive => sx.max(sy).max(0).cast_unsigned(),
            // The PTX ISA leaves division by zero undefined. The code that ptxas generates gives
            // all ones for quotient and remainder.
            Kind::Div | Kind::Rem if y == 0 => u64::MAX,
            Kind::Div if self.signed => sx.wrapping_div(sy).cast_unsigned(),
            Kind::Rem if self.signed => sx.wrapping_rem(sy).cast_unsigned(),
            Kind::Div => x / y,
            _ => x % y,
        }
    }
}

/// Extracts element `index` of a vector of elements of `bits` bits.
fn part(vector: u64, index: u32, bits: u8, is_signed: bool) -> i64 {
    let element = vector >> (u32::from(bits) * index) & mask(u16::from(bits));
    if is_signed {
        signed(element, bits)
    } else {
        element.cast_signed()
    }
}

fn dot(sum: u64, factors: impl Iterator<Item = (i64, i64)>) -> u64 {
    let products = factors.map(|(lhs, rhs)| lhs * rhs);
    products.fold(sum, u64::wrapping_add_signed) & WORD
}

/// Extracts a bit field, extended by its sign or zeros (PTX ISA, "bfe").
#[inline]
fn extract(x: u64, position: u32, length: u32, bits: u8, is_signed: bool) -> u64 {
    if length == 0 {
        return 0;
    }
    if !is_signed {
        let x = x & mask(u16::from(bits));
        return x.checked_shr(position).unwrap_or(0) & mask(length as u16);
    }
    // Positions beyond the top read the sign.
    let field = signed(x, bits) >> position.min(63);
    if length >= 64 {
        return field.cast_unsigned();
    }
    signed(field.cast_unsigned(), length as u8).cast_unsigned()
}

/// Returns the position of the n-th set bit, or all ones (PTX ISA, "fns").
fn find_set(bits: u32, base: u32, offset: i32) -> u64 {
    // The PTX ISA leaves a base above 31 undefined; here no bit is found.
    if base > 31 {
        return WORD;
    }
    let set = |position: &u32| bits >> position & 1 == 1;
    let count = (offset.unsigned_abs() as usize).saturating_sub(1);
    let bit = match offset {
        0 => Some(base).filter(set),
        1.. => (base..32).filter(set).nth(count),
        _ => (0..=base).rev().filter(set).nth(count),
    };
    bit.map_or(WORD, u64::from)
}

/// Returns `length` ones from bit `position` (PTX ISA, "bmsk").
fn bit_mask(position: u64, length: u64, clamp: bool) -> u64 {
    if clamp && position >= 32 {
        return 0;
    }
    let above = WORD << (position & 31) & WORD;
    let end = (position & 31) + (length & 31);
    if clamp && length >= 32 || end >= 32 {
        return above;
    }
    above & !(WORD << end)
}

/// Extends the lowest `length` bits by sign or zeros (PTX ISA, "szext").
fn extend(x: u64, length: u64, clamp: bool, is_signed: bool) -> u64 {
    if clamp && length >= 32 {
        return x;
    }
    let length = (length & 31) as u8;
    if length == 0 {
        0
    } else if is_signed {
        signed(x, length).cast_unsigned() & WORD
    } else {
        x & mask(u16::from(length))
    }
}
