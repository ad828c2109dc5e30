//! Conversions of one number to one number.

use super::super::Slot;
use super::super::float::native::{Brain, Half, Ieee, rows, single, word};
use super::super::soft::{F32, Rounding};
use super::super::types::{Class, Type, mask, signed};
use super::{Modifiers, Way, format};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// A conversion between integers, f16, bf16, f32 and f64.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    to: Type,
    from: Type,
    rounding: Rounding,
    /// Rounds to an integral value; the result may be a float or an integer.
    integral: bool,
    flush: bool,
    saturate: bool,
    dest: Slot,
    /// The width of the destination register in bits.
    width: u8,
    arg: Slot,
}

/// Returns the smallest and the largest value of an integer type.
fn range(ty: Type) -> (i128, i128) {
    let bits = u32::from(ty.bits);
    if ty.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// Returns `true` if `to` can represent every value of `from`.
fn widens(to: Type, from: Type) -> bool {
    format(from).fits(format(to))
}

pub(super) fn decode(
    d: &mut Decoder<'_>,
    modifiers: Modifiers,
    to: Type,
    from: Type,
) -> Decoded<Scalar> {
    d.end(2)?;
    let (rounding, integral) = rounding(d, modifiers, to, from)?;
    let brain = [to, from].iter().any(|ty| ty.class == Class::Brain);
    let single = [to, from].contains(&Type::F32) && ![to, from].contains(&Type::F64)
        || [to, from].contains(&Type::F32) && !to.is_integer() && !from.is_integer();
    if modifiers.ftz && !single {
        return d.error("`.ftz` requires a conversion from or to `.f32`");
    }
    // ptxas refuses `.sat` where it could not have an effect.
    if modifiers.sat {
        let needless = if to.is_integer() && from.is_integer() {
            let ((min, max), (from_min, from_max)) = (range(to), range(from));
            min <= from_min && from_max <= max
        } else {
            false
        };
        if needless {
            return d
                .error("`.sat` requires a type that does not represent every value of the source");
        }
        if brain {
            return d.error("`.sat` does not exist for `.bf16`");
        }
    }
    if brain {
        let with_single = [to, from].contains(&Type::F32);
        let min = if with_single && to == Type::BF16 {
            ((7, 0), 80)
        } else if with_single && !modifiers.ftz {
            ((7, 1), 80)
        } else {
            ((7, 8), 90)
        };
        d.requires(min.0, min.1)?;
    }
    let dest = d.dest_for(0, to)?;
    Ok(Scalar {
        to,
        from,
        rounding,
        integral,
        flush: modifiers.ftz,
        saturate: modifiers.sat,
        dest,
        width: d.names.width(dest),
        arg: d.source(1, from)?,
    })
}

fn rounding(
    d: &Decoder<'_>,
    modifiers: Modifiers,
    to: Type,
    from: Type,
) -> Decoded<(Rounding, bool)> {
    let nearest = (Rounding::NearestEven, false);
    let way = modifiers.rounding;
    if matches!(
        way,
        Some(Way::Stochastic | Way::Float(Rounding::NearestAway))
    ) {
        return d.error("the rounding does not exist for the types");
    }
    match (from.is_integer(), to.is_integer(), way) {
        (true, true, None) => Ok(nearest),
        (true, true, Some(_)) => d.error("a conversion between integers does not round"),
        (true, false, Some(Way::Float(rounding))) => Ok((rounding, false)),
        (true, false, None) => d.error("a rounding is missing: `.rn`, `.rz`, `.rm` or `.rp`"),
        (true, false, Some(_)) => d.error("rounding from an integer is written without `i`: `.rn`"),
        (false, true, Some(Way::Integer(rounding))) => Ok((rounding, true)),
        (false, true, None) => d.error("a rounding is missing: `.rni`, `.rzi`, `.rmi` or `.rpi`"),
        (false, true, Some(_)) => d.error("rounding to an integer is written with `i`: `.rzi`"),
        (false, false, Some(Way::Integer(rounding))) if to == from => Ok((rounding, true)),
        (false, false, Some(Way::Integer(_))) => {
            d.error("rounding to an integral value must keep the type")
        }
        (false, false, Some(Way::Float(rounding))) => {
            // Among the exact conversions, only those of bf16 accept a rounding modifier.
            let brain = [to, from].iter().any(|ty| ty.class == Class::Brain);
            if to == from || widens(to, from) && !brain {
                return d.error("a conversion that is exact does not round");
            }
            Ok((rounding, false))
        }
        (false, false, None) => {
            let other = [to, from].iter().all(|ty| ty.bits == 16);
            if to == from || widens(to, from) || other {
                Ok(nearest)
            } else {
                d.error("a rounding is missing: `.rn`, `.rz`, `.rm` or `.rp`")
            }
        }
        (false, false, Some(Way::Stochastic)) => d.unexpected(),
    }
}

impl Scalar {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
        if !self.common(r, active) {
            let bits = mask(u16::from(self.from.bits));
            r.map1(active, self.dest, self.arg, |x| self.element(x & bits));
        }
    }

    /// Executes the common conversions. Returns `false` for any other.
    fn common(&self, r: &mut Registers, active: u32) -> bool {
        let &Self {
            to,
            from,
            rounding,
            integral,
            flush,
            saturate,
            dest,
            width,
            arg,
        } = self;
        if flush || saturate {
            return false;
        }
        let register = mask(u16::from(width));
        let nearest = rounding == Rounding::NearestEven;
        if from.is_integer() && to.is_integer() {
            let bits = from.bits.min(to.bits);
            let cut = mask(u16::from(bits));
            if from.is_signed() && from.bits < to.bits || to.is_signed() && from.bits >= to.bits {
                let limit = if to.is_signed() { register } else { to.mask() };
                r.map1(active, dest, arg, |x| {
                    signed(x, bits).cast_unsigned() & limit
                });
            } else {
                r.map1(active, dest, arg, |x| x & cut);
            }
            return true;
        }
        let args = [arg; 3];
        match (from, to) {
            (Type::F16, Type::F32) => {
                rows(r, active, dest, args, |x, _, _| {
                    word(Ieee::widen(x & 0xffff))
                });
            }
            (Type::BF16, Type::F32) => {
                rows(r, active, dest, args, |x, _, _| {
                    word(Brain::widen(x & 0xffff))
                });
            }
            (Type::F32, Type::F16) if nearest => {
                rows(r, active, dest, args, |x, _, _| {
                    Ieee::narrow(f32::from_bits(x))
                });
            }
            (Type::F32, Type::BF16) if nearest => {
                rows(r, active, dest, args, |x, _, _| {
                    Brain::narrow(f32::from_bits(x))
                });
            }
            (Type::S32, Type::F32) if nearest => {
                r.map1(active, dest, arg, |x| {
                    single((x as u32).cast_signed() as f32)
                });
            }
            (Type::U32, Type::F32) if nearest => {
                r.map1(active, dest, arg, |x| single(x as u32 as f32));
            }
            // Rust's casts saturate and convert NaN to zero, as these instructions do.
            (Type::F32, Type::S32) if integral && rounding == Rounding::Zero => {
                r.map1(active, dest, arg, |x| {
                    let value = f32::from_bits(x as u32) as i32;
                    i64::from(value).cast_unsigned() & register
                });
            }
            (Type::F32, Type::U32) if integral && rounding == Rounding::Zero => {
                r.map1(active, dest, arg, |x| {
                    u64::from(f32::from_bits(x as u32) as u32)
                });
            }
            _ => return false,
        }
        true
    }

    fn element(&self, x: u64) -> u64 {
        match (self.from.is_integer(), self.to.is_integer()) {
            (true, true) => self.integer_to_integer(x),
            (true, false) => {
                let value = self.integer(x);
                let bits = format(self.to).of_integer(value, self.rounding);
                if self.saturate {
                    format(self.to).saturate(bits)
                } else {
                    bits
                }
            }
            (false, true) => self.float_to_integer(x),
            (false, false) => self.float_to_float(x),
        }
    }

    fn integer(&self, x: u64) -> i128 {
        if self.from.is_signed() {
            i128::from(signed(x, self.from.bits))
        } else {
            i128::from(x)
        }
    }

    /// Truncates to the type, then extends to the register.
    fn place(&self, value: i128) -> u64 {
        // The truncation is intended.
        let cut = value as u64 & self.to.mask();
        if self.to.is_signed() {
            signed(cut, self.to.bits).cast_unsigned() & mask(u16::from(self.width))
        } else {
            cut
        }
    }

    fn integer_to_integer(&self, x: u64) -> u64 {
        let (min, max) = range(self.to);
        let value = self.integer(x);
        self.place(if self.saturate {
            value.clamp(min, max)
        } else {
            value
        })
    }

    /// Converts to an integer. NaN becomes zero, or only the top bit where either type has 64 bits
    /// (PTX ISA, "cvt").
    fn float_to_integer(&self, x: u64) -> u64 {
        let from = format(self.from);
        let x = if self.flush { from.flush(x) } else { x };
        match from.to_integer(x, self.rounding) {
            Some(value) => {
                let (min, max) = range(self.to);
                self.place(value.clamp(min, max))
            }
            None if self.from.bits < 64 && self.to.bits < 64 => 0,
            None => self.place(1 << (self.to.bits - 1)),
        }
    }

    fn float_to_float(&self, x: u64) -> u64 {
        let (from, to) = (format(self.from), format(self.to));
        let x = if self.flush && self.from == Type::F32 {
            from.flush(x)
        } else {
            x
        };
        let x = if self.integral {
            from.to_integral(x, self.rounding)
        } else {
            x
        };
        let mut result = to.convert_from(x, from, self.rounding);
        if self.saturate {
            result = to.saturate(result);
        }
        if self.flush && self.to == Type::F32 {
            result = F32.flush(result);
        }
        result
    }
}
