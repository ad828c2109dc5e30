//! Floating-point arithmetic of f16, bf16, f32 and f64 (PTX ISA, "Floating-Point Instructions",
//! "Half Precision").

use super::soft::{BF16, F16, F32, F64, Format, Rounding};
use super::types::{Class, Type, mask};
use super::{Op, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// An instruction on floats.
#[derive(Clone, Debug)]
pub(crate) struct Float {
    kind: Kind,
    format: Format,
    packed: bool,
    rounding: Rounding,
    /// Subnormals are zeros, coming and going.
    flush: bool,
    clamp: Clamp,
    dest: Slot,
    args: [Slot; 3],
}

/// What happens to the rounded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clamp {
    None,
    /// `.sat`: into [0, 1].
    Unit,
    /// `.relu`: negative numbers become zero.
    Positive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Reciprocal,
    /// `rcp.approx.ftz.f64`: only the upper half of the result.
    ReciprocalUpper,
    Sqrt,
    Rsqrt,
    /// `rsqrt.approx.ftz.f64` likewise.
    RsqrtUpper,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Abs,
    Neg,
    Min(Extremum),
    Max(Extremum),
    Copysign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extremum {
    /// NaN if one operand is.
    propagate: bool,
    /// The sign is the product of the signs; magnitudes are compared.
    xor_sign: bool,
}

const ROUNDINGS: [(&str, Rounding); 4] = [
    ("rn", Rounding::NearestEven),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    let mut kind = match opcode {
        "add" => Kind::Add,
        "sub" => Kind::Sub,
        "mul" => Kind::Mul,
        "fma" | "mad" => Kind::Fma,
        "div" => Kind::Div,
        "rcp" => Kind::Reciprocal,
        "sqrt" => Kind::Sqrt,
        "rsqrt" => Kind::Rsqrt,
        "sin" => Kind::Sin,
        "cos" => Kind::Cos,
        "lg2" => Kind::Lg2,
        "ex2" => Kind::Ex2,
        "tanh" => Kind::Tanh,
        "abs" => Kind::Abs,
        "neg" => Kind::Neg,
        "copysign" => Kind::Copysign,
        "min" | "max" => Kind::Min(Extremum {
            propagate: false,
            xor_sign: false,
        }),
        _ => return d.unexpected(),
    };
    let rounded = matches!(
        kind,
        Kind::Add | Kind::Sub | Kind::Mul | Kind::Fma | Kind::Div | Kind::Reciprocal | Kind::Sqrt
    );
    let rounding = if rounded { d.one_of(&ROUNDINGS) } else { None };
    let approximate = match kind {
        Kind::Div => rounding.is_none() && (d.takes("approx") || d.takes("full")),
        Kind::Reciprocal | Kind::Sqrt => rounding.is_none() && d.takes("approx"),
        Kind::Rsqrt | Kind::Sin | Kind::Cos | Kind::Lg2 | Kind::Ex2 | Kind::Tanh => {
            if !d.takes("approx") {
                return d.unexpected();
            }
            true
        }
        _ => false,
    };
    let needs_rounding = matches!(kind, Kind::Div | Kind::Reciprocal | Kind::Sqrt | Kind::Fma);
    if needs_rounding && rounding.is_none() && !approximate {
        return d.error("a rounding is missing");
    }
    let flush = d.takes("ftz");
    let mut clamp = Clamp::None;
    match kind {
        Kind::Add | Kind::Sub | Kind::Mul | Kind::Fma => {
            if d.takes("sat") {
                clamp = Clamp::Unit;
            } else if kind == Kind::Fma && d.takes("relu") {
                clamp = Clamp::Positive;
            }
        }
        Kind::Min(_) => {
            let propagate = d.takes("NaN");
            let xor_sign = d.takes("xorsign");
            if xor_sign && !d.takes("abs") {
                return d.unexpected();
            }
            let extremum = Extremum {
                propagate,
                xor_sign,
            };
            kind = if opcode == "min" {
                Kind::Min(extremum)
            } else {
                Kind::Max(extremum)
            };
        }
        _ => {}
    }
    let ty = d.ty_where(|ty| ty.is_float() && accepts(kind, approximate, ty))?;
    if ty == Type::F64 && flush {
        kind = match kind {
            Kind::Reciprocal if approximate => Kind::ReciprocalUpper,
            Kind::Rsqrt => Kind::RsqrtUpper,
            _ => return d.error("`.ftz` is not for `.f64`"),
        };
    }
    let operands = match kind {
        Kind::Fma => 3,
        Kind::Add | Kind::Sub | Kind::Mul | Kind::Div | Kind::Copysign => 2,
        Kind::Min(_) | Kind::Max(_) => 2,
        _ => 1,
    };
    d.end(operands + 1)?;
    let dest = d.dest_for(0, ty)?;
    let first = d.source(1, ty)?;
    let mut args = [first; 3];
    for (index, arg) in args.iter_mut().enumerate().take(operands).skip(1) {
        *arg = d.source(index + 1, ty)?;
    }
    Ok(Op::Float(Float {
        kind,
        format: format_of(ty),
        packed: ty.packed == 2,
        rounding: rounding.unwrap_or(Rounding::NearestEven),
        flush,
        clamp,
        dest,
        args,
    }))
}

/// Whether the instruction exists for the type.
fn accepts(kind: Kind, approximate: bool, ty: Type) -> bool {
    let half = ty.bits == 16;
    if ty.packed == 2 && !half {
        return matches!(kind, Kind::Add | Kind::Sub | Kind::Mul | Kind::Fma);
    }
    match kind {
        Kind::Add | Kind::Sub | Kind::Mul | Kind::Fma => true,
        Kind::Abs | Kind::Neg | Kind::Min(_) | Kind::Max(_) => true,
        Kind::Ex2 | Kind::Tanh => half || ty == Type::F32,
        Kind::Div | Kind::Sqrt => ty == Type::F32 || ty == Type::F64 && !approximate,
        Kind::Reciprocal | Kind::ReciprocalUpper | Kind::Copysign => !half,
        Kind::Rsqrt | Kind::RsqrtUpper => !half,
        Kind::Sin | Kind::Cos | Kind::Lg2 => ty == Type::F32,
    }
}

/// The format of a type that is a float.
pub(crate) fn format_of(ty: Type) -> Format {
    match (ty.class, ty.bits) {
        (Class::Brain, _) => BF16,
        (Class::Float, 16) => F16,
        (Class::Float, 64) => F64,
        _ => F32,
    }
}

/// The bits of a result, NaN made canonical.
#[inline]
fn single(value: f32) -> u64 {
    if value.is_nan() {
        F32.nan
    } else {
        u64::from(value.to_bits())
    }
}

#[inline]
fn double(value: f64) -> u64 {
    if value.is_nan() {
        F64.nan
    } else {
        value.to_bits()
    }
}

#[inline]
fn of_single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

impl Float {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        let [a, b, c] = self.args;
        let dest = self.dest;
        let plain = self.rounding == Rounding::NearestEven
            && !self.flush
            && self.clamp == Clamp::None
            && !self.packed;
        if plain && self.format == F32 {
            match self.kind {
                Kind::Add => {
                    return r.map2(active, dest, a, b, |x, y| {
                        single(of_single(x) + of_single(y))
                    });
                }
                Kind::Sub => {
                    return r.map2(active, dest, a, b, |x, y| {
                        single(of_single(x) - of_single(y))
                    });
                }
                Kind::Mul => {
                    return r.map2(active, dest, a, b, |x, y| {
                        single(of_single(x) * of_single(y))
                    });
                }
                _ => {}
            }
        }
        if self.packed {
            let bits = if self.format == F32 { 32 } else { 16 };
            let m = mask(bits);
            return r.map3(active, dest, a, b, c, |x, y, z| {
                let low = self.element(x & m, y & m, z & m);
                let high = self.element(x >> bits & m, y >> bits & m, z >> bits & m);
                low | high << bits
            });
        }
        let m = match self.format {
            F16 | BF16 => 0xffff,
            F32 => 0xffff_ffff,
            _ => u64::MAX,
        };
        r.map3(active, dest, a, b, c, |x, y, z| {
            self.element(x & m, y & m, z & m)
        });
    }

    fn element(&self, x: u64, y: u64, z: u64) -> u64 {
        let format = self.format;
        let flushed = |bits| if self.flush { format.flush(bits) } else { bits };
        let result = flushed(self.compute(flushed(x), flushed(y), flushed(z)));
        match self.clamp {
            Clamp::None => result,
            Clamp::Unit => format.saturate(result),
            Clamp::Positive if format.is_nan(result) => result,
            Clamp::Positive if format.is_negative(result) => 0,
            Clamp::Positive => result,
        }
    }

    fn compute(&self, x: u64, y: u64, z: u64) -> u64 {
        let format = self.format;
        let rounding = self.rounding;
        let negative = |bits: u64| bits ^ format.sign_bit();
        let nearest = rounding == Rounding::NearestEven;
        match self.kind {
            Kind::Add | Kind::Sub => {
                let y = if self.kind == Kind::Sub {
                    negative(y)
                } else {
                    y
                };
                match format {
                    F32 if nearest => single(of_single(x) + of_single(y)),
                    F64 if nearest => double(f64::from_bits(x) + f64::from_bits(y)),
                    _ => format.add(x, y, rounding),
                }
            }
            Kind::Mul => match format {
                F32 if nearest => single(of_single(x) * of_single(y)),
                F64 if nearest => double(f64::from_bits(x) * f64::from_bits(y)),
                _ => format.mul(x, y, rounding),
            },
            Kind::Fma => match format {
                F32 if nearest => single(of_single(x).mul_add(of_single(y), of_single(z))),
                F64 if nearest => {
                    double(f64::from_bits(x).mul_add(f64::from_bits(y), f64::from_bits(z)))
                }
                _ => format.fma(x, y, z, rounding),
            },
            Kind::Div => match format {
                F32 if nearest => single(of_single(x) / of_single(y)),
                F64 if nearest => double(f64::from_bits(x) / f64::from_bits(y)),
                _ => format.div(x, y, rounding),
            },
            Kind::Reciprocal => format.div(format.one(), x, rounding),
            Kind::ReciprocalUpper => {
                let result = format.flush(format.div(format.one(), format.flush(x), rounding));
                upper(result)
            }
            Kind::Sqrt => format.sqrt(x, rounding),
            Kind::Rsqrt => self.approximate(x, |value| 1.0 / value.sqrt()),
            Kind::RsqrtUpper => {
                upper(self.approximate(format.flush(x), |value| 1.0 / value.sqrt()))
            }
            Kind::Sin => self.approximate(x, f64::sin),
            Kind::Cos => self.approximate(x, f64::cos),
            Kind::Lg2 => self.approximate(x, f64::log2),
            Kind::Ex2 => self.approximate(x, f64::exp2),
            Kind::Tanh => self.approximate(x, f64::tanh),
            Kind::Abs if format.is_nan(x) => format.nan,
            Kind::Neg if format.is_nan(x) => format.nan,
            Kind::Abs => x & !format.sign_bit(),
            Kind::Neg => negative(x),
            // The sign of the first operand, the magnitude of the second.
            Kind::Copysign => y & !format.sign_bit() | x & format.sign_bit(),
            Kind::Min(how) => extremum(format, how, x, y, std::cmp::Ordering::Less),
            Kind::Max(how) => extremum(format, how, x, y, std::cmp::Ordering::Greater),
        }
    }

    /// A function that the PTX ISA bounds the error of: here rounded once from an `f64`.
    fn approximate(&self, x: u64, function: impl Fn(f64) -> f64) -> u64 {
        let result = function(self.format.to_f64(x));
        self.format.of(result.to_bits(), F64, Rounding::NearestEven)
    }
}

fn upper(bits: u64) -> u64 {
    if F64.is_nan(bits) {
        F64.nan
    } else {
        bits & !0xffff_ffff
    }
}

fn extremum(format: Format, how: Extremum, x: u64, y: u64, wanted: std::cmp::Ordering) -> u64 {
    let sign = format.sign_bit();
    let product = (x ^ y) & sign;
    let (x, y) = if how.xor_sign {
        (x & !sign, y & !sign)
    } else {
        (x, y)
    };
    let result = match (format.is_nan(x), format.is_nan(y)) {
        (false, false) => {
            // -0 is below +0.
            let order = format
                .compare(x, y)
                .expect("neither is NaN")
                .then_with(|| format.is_negative(y).cmp(&format.is_negative(x)));
            if order == wanted { x } else { y }
        }
        (true, false) if !how.propagate => y,
        (false, true) if !how.propagate => x,
        _ => return format.nan,
    };
    if how.xor_sign {
        result | product
    } else {
        result
    }
}

/// The lesser or greater of two numbers, for reductions and atomics.
pub(crate) fn extreme(format: Format, max: bool, propagate: bool, x: u64, y: u64) -> u64 {
    let how = Extremum {
        propagate,
        xor_sign: false,
    };
    let wanted = if max {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Less
    };
    extremum(format, how, x, y, wanted)
}
