//! Execution of floating-point instructions.
#![expect(clippy::inline_always, reason = "see `vectors::Work`")]

use super::super::soft::{BF16, F16, F32, F64, Format, Rounding};
use super::super::types::mask;
use super::native::{Brain, Half, Ieee, flushed_word, fma, of_single, rows, single, word};
use super::{Clamp, Float, Kind, approximate};
use crate::isa::vectors::{Work, on_vectors};
use crate::machine::registers::Registers;

/// The NaN with which tensor copies fill out-of-bounds elements. The PTX ISA does not specify the
/// value; devices of compute capability 9.0 write this one.
const OUT_OF_BOUNDS: u64 = 0x7ff7;

#[inline(always)]
fn double(value: f64) -> u64 {
    if value.is_nan() {
        F64.nan
    } else {
        value.to_bits()
    }
}

#[inline(always)]
fn of_double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The execution of an instruction for the lanes of a warp.
struct Lanes<'a>(&'a Float, &'a mut Registers, u32);

impl Work for Lanes<'_> {
    #[inline(always)]
    fn run(self) {
        let Lanes(float, registers, active) = self;
        float.execute_here(registers, active);
    }
}

impl Float {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        on_vectors(Lanes(self, r, active));
    }

    #[inline(always)]
    fn execute_here(&self, r: &mut Registers, active: u32) {
        let plain = self.rounding == Rounding::NearestEven
            && self.clamp == Clamp::None
            && !self.zero_out_of_bounds;
        let done = plain
            && match (self.format, self.flush) {
                (F32, false) if !self.packed => self.singles(r, active, |bits| bits),
                (F32, true) if !self.packed => self.singles(r, active, flushed_word),
                (F64, false) => self.doubles(r, active),
                (F16, false) => self.halves::<Ieee>(r, active),
                (BF16, false) => self.halves::<Brain>(r, active),
                _ => false,
            };
        if !done {
            self.general(r, active);
        }
    }

    /// Executes the common f32 instructions, rounded to nearest. Returns `false` for any other.
    #[inline(always)]
    fn singles(&self, r: &mut Registers, active: u32, flush: impl Fn(u32) -> u32 + Copy) -> bool {
        let (dest, args) = (self.dest, self.args);
        let read = |bits: u32| f32::from_bits(flush(bits));
        let write = |value: f32| flush(word(value));
        match self.kind {
            Kind::Add => rows(r, active, dest, args, |x, y, _| write(read(x) + read(y))),
            Kind::Sub => rows(r, active, dest, args, |x, y, _| write(read(x) - read(y))),
            Kind::Mul => rows(r, active, dest, args, |x, y, _| write(read(x) * read(y))),
            Kind::Fma => rows(r, active, dest, args, |x, y, z| {
                write(fma(read(x), read(y), read(z)))
            }),
            Kind::Div => rows(r, active, dest, args, |x, y, _| write(read(x) / read(y))),
            Kind::Reciprocal => rows(r, active, dest, args, |x, _, _| write(1.0 / read(x))),
            Kind::Sqrt => rows(r, active, dest, args, |x, _, _| write(read(x).sqrt())),
            Kind::Rsqrt => rows(r, active, dest, args, |x, _, _| {
                write((1.0 / f64::from(read(x)).sqrt()) as f32)
            }),
            Kind::Ex2 => rows(r, active, dest, args, |x, _, _| {
                write(approximate::exp2(f64::from(read(x))) as f32)
            }),
            Kind::Neg => rows(r, active, dest, args, |x, _, _| write(-read(x))),
            Kind::Abs => rows(r, active, dest, args, |x, _, _| write(read(x).abs())),
            Kind::Extremum(variant) if !variant.abs && !self.flush => {
                variant.rows(r, active, (dest, args), F32, false);
            }
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn doubles(&self, r: &mut Registers, active: u32) -> bool {
        let [a, b, c] = self.args;
        let dest = self.dest;
        match self.kind {
            Kind::Add => r.map2(active, dest, a, b, |x, y| {
                double(of_double(x) + of_double(y))
            }),
            Kind::Sub => r.map2(active, dest, a, b, |x, y| {
                double(of_double(x) - of_double(y))
            }),
            Kind::Mul => r.map2(active, dest, a, b, |x, y| {
                double(of_double(x) * of_double(y))
            }),
            Kind::Fma => r.map3(active, dest, a, b, c, |x, y, z| {
                double(of_double(x).mul_add(of_double(y), of_double(z)))
            }),
            _ => return false,
        }
        true
    }

    /// Executes the common f16 and bf16 instructions, on one or two elements. Returns `false` for
    /// any other.
    #[inline(always)]
    fn halves<H: Half>(&self, r: &mut Registers, active: u32) -> bool {
        match self.kind {
            Kind::Add => self.each(r, active, |x, y, _| H::add(x, y)),
            Kind::Sub => self.each(r, active, |x, y, _| H::add(x, y ^ 0x8000)),
            Kind::Mul => self.each(r, active, |x, y, _| H::mul(x, y)),
            Kind::Fma => self.each(r, active, H::fma),
            Kind::Ex2 => self.each(r, active, |x, _, _| {
                H::shorten(approximate::exp2(f64::from(H::widen(x))))
            }),
            Kind::Extremum(variant) if !variant.abs => {
                variant.rows(r, active, (self.dest, self.args), H::FORMAT, self.packed);
            }
            _ => return false,
        }
        true
    }

    /// Applies `f` to one or two elements of 16 bits.
    #[inline(always)]
    fn each(&self, r: &mut Registers, active: u32, f: impl Fn(u32, u32, u32) -> u32) {
        let low = |x: u32, y: u32, z: u32| f(x & 0xffff, y & 0xffff, z & 0xffff);
        if self.packed {
            rows(r, active, self.dest, self.args, |x, y, z| {
                low(x, y, z) | f(x >> 16, y >> 16, z >> 16) << 16
            });
        } else {
            rows(r, active, self.dest, self.args, low);
        }
    }

    /// Executes any instruction, lane by lane.
    #[inline(never)]
    fn general(&self, r: &mut Registers, active: u32) {
        let [a, b, c] = self.args;
        let bits: u16 = match self.format {
            F16 | BF16 => 16,
            F32 => 32,
            _ => 64,
        };
        let m = mask(bits);
        if self.packed {
            return r.map3(active, self.dest, a, b, c, |x, y, z| {
                let low = self.element(x & m, y & m, z & m);
                let high = self.element(x >> bits & m, y >> bits & m, z >> bits & m);
                low | high << bits
            });
        }
        r.map3(active, self.dest, a, b, c, |x, y, z| {
            self.element(x & m, y & m, z & m)
        });
    }

    fn element(&self, x: u64, y: u64, z: u64) -> u64 {
        let format = self.format;
        if self.zero_out_of_bounds && [x, y, z].contains(&OUT_OF_BOUNDS) {
            return 0;
        }
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
        // Widens to f32, which represents every 16-bit value exactly.
        let widen =
            |from: Format, bits: u64| F32.convert_from(bits & 0xffff, from, Rounding::NearestEven);
        match self.kind {
            Kind::Add => format.add(x, y, rounding),
            Kind::Sub => format.add(x, negative(y), rounding),
            Kind::Mul => format.mul(x, y, rounding),
            Kind::Fma => format.fma(x, y, z, rounding),
            Kind::MixedAdd(from) => format.add(widen(from, x), y, rounding),
            Kind::MixedSub(from) => format.add(widen(from, x), negative(y), rounding),
            Kind::MixedFma(from) => format.fma(widen(from, x), widen(from, y), z, rounding),
            Kind::Div => format.div(x, y, rounding),
            Kind::DivApproximate => divide_approximately(x, y),
            Kind::Reciprocal => format.div(format.one(), x, rounding),
            Kind::ReciprocalUpper => upper(format.div(format.one(), x, rounding)),
            Kind::Sqrt => format.sqrt(x, rounding),
            Kind::Rsqrt => self.approximate(x, |value| 1.0 / value.sqrt()),
            Kind::RsqrtUpper => upper(self.approximate(x, |value| 1.0 / value.sqrt())),
            Kind::Sin => self.approximate(x, approximate::sin),
            Kind::Cos => self.approximate(x, approximate::cos),
            Kind::Lg2 => self.approximate(x, approximate::log2),
            Kind::Ex2 => self.approximate(x, approximate::exp2),
            Kind::Tanh => self.approximate(x, approximate::tanh),
            Kind::Abs | Kind::Neg if format.is_nan(x) => format.nan,
            Kind::Abs => x & !format.sign_bit(),
            Kind::Neg => negative(x),
            // The sign of the first operand and the magnitude of the second.
            Kind::Copysign => y & !format.sign_bit() | x & format.sign_bit(),
            Kind::Extremum(variant) => variant.choose(format, x, y),
            Kind::Extremum3(variant) => variant.choose(format, variant.choose(format, x, y), z),
        }
    }

    /// Evaluates a function with a bounded error, rounded once from f64.
    fn approximate(&self, x: u64, function: impl Fn(f64) -> f64) -> u64 {
        let result = function(self.format.to_f64(x));
        self.format
            .convert_from(result.to_bits(), F64, Rounding::NearestEven)
    }
}

/// Computes `div.approx`: the reciprocal of a divisor above 2^126 is zero (PTX ISA, "div").
fn divide_approximately(x: u64, y: u64) -> u64 {
    let (x, y) = (of_single(x), of_single(y));
    if y.is_finite() && y.abs() > f32::from_bits(0x7e80_0000) {
        return single(x * 0f32.copysign(y));
    }
    single(x / y)
}

/// Returns the upper half of an f64.
fn upper(bits: u64) -> u64 {
    if F64.is_nan(bits) {
        F64.nan
    } else {
        bits & !0xffff_ffff
    }
}
