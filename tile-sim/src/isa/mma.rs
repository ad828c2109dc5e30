//! `mma.sync` (PTX ISA, "Matrix Fragments for mma" of each shape).
//!
//! A fragment's element `i` of lane `l` has a row and a column. With `g = l / 4` and `t = l % 4`,
//! elements of a register side by side (`e` of them in 32 bits):
//!
//! ```text
//! A  register r: row g + 8 * (r % 2), columns from e * t + 4e * (r / 2)
//! B  register r: column g,            rows    from e * t + 4e * r
//! C  element  i: row g + 8 * (i / 2), column  2 * t + i % 2
//! ```
//!
//! Products are summed exactly enough (in `f64`, `i64`) and rounded once.

use super::Op;
use super::soft::{BF16, E4M3, E5M2, F16, F32, F64, Format, Rounding};
use super::types::{Class, Type, signed};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder, Slots};

/// A product of two matrices, plus a third.
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    /// The common dimension.
    k: usize,
    rows: usize,
    a: Type,
    b: Type,
    c: Type,
    d: Type,
    /// Integer sums stay in range.
    saturate: bool,
    dests: Slots,
    a_slots: Slots,
    b_slots: Slots,
    c_slots: Slots,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    let (rows, k) = d.needs(&[
        ("m16n8k4", (16, 4)),
        ("m16n8k8", (16, 8)),
        ("m16n8k16", (16, 16)),
        ("m16n8k32", (16, 32)),
        ("m8n8k4", (8, 4)),
    ])?;
    d.needs(&[("row", ())])?;
    d.needs(&[("col", ())])?;
    let saturate = d.takes("satfinite");
    let to = d.ty()?;
    let (a, b) = (d.ty()?, d.ty()?);
    let c = d.ty()?;
    d.end(4)?;
    let float_sum = |ty: Type| ty == Type::F32 || ty == Type::F16;
    let sums = match (a.class, a.bits) {
        (Class::Float, 16) => float_sum(c) && float_sum(to) && a == b && matches!(k, 8 | 16),
        (Class::Brain, 16) => c == Type::F32 && to == c && a == b && matches!(k, 8 | 16),
        (Class::Tf32, 32) => c == Type::F32 && to == c && a == b && matches!(k, 4 | 8),
        (Class::E4m3 | Class::E5m2, 8) => {
            float_sum(c)
                && to == c
                && matches!(b.class, Class::E4m3 | Class::E5m2)
                && matches!(k, 16 | 32)
        }
        (Class::Signed | Class::Unsigned, 8) => {
            c == Type::S32 && to == c && b.is_integer() && b.bits == 8 && matches!(k, 16 | 32)
        }
        (Class::Float, 64) => c == Type::F64 && to == c && b == a && rows == 8,
        _ => false,
    };
    let shape = (rows == 8) == (a == Type::F64) && a.packed == 1 && b.packed == 1;
    if !sums || !shape || saturate && !a.is_integer() {
        return d.error("not a product that the PTX ISA has");
    }
    let word = if a == Type::F64 { Type::F64 } else { Type::B32 };
    let per_register = usize::from(u8::try_from(word.total_bits()).expect("at most 64") / a.bits);
    let a_count = rows * k / 32 / per_register;
    let b_count = 8 * k / 32 / per_register;
    let sum_count = |ty: Type| rows * 8 / 32 / if ty == Type::F16 { 2 } else { 1 };
    let sum_word = |ty: Type| {
        if ty == Type::F64 {
            Type::F64
        } else {
            Type::B32
        }
    };
    Ok(Op::Mma(Box::new(Mma {
        k,
        rows,
        a,
        b,
        c,
        d: to,
        saturate,
        dests: d.dests(0, sum_count(to))?,
        a_slots: d.sources(1, a_count, word)?,
        b_slots: d.sources(2, b_count, word)?,
        c_slots: d.sources(3, sum_count(c), sum_word(c))?,
    })))
}

/// One element of a register as a number.
fn number(bits: u64, ty: Type) -> f64 {
    let format: Format = match (ty.class, ty.bits) {
        (Class::Signed, _) => return signed(bits, ty.bits) as f64,
        (Class::Unsigned, _) => return bits as f64,
        (Class::Float, 64) => return f64::from_bits(bits),
        // The low bits of a tf32 are not read.
        (Class::Tf32, _) => return f64::from(f32::from_bits(bits as u32 & !0x1fff)),
        (Class::Brain, _) => return f64::from(f32::from_bits((bits as u32) << 16)),
        (Class::Float, 32) => return f64::from(f32::from_bits(bits as u32)),
        (Class::E4m3, _) => E4M3,
        (Class::E5m2, _) => E5M2,
        _ => F16,
    };
    format.to_f64(bits)
}

/// Element `index` of a row of registers, of lane `lane`.
fn element(r: &Registers, slots: &Slots, ty: Type, lane: usize, index: usize) -> f64 {
    let per_register = if ty.bits == 64 {
        1
    } else {
        32 / usize::from(ty.bits)
    };
    let word = r.get(lane, slots[index / per_register]);
    let shifted = word >> (usize::from(ty.bits) * (index % per_register));
    number(shifted & ty.mask(), ty)
}

impl Mma {
    /// `m * n * k`
    pub(crate) fn multiply_adds(&self) -> u64 {
        (self.rows * 8 * self.k) as u64
    }

    /// Runs for a whole warp.
    pub(crate) fn execute(&self, r: &mut Registers) {
        let &Self {
            k,
            rows,
            a,
            b,
            c,
            d,
            saturate,
            ref dests,
            ref a_slots,
            ref b_slots,
            ref c_slots,
        } = self;
        let mut lhs = [[0f64; 32]; 16];
        let mut rhs = [[0f64; 8]; 32];
        let mut sums = [[0f64; 8]; 16];
        let side = if a.bits == 64 {
            1
        } else {
            32 / usize::from(a.bits)
        };
        for lane in 0..32 {
            let (g, t) = (lane / 4, lane % 4);
            for index in 0..a_slots.len() * side {
                let (register, within) = (index / side, index % side);
                let (row, step) = if rows == 8 {
                    (g, register)
                } else {
                    (g + 8 * (register % 2), register / 2)
                };
                let column = side * t + 4 * side * step + within;
                lhs[row][column] = element(r, a_slots, a, lane, index);
            }
            for index in 0..b_slots.len() * side {
                let (register, within) = (index / side, index % side);
                let row = side * t + 4 * side * register + within;
                rhs[row][g] = element(r, b_slots, b, lane, index);
            }
            for index in 0..rows / 4 {
                let (row, column) = sum_place(lane, index);
                sums[row][column] = element(r, c_slots, c, lane, index);
            }
        }
        // Integer sums are below 2^53 in magnitude, so `f64` holds them exactly.
        for (row, sums) in lhs[..rows].iter().zip(&mut sums) {
            for (&value, row) in row[..k].iter().zip(&rhs) {
                for (sum, &other) in sums.iter_mut().zip(row) {
                    *sum += value * other;
                }
            }
        }
        for lane in 0..32 {
            for (register, &dest) in dests.iter().enumerate() {
                let sum = |index| {
                    let (row, column) = sum_place(lane, index);
                    result(sums[row][column], d, saturate)
                };
                let word = if d == Type::F16 {
                    sum(2 * register) | sum(2 * register + 1) << 16
                } else {
                    sum(register)
                };
                r.set(lane, dest, word);
            }
        }
        for &dest in dests {
            r.define(u32::MAX, dest);
        }
    }
}

fn sum_place(lane: usize, index: usize) -> (usize, usize) {
    (lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2)
}

fn result(sum: f64, ty: Type, saturate: bool) -> u64 {
    match (ty.class, ty.bits) {
        (Class::Signed, _) => {
            // An integer that `f64` holds exactly.
            let exact = sum as i64;
            let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
            let kept = if saturate {
                exact.clamp(*range.start(), *range.end())
            } else {
                exact
            };
            kept.cast_unsigned() & 0xffff_ffff
        }
        (Class::Float, 64) if sum.is_nan() => F64.nan,
        (Class::Float, 64) => sum.to_bits(),
        (Class::Float, 32) if sum.is_nan() => F32.nan,
        (Class::Float, 32) => u64::from((sum as f32).to_bits()),
        (Class::Brain, _) => BF16.of(sum.to_bits(), F64, Rounding::NearestEven),
        _ => F16.of(sum.to_bits(), F64, Rounding::NearestEven),
    }
}
