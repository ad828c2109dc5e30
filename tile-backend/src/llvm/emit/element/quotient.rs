//! Emits quotients of several numbers by one divisor: of f32, and of f16 and bf16 through f32.
//!
//! In: a division to nearest even in which several registers of a thread have the same divisor. Out: its
//! quotients, bit for bit those of `div.rn.f32`. ptxas expands each `div.rn.f32` to a dozen instructions with
//! a branch and a call; here all quotients share one reciprocal and one branch.
//!
//! **The common case.** With the reciprocal `r = rn(1/s)` of a divisor `s`, each quotient is
//!
//! ```text
//! a = rn(x * r)      e = rn(s * a - x)      q = rn(a - e * r)
//! ```
//!
//! which is `rn(x/s)` if nothing overflows or becomes subnormal (Brisebarre, Muller, Raina: "Accelerating
//! correctly rounded floating-point division when the divisor is known in advance", 2004). In short, let `1
//! <= x, s < 2`, let `u` be the distance between floats at `x/s`, and let `|r - 1/s| <= 2^-25`. Then `x * r`
//! is less than `u` away from `x/s`, so `a` is less than 1.5 `u` away. If `x/s` is next to the midpoint of
//! two floats, `a` is one of these two. `e` is exact, since it is a multiple of the product of the last
//! places of `s` and `a`, and shorter than 24 bits. Hence the error of `a - e * r`, before rounding, is less
//! than `(u/2) * s * 2^-25`. No quotient is closer to a midpoint than `u * 2^-24 / s`, because, in units of
//! the last place, `2^25 * x - s * (an odd number)` is not zero. This distance exceeds the error.
//!
//! [`Divisor::is_common_case`] tests these conditions:
//!
//! - `2^-126 <= |s| < 2^126`: `r` is normal. From an approximation within 3 ulp, two Newton steps give
//!   `rn(1/s)` for every significand except the one with all bits set, which is excluded. All significands
//!   were tried.
//! - `|x| < 2^126 * |s|`: the quotient is finite, and so is `x`. `s * a` is not rounded, so it cannot
//!   overflow. NaN passes this test, but then every result computed from it is NaN.
//! - `|x| > 2^-125 * |s|`: the quotient and `a` are normal. `|x| > 2^-101`: `e`, a multiple of 2^-47 times
//!   the power of two in `x`, is exact. It may be subnormal, so these instructions never flush.
//! - Or `x` is zero, and `s` positive: `a` is `x`, `e` is +0, and `a - 0 * r` is `x`, the sign included. With
//!   a negative `s` it would be +0.
//!
//! **The general case** divides the numbers one by one, in f64, where no quotient of two f32 is subnormal. It
//! computes `a` and `e` as above, from a reciprocal with a relative error of 2^-38, which leaves an error of
//! 2^-76 in `q`. `q` is rounded to f64 and then to f32, which equals rounding once. The quotient of two
//! 24-bit numbers either is a 25-bit number (possibly a midpoint of two f32, subnormal or not), or differs
//! from every such number by a relative 2^-49 or more. In the first case `a - e * r` rounds to exactly that
//! number; in the second it stays on the same side of every midpoint. Zeros, infinities and NaN are
//! multiplied by a substitute for the divisor. This case is rare, so its code is kept short: a loop that
//! rotates the numbers through their registers.

use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use tile_core::Scalar;
use tile_core::ir::RoundingMode;
use tile_core::ops::{FloatOp, Opcode};

use super::super::code::Code;
use super::super::{Emitter, Result};
use super::Element;
use super::float::Small;
use crate::gpu::{ElementOp, Op};
use crate::llvm::intrinsics::Intrinsic;

/// Minimum number of quotients with the same divisor; fewer are divided separately.
const FEWEST: usize = 4;

/// Masks of an f32: all bits but the sign, and the fraction bits.
const MAGNITUDE: u32 = 0x7fff_ffff;
const SIGNIFICAND: u32 = 0x007f_ffff;

/// The bit patterns of f32 numbers.
const MIN_SUBNORMAL: u32 = 1;
const MIN_NORMAL: u32 = 0x0080_0000;
const TWO_TO_126: u32 = 0x7e80_0000;
const INFINITY: u32 = 0x7f80_0000;

impl<'ctx> Emitter<'_, 'ctx> {
    /// Emits a division in which at least [`FEWEST`] registers have the same divisor; returns `None` for any
    /// other division. `one` returns the division of a single register.
    pub(super) fn quotients<'e>(
        &self,
        op: &Op,
        element: &ElementOp,
        one: impl Fn(usize) -> Element<'e, 'ctx>,
    ) -> Result<Option<Vec<BasicValueEnum<'ctx>>>>
    where
        'ctx: 'e,
    {
        let has_single_digits = matches!(
            self.scalar(op.results[0]),
            Scalar::F16 | Scalar::BF16 | Scalar::F32
        );
        if element.opcode != Opcode::Float(FloatOp::DivF)
            || element.rounding_mode() != RoundingMode::NearestEven
            || !has_single_digits
        {
            return Ok(None);
        }
        let divisors = self.registers(op.args[1]);
        let groups = groups(divisors);
        if groups.iter().all(|members| members.len() < FEWEST) {
            return Ok(None);
        }
        let mut quotients = vec![None; divisors.len()];
        for members in &groups {
            for (&register, quotient) in members.iter().zip(self.group(members, &one)?) {
                quotients[register] = Some(quotient);
            }
        }
        Ok(quotients.into_iter().collect())
    }

    /// Emits the quotients of registers that have the same divisor, in their order.
    fn group<'e>(
        &self,
        members: &[usize],
        one: impl Fn(usize) -> Element<'e, 'ctx>,
    ) -> Result<Vec<BasicValueEnum<'ctx>>>
    where
        'ctx: 'e,
    {
        let elements: Vec<Element<'e, 'ctx>> = members.iter().map(|&member| one(member)).collect();
        let first = &elements[0];
        if elements.len() < FEWEST || has_exact_reciprocal(first.number(1)) {
            return elements.iter().map(Element::emit).collect();
        }
        let single = |element: &Element<'e, 'ctx>, operand| {
            element.extend(element.number(operand), Scalar::F32)
        };
        let divisor = Divisor::new(&self.code, single(first, 1), first.small());
        let numerators: Vec<FloatValue<'ctx>> =
            elements.iter().map(|element| single(element, 0)).collect();
        let quotients = self.both_ways(&divisor, &numerators);
        let rounded = elements.iter().zip(quotients);
        Ok(rounded
            .map(|(element, quotient)| element.round(quotient, element.to).into())
            .collect())
    }

    /// Emits both cases, and the branch that selects one.
    fn both_ways(
        &self,
        divisor: &Divisor<'_, 'ctx>,
        numerators: &[FloatValue<'ctx>],
    ) -> Vec<FloatValue<'ctx>> {
        let code = &self.code;
        let is_common_case = divisor.is_common_case(numerators);
        // `new_block` inserts directly after the current block, so the last one created is the first in the
        // text.
        let after = code.new_block("quotients");
        let unusual = code.new_block("unusual");
        let usual = code.new_block("usual");
        code.branch(is_common_case, usual, unusual);

        code.builder.position_at_end(usual);
        let quick: Vec<FloatValue<'ctx>> = numerators.iter().map(|&x| divisor.divide(x)).collect();
        code.go_to(after);

        code.builder.position_at_end(unusual);
        let slow = self.one_by_one(divisor, numerators);
        let last = code.current_block();
        code.go_to(after);

        code.builder.position_at_end(after);
        let ways = quick.into_iter().zip(slow);
        let phi = |(quick, slow): (FloatValue<'ctx>, FloatValue<'ctx>)| {
            let phi = code.phi(&[(quick.into(), usual), (slow.into(), last)]);
            phi.as_basic_value().into_float_value()
        };
        ways.map(phi).collect()
    }

    /// Emits a loop that divides the number in the last register, shifts all others by one register, and puts
    /// the quotient into the first. It runs once per register; then every quotient is in the register of its
    /// number. Thanks to this direction of rotation, a quotient of the common case may share a register with
    /// the loop's result for the same element: the number in that register has been divided by then.
    fn one_by_one(
        &self,
        divisor: &Divisor<'_, 'ctx>,
        numerators: &[FloatValue<'ctx>],
    ) -> Vec<FloatValue<'ctx>> {
        let code = &self.code;
        let wide = Wide::new(divisor);
        let count = u32::try_from(numerators.len()).expect("a thread has few registers");
        let before = code.current_block();
        let body = code.new_block("turn");
        let done = code.cx.insert_basic_block_after(body, "turned");
        code.go_to(body);

        code.builder.position_at_end(body);
        let left = code.phi(&[(code.i32(count).into(), before)]);
        let phis: Vec<_> = numerators
            .iter()
            .map(|&x| code.phi(&[(x.into(), before)]))
            .collect();
        let held = phis
            .iter()
            .map(|phi| phi.as_basic_value().into_float_value());
        let mut turned: Vec<FloatValue<'ctx>> = held.collect();
        turned.rotate_right(1);
        turned[0] = wide.divide(turned[0]);
        let less = code.sub(left.as_basic_value().into_int_value(), code.i32(1));
        left.add_incoming(&[(&less, body)]);
        for (phi, value) in phis.iter().zip(&turned) {
            phi.add_incoming(&[(value, body)]);
        }
        let goes_on = code.compare(IntPredicate::NE, less, code.i32(0));
        let back = code.branch(goes_on, body, done);
        self.forbid_unrolling(back);

        code.builder.position_at_end(done);
        turned
    }
}

/// Groups the registers by divisor, in order.
fn groups(divisors: &[BasicValueEnum<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (register, divisor) in divisors.iter().enumerate() {
        match groups
            .iter_mut()
            .find(|group| divisors[group[0]] == *divisor)
        {
            Some(group) => group.push(register),
            None => groups.push(vec![register]),
        }
    }
    groups
}

/// Returns `true` if LLVM turns the division into a multiplication: a constant power of two.
fn has_exact_reciprocal(divisor: FloatValue<'_>) -> bool {
    let Some((value, false)) = divisor.get_constant() else {
        return false;
    };
    let is_power_of_two = value.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1;
    is_power_of_two && value.is_normal() && f64::from(f32::MIN_POSITIVE) <= (1.0 / value).abs()
}

/// The values that all quotients with the same divisor share.
struct Divisor<'e, 'ctx> {
    code: &'e Code<'ctx>,
    value: FloatValue<'ctx>,
    /// The bits of the divisor.
    bits: IntValue<'ctx>,
    /// `1 / value`, rounded; valid in the common case.
    reciprocal: FloatValue<'ctx>,
    /// The hardware's approximate reciprocal, which is exact for zero, infinity and NaN.
    approximate: FloatValue<'ctx>,
    small: Small,
}

impl<'e, 'ctx> Divisor<'e, 'ctx> {
    fn new(code: &'e Code<'ctx>, value: FloatValue<'ctx>, small: Small) -> Self {
        let one = value.get_type().const_float(1.0);
        let approximate = code.nvvm(Intrinsic::ReciprocalApproxFtz, &[value.into()])[0];
        let approximate = approximate.into_float_value();
        let minus = code.fneg(value);
        let reciprocal = if value.is_const() {
            code.fdiv(one, value)
        } else {
            (0..2).fold(approximate, |r, _| {
                let off = code.fma(minus, r, one);
                code.fma(off, r, r)
            })
        };
        let bits = code.bit_cast(value.into(), code.cx.i32_type());
        Self {
            code,
            value,
            bits: bits.into_int_value(),
            reciprocal,
            approximate,
            small,
        }
    }

    /// Computes whether the common case applies to all `numerators`.
    fn is_common_case(&self, numerators: &[FloatValue<'ctx>]) -> IntValue<'ctx> {
        let code = self.code;
        let magnitude = code.and(self.bits, code.i32(MAGNITUDE));
        let above = code.sub(magnitude, code.i32(MIN_NORMAL));
        let is_moderate = code.compare(IntPredicate::ULT, above, code.i32(TWO_TO_126 - MIN_NORMAL));
        let significand = code.and(self.bits, code.i32(SIGNIFICAND));
        let is_not_ones = code.compare(IntPredicate::NE, significand, code.i32(SIGNIFICAND));

        let size = code.fabs(self.value);
        let number = |value: f64| self.value.get_type().const_float(value);
        let least = code.fmul(size, number(2f64.powi(-125)));
        let least = code.overloaded(
            "llvm.maxnum",
            least.get_type().into(),
            &[least.into(), number(2f64.powi(-101)).into()],
        );
        let least = code.bit_cast(least, code.cx.i32_type()).into_int_value();
        let most = code.fmul(size, number(2f64.powi(126)));

        // Doubling the bits drops the sign. If the divisor is positive, subtracting 1 makes zero the largest
        // unsigned number. The code subtracts 1 instead of adding -1, since LLVM would search each pair of
        // sums for a common part.
        let is_positive = code.lshr(code.not(self.bits), code.i32(31));
        let doubled = |&x: &FloatValue<'ctx>| {
            let bits = code.bit_cast(x.into(), code.cx.i32_type());
            let twice = code.shl(bits.into_int_value(), code.i32(1));
            code.sub(twice, is_positive).into()
        };
        let smallest = self.extreme("llvm.umin", numerators.iter().map(doubled).collect());
        let twice_min = code.shl(least, code.i32(1));
        let is_large = code.compare(IntPredicate::UGE, smallest.into_int_value(), twice_min);
        let sizes = numerators.iter().map(|&x| code.fabs(x).into());
        let largest = self.extreme("llvm.maxnum", sizes.collect());
        let is_small = code.compare_float(FloatPredicate::OLT, largest.into_float_value(), most);

        let conditions = [is_moderate, is_not_ones, is_large, is_small];
        code.all(conditions).expect("there are conditions")
    }

    /// Reduces numbers to their minimum or maximum (`name`) in a balanced tree.
    fn extreme(
        &self,
        name: &'static str,
        mut values: Vec<BasicValueEnum<'ctx>>,
    ) -> BasicValueEnum<'ctx> {
        while values.len() > 1 {
            let pairs = values.chunks(2).map(|pair| match *pair {
                [lhs, rhs] => self.code.overloaded(name, lhs.get_type(), &[lhs, rhs]),
                _ => pair[0],
            });
            values = pairs.collect();
        }
        values[0]
    }

    /// Computes `x / value` in the common case.
    fn divide(&self, x: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let code = self.code;
        let about = code.fmul(x, self.reciprocal);
        let off = code.fma(self.value, about, code.fneg(x));
        code.fma(off, code.fneg(self.reciprocal), about)
    }
}

/// The divisor in the general case.
struct Wide<'d, 'e, 'ctx> {
    of: &'d Divisor<'e, 'ctx>,
    minus: FloatValue<'ctx>,
    reciprocal: FloatValue<'ctx>,
    /// The factor for numerators that are zero or not finite, or for all numerators if the divisor is zero or
    /// not finite.
    substitute: FloatValue<'ctx>,
    /// Twice the number of magnitudes, from [`Self::first`] on, whose numerators are divided; 0 if none are.
    divided: IntValue<'ctx>,
}

impl<'d, 'e, 'ctx> Wide<'d, 'e, 'ctx> {
    fn new(of: &'d Divisor<'e, 'ctx>) -> Self {
        let code = of.code;
        let f64_type = code.cx.f64_type();
        let value = extended(code, of.value);
        let minus = code.fneg(value);
        let about = code.nvvm(Intrinsic::ReciprocalApproxFtzF64, &[value.into()])[0];
        let about = about.into_float_value();
        let off = code.fma(minus, about, f64_type.const_float(1.0));
        let reciprocal = code.fma(off, about, about);
        let num_magnitudes = code.i32(2 * (INFINITY - Self::first(of)));
        let is_number = code.compare(IntPredicate::ULT, Self::place(of, of.bits), num_magnitudes);
        let one = of.value.get_type().const_float(1.0);
        let signed_one = code.overloaded(
            "llvm.copysign",
            one.get_type().into(),
            &[one.into(), of.value.into()],
        );
        let substitute = code.select(is_number, signed_one, of.approximate.into());
        let divided = code.select(is_number, num_magnitudes, code.i32(0));
        Self {
            of,
            minus,
            reciprocal,
            substitute: substitute.into_float_value(),
            divided: divided.into_int_value(),
        }
    }

    /// Returns the bit pattern of the least positive number that does not count as zero.
    fn first(of: &Divisor<'e, 'ctx>) -> u32 {
        match of.small {
            Small::Kept => MIN_SUBNORMAL,
            Small::Flushed => MIN_NORMAL,
        }
    }

    /// Computes twice the distance between the bit patterns of a magnitude and [`Self::first`]; for zeros it
    /// wraps to a large number.
    fn place(of: &Divisor<'e, 'ctx>, bits: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = of.code;
        let twice = code.shl(bits, code.i32(1));
        code.sub(twice, code.i32(2 * Self::first(of)))
    }

    /// Computes `x / value` for any numbers.
    fn divide(&self, x: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let code = self.of.code;
        let wide = extended(code, x);
        let about = code.fmul(wide, self.reciprocal);
        let off = code.fma(self.minus, about, wide);
        let quotient = code.fma(off, self.reciprocal, about);
        let quotient = code
            .builder
            .build_float_trunc(quotient, x.get_type(), "")
            .expect("the builder is in a block");
        let quotient = self.flushed(quotient, x.get_type().const_float(1.0));
        let bits = code.bit_cast(x.into(), code.cx.i32_type()).into_int_value();
        let is_number = code.compare(IntPredicate::ULT, Self::place(self.of, bits), self.divided);
        let special = self.flushed(x, self.substitute);
        code.select(is_number, quotient, special).into_float_value()
    }

    /// Computes a product in which subnormal numbers count as zero if they do so in the division.
    fn flushed(&self, lhs: FloatValue<'ctx>, rhs: FloatValue<'ctx>) -> FloatValue<'ctx> {
        match self.of.small {
            Small::Kept => self.of.code.fmul(lhs, rhs),
            Small::Flushed => {
                let args = [lhs.into(), rhs.into()];
                self.of.code.nvvm(Intrinsic::MulRnFtz, &args)[0].into_float_value()
            }
        }
    }
}

fn extended<'ctx>(code: &Code<'ctx>, value: FloatValue<'ctx>) -> FloatValue<'ctx> {
    let extended = code.builder.build_float_ext(value, code.cx.f64_type(), "");
    extended.expect("the builder is in a block")
}
