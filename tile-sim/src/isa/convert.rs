//! `cvt` between integers and floats of all formats (PTX ISA, "cvt").

use super::float::format_of;
use super::soft::{E4M3, E5M2, F32, Format, Rounding, TF32};
use super::types::{Class, Type, mask, signed};
use super::{Op, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// A conversion.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
pub(crate) struct Convert {
    to: Type,
    from: Type,
    rounding: Rounding,
    /// Rounding to an integer that stays a float, or becomes an integer.
    integral: bool,
    flush: bool,
    saturate: bool,
    /// Infinity becomes the greatest number.
    finite: bool,
    relu: bool,
    dest: Slot,
    /// Of the register.
    width: u8,
    /// For a pair, upper and lower.
    args: [Slot; 2],
}

/// How a rounding is written, and whether to integers.
const ROUNDINGS: [(&str, (Rounding, bool)); 9] = [
    ("rn", (Rounding::NearestEven, false)),
    ("rna", (Rounding::NearestAway, false)),
    ("rz", (Rounding::Zero, false)),
    ("rm", (Rounding::Down, false)),
    ("rp", (Rounding::Up, false)),
    ("rni", (Rounding::NearestEven, true)),
    ("rzi", (Rounding::Zero, true)),
    ("rmi", (Rounding::Down, true)),
    ("rpi", (Rounding::Up, true)),
];

fn is_number(ty: Type) -> bool {
    ty.class != Class::Pred
        && ty.class != Class::Bits
        && ty.total_bits() <= 64
        && (ty.packed == 1 || ty.bits <= 16)
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let rounding = d.one_of(&ROUNDINGS);
    let (mut relu, mut finite, mut flush, mut saturate) = (false, false, false, false);
    loop {
        let flag = match d.peek() {
            Some("relu") => &mut relu,
            Some("satfinite") => &mut finite,
            Some("ftz") => &mut flush,
            Some("sat") => &mut saturate,
            _ => break,
        };
        *flag = true;
        d.takes(d.peek().expect("just seen"));
    }
    let to = d.ty_where(is_number)?;
    let from = d.ty_where(is_number)?;
    let joins = to.packed == 2 && from.packed == 1;
    d.end(if joins { 3 } else { 2 })?;
    if (to.packed == 2) != (from.packed == 2) && !(joins && from == Type::F32) {
        return d.error("one is a pair, the other is not");
    }
    if to.is_integer() && (relu || finite || to.packed == 2)
        || from.is_integer() && (relu || finite || from.packed == 2)
    {
        return d.error("not a conversion");
    }
    let is_float = |ty: Type| !ty.is_integer();
    let (rounding, integral) = match rounding {
        Some(rounding) => rounding,
        // Widening, integers, and floats that only change their range need none.
        None if is_float(from) && !is_float(to) => return d.error("a rounding is missing"),
        None if is_float(to) && (!is_float(from) || from.bits > to.bits) => {
            return d.error("a rounding is missing");
        }
        None if to.class == Class::Tf32 => return d.error("a rounding is missing"),
        None => (Rounding::NearestEven, false),
    };
    if is_float(from) && !is_float(to) && !integral {
        return d.error("rounding to an integer is written with `i`: `.rzi`");
    }
    if !is_float(from) && is_float(to) && integral {
        return d.error("rounding from an integer is written without `i`: `.rn`");
    }
    let dest = d.dest_for(0, if to.total_bits() < 16 { Type::B16 } else { to })?;
    let args = if joins {
        [d.source(1, from)?, d.source(2, from)?]
    } else {
        // Bytes come in registers of 16 bits or more.
        let source = d.source(1, from)?;
        [source, source]
    };
    Ok(Op::Convert(Convert {
        to,
        from,
        rounding,
        integral,
        flush,
        saturate,
        finite,
        relu,
        dest,
        width: d.names.width(dest),
        args,
    }))
}

fn format(ty: Type) -> Format {
    match ty.class {
        Class::Tf32 => TF32,
        Class::E4m3 => E4M3,
        Class::E5m2 => E5M2,
        _ => format_of(ty),
    }
}

impl Convert {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        let [a, b] = self.args;
        let (to, from) = (self.to, self.from);
        if to.packed == 1 {
            let bits = mask(u16::from(from.bits));
            if to == Type::F32 && from == Type::BF16 && !self.flush && !self.saturate && !self.relu
            {
                return r.map1(active, self.dest, a, |x| {
                    let wide = (x & bits) << 16;
                    if F32.is_nan(wide) { F32.nan } else { wide }
                });
            }
            return r.map1(active, self.dest, a, |x| self.element(x & bits));
        }
        let part = mask(u16::from(from.bits));
        let joins = from.packed == 1;
        r.map2(active, self.dest, a, b, |upper, lower| {
            let (upper, lower) = if joins {
                (upper & part, lower & part)
            } else {
                (upper >> from.bits & part, lower & part)
            };
            self.element(upper) << to.bits | self.element(lower)
        });
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

    /// The least and the greatest value of the result.
    fn range(&self) -> (i128, i128) {
        let bits = u32::from(self.to.bits);
        if self.to.is_signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }

    /// Cut to the type, then extended to the register.
    fn place(&self, value: i128) -> u64 {
        // The cut is what is wanted.
        let cut = value as u64 & self.to.mask();
        if self.to.is_signed() {
            signed(cut, self.to.bits).cast_unsigned() & mask(u16::from(self.width))
        } else {
            cut
        }
    }

    fn integer_to_integer(&self, x: u64) -> u64 {
        let value = self.integer(x);
        let (least, most) = self.range();
        self.place(if self.saturate {
            value.clamp(least, most)
        } else {
            value
        })
    }

    fn float_to_integer(&self, x: u64) -> u64 {
        let from = format(self.from);
        let x = if self.flush { from.flush(x) } else { x };
        match from.to_integer(x, self.rounding) {
            Some(value) => {
                let (least, most) = self.range();
                self.place(value.clamp(least, most))
            }
            None if self.from.bits < 64 && self.to.bits < 64 => 0,
            None => self.place(1 << (self.to.bits - 1)),
        }
    }

    fn float_to_float(&self, x: u64) -> u64 {
        let (from, to) = (format(self.from), format(self.to));
        let is_single = |ty: Type| ty == Type::F32;
        let x = if self.flush && is_single(self.from) {
            from.flush(x)
        } else {
            x
        };
        let x = if self.integral {
            from.to_integral(x, self.rounding)
        } else {
            x
        };
        let mut result = to.of(x, from, self.rounding);
        let overflows = to.is_nan(result) != from.is_nan(x)
            || !to.is_nan(result) && result & !to.sign_bit() > to.greatest();
        if self.finite && overflows {
            result = to.greatest() | result & to.sign_bit();
            if from.is_negative(x) {
                result |= to.sign_bit();
            }
        }
        if self.relu && !to.is_nan(result) && to.is_negative(result) {
            result = 0;
        }
        if self.saturate {
            result = to.saturate(result);
        }
        if self.flush && is_single(self.to) {
            result = to.flush(result);
        }
        // tf32 lies in the upper bits of its register.
        if self.to.class == Class::Tf32 {
            result << 13
        } else {
            result
        }
    }
}
