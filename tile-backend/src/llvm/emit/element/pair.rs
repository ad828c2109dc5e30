//! Emits operations on two elements simultaneously, where one instruction replaces two.
//!
//! In: an operation on two elements. Out: both results, bit for bit those of the operations on single
//! elements, or `None` if pairs save no instructions. Elements of 16 bits are computed in pairs
//! (`add.rn.f16x2`), and conversions produce pairs (`cvt.rn.bf16x2.f32`).
//!
//! A sum of bf16 is `fma(a, 1, b)` and a product `fma(a, b, -0)` where there is only `fma`: multiplying by 1
//! is exact, and adding -0 changes nothing, the signs of zeros included.

use inkwell::FloatPredicate;
use inkwell::values::{
    BasicValue as _, BasicValueEnum, FloatValue, InstructionOpcode, IntValue, VectorValue,
};
use tile_core::Scalar;
use tile_core::ir::RoundingMode;
use tile_core::ops::{ConversionOp, FloatOp, Opcode};

use super::Code;
use super::Element;
use super::small_float::is_small;
use crate::llvm::intrinsics::Intrinsic;
use crate::target::Feature;

/// The largest number that rounds to the greatest finite e4m3: half a step above it, since ties go to even.
const MAX_E4M3: f64 = 464.0;

/// The smallest number that rounds to infinity in e5m2: half a step above its greatest finite number.
const MIN_INFINITE_E5M2: f64 = 61440.0;

type Pair<T> = [T; 2];

/// Returns pairs of bytes, each in 16 bits. Four bytes that come from one word are combined into that word,
/// which LLVM simplifies. Other bytes are paired by a permutation: for a vector of four bytes built lane by
/// lane, NVPTX would read registers that nothing has written for the missing lanes.
pub(super) fn byte_pairs<'ctx>(
    code: &Code<'ctx>,
    bytes: &[BasicValueEnum<'ctx>],
) -> Vec<IntValue<'ctx>> {
    let i32_type = code.int(32);
    let words = bytes.chunks_exact(4).flat_map(|bytes| {
        if is_word(bytes) {
            let word = code.recast(bytes, i32_type.into(), 1)[0].into_int_value();
            return [word, code.lshr(word, code.i32(16))];
        }
        [&bytes[..2], &bytes[2..]].map(|pair| {
            let [lower, upper] =
                [0, 1].map(|index| code.unsigned(pair[index].into_int_value(), i32_type).into());
            // Combine the lowest bytes of both words.
            let both = code.nvvm(Intrinsic::Permute, &[lower, upper, code.i32(0x3340).into()]);
            both[0].into_int_value()
        })
    });
    words
        .map(|pair| code.unsigned(pair, code.int(16)))
        .collect()
}

/// Returns `true` if four bytes are extracted, in order, from one aligned word of a vector.
fn is_word(bytes: &[BasicValueEnum<'_>]) -> bool {
    let Some((vector, first)) = lane_of(bytes[0]) else {
        return false;
    };
    let mut lanes = (first..).zip(bytes);
    first % 4 == 0 && lanes.all(|(lane, &byte)| lane_of(byte) == Some((vector, lane)))
}

/// Returns the vector from which a value is extracted, and the lane.
fn lane_of(value: BasicValueEnum<'_>) -> Option<(BasicValueEnum<'_>, u64)> {
    let extract = value.as_instruction_value()?;
    if extract.get_opcode() != InstructionOpcode::ExtractElement {
        return None;
    }
    let operand = |index| extract.get_operand(index)?.value();
    let lane = operand(1)?.into_int_value().get_zero_extended_constant()?;
    Some((operand(0)?, lane))
}

impl<'ctx> Element<'_, 'ctx> {
    /// Computes this element and `other`, another element of the same operation, with one instruction. `None`
    /// if there is no such instruction, or pairs save nothing.
    pub(super) fn pair(&self, other: &Self) -> Option<Pair<BasicValueEnum<'ctx>>> {
        match self.op.opcode {
            Opcode::Conversion(ConversionOp::FToF) => self.convert_pair(other),
            Opcode::Conversion(ConversionOp::IToF) if self.narrows_natively() => {
                let singles = [self.int_to_single(), other.int_to_single()];
                Some(self.narrow_pair(singles).map(Into::into))
            }
            Opcode::Float(op) => self.float_pair(op, other),
            _ => None,
        }
    }

    /// Computes a single element with an instruction on pairs, if it is a conversion for which the target has
    /// only instructions on pairs.
    pub(super) fn by_pair(&self) -> Option<BasicValueEnum<'ctx>> {
        let is_conversion = matches!(self.op.opcode, Opcode::Conversion(_));
        let is_native = self.widens_natively() || self.narrows_natively();
        if !is_conversion || !is_native {
            return None;
        }
        self.pair(self).map(|[first, _]| first)
    }

    pub(super) fn widens_natively(&self) -> bool {
        let is_conversion = self.op.opcode == ConversionOp::FToF.into();
        match self.from.first().filter(|_| is_conversion) {
            Some(Scalar::F8E4M3FN) => self.arch.has(Feature::Fp8Convert),
            Some(Scalar::F4E2M1FN | Scalar::F8E8M0FNU) => self.arch.has(Feature::Fp4Convert),
            _ => false,
        }
    }

    fn narrows_natively(&self) -> bool {
        match self.to {
            Scalar::F8E4M3FN | Scalar::F8E5M2 => self.arch.has(Feature::Fp8Convert),
            Scalar::F4E2M1FN => self.arch.has(Feature::Fp4Convert),
            _ => false,
        }
    }

    fn convert_pair(&self, other: &Self) -> Option<Pair<BasicValueEnum<'ctx>>> {
        let from = self.from[0];
        // Instructions that narrow pairs round to nearest even. For scales, only the exact widening is done
        // in pairs.
        let is_scale = self.to == Scalar::F8E8M0FNU;
        if !is_scale && self.op.rounding_mode() != RoundingMode::NearestEven {
            return None;
        }
        let is_half = matches!(self.to, Scalar::F16 | Scalar::BF16);
        // An e5m2 is the upper half of an f16.
        let is_cut = (from, self.to) == (Scalar::F8E5M2, Scalar::F16);
        let packs = is_half && !is_cut && !matches!(from, Scalar::F64 | Scalar::TF32);
        if !packs && !self.widens_natively() && !self.narrows_natively() {
            return None;
        }
        let values = if self.widens_natively() {
            self.widen_pair(other)
        } else {
            [self, other].map(|element| element.wide_enough(from).0)
        };
        if self.narrows_natively() {
            let singles = values.map(|value| match from {
                Scalar::F64 => self.double_to_odd_single(value),
                _ => value,
            });
            return Some(self.narrow_pair(singles).map(Into::into));
        }
        let held = self.code.register_type(self.to);
        if !packs || values[0].get_type() == held.into_float_type() {
            return Some(values.map(|value| self.widened(value)));
        }
        let singles = values.map(|value| self.extend(value, Scalar::F32));
        Some(self.round_pair(singles).map(Into::into))
    }

    /// Converts a widened small float to the result type.
    fn widened(&self, value: FloatValue<'ctx>) -> BasicValueEnum<'ctx> {
        if self.to == Scalar::F8E8M0FNU {
            let single = self.extend(value, Scalar::F32);
            let mode = self.op.rounding_mode();
            return self.power_of_two_of_single(single, mode).into();
        }
        if is_small(self.to) {
            let single = self.extend(value, Scalar::F32);
            return self.narrow_small(single, self.to).into();
        }
        let from = match value.get_type().get_bit_width() {
            16 if value.get_type() == self.code.cx.bf16_type() => Scalar::BF16,
            16 => Scalar::F16,
            _ => Scalar::F32,
        };
        self.float_to_float(value, from, self.to).into()
    }

    /// Widens two small floats exactly: to f16, or to bf16 for powers of two.
    fn widen_pair(&self, other: &Self) -> Pair<FloatValue<'ctx>> {
        let code = self.code;
        let (bits, intrinsic) = match self.from[0] {
            Scalar::F8E4M3FN => (8, Intrinsic::E4m3PairToF16),
            Scalar::F4E2M1FN => (4, Intrinsic::E2m1PairToF16),
            Scalar::F8E8M0FNU => (8, Intrinsic::E8m0PairToBf16),
            other => unreachable!("no instruction widens `{other}`"),
        };
        let i16 = code.int(16);
        let both = self.both.unwrap_or_else(|| {
            let upper = code.unsigned(other.int(0), i16);
            let upper = code.shl(upper, i16.const_int(bits, false));
            code.or(upper, code.unsigned(self.int(0), i16))
        });
        floats(&code.unpack(code.nvvm(intrinsic, &[both.into()])[0]))
    }

    /// Rounds two floats to f16 or bf16, ties to even.
    fn round_pair(&self, singles: Pair<FloatValue<'ctx>>) -> Pair<FloatValue<'ctx>> {
        let intrinsic = match self.to {
            Scalar::F16 => Intrinsic::F32PairToF16,
            _ => Intrinsic::F32PairToBf16,
        };
        let [lower, upper] = singles;
        let packed = self.code.nvvm(intrinsic, &[upper.into(), lower.into()]);
        floats(&self.code.unpack(packed[0]))
    }

    /// Converts two floats to small floats. The instructions saturate: numbers that are too large become the
    /// greatest finite number, whose bit pattern is one less than that of NaN or infinity.
    fn narrow_pair(&self, values: Pair<FloatValue<'ctx>>) -> Pair<IntValue<'ctx>> {
        let code = self.code;
        let i16 = code.int(16);
        let is_half = values[0].get_type() == code.cx.f16_type();
        let values = match self.to {
            Scalar::F4E2M1FN => values.map(|value| self.extend(value, Scalar::F32)),
            _ if is_half => values,
            _ => values.map(|value| self.extend(value, Scalar::F32)),
        };
        let bits = match self.to {
            Scalar::F4E2M1FN => 4,
            _ => 8,
        };
        let (lower, upper): (BasicValueEnum<'ctx>, BasicValueEnum<'ctx>) =
            (values[0].into(), values[1].into());
        let both = match (self.to, is_half) {
            (Scalar::F8E4M3FN, true) => {
                code.nvvm(Intrinsic::F16PairToE4m3, &[code.pack(&[lower, upper])])
            }
            (Scalar::F8E5M2, true) => {
                code.nvvm(Intrinsic::F16PairToE5m2, &[code.pack(&[lower, upper])])
            }
            (Scalar::F8E4M3FN, false) => code.nvvm(Intrinsic::F32PairToE4m3, &[upper, lower]),
            (Scalar::F8E5M2, false) => code.nvvm(Intrinsic::F32PairToE5m2, &[upper, lower]),
            _ => code.nvvm(Intrinsic::F32PairToE2m1, &[upper, lower]),
        };
        let both = both[0].into_int_value();
        if bits == 8 {
            let both = self.beyond(values, both);
            let parts = code.recast(&[both.into()], code.int(8).into(), 2);
            return [0, 1].map(|index| parts[index].into_int_value());
        }
        let parts = [both, code.lshr(both, i16.const_int(bits, false))];
        parts.map(|part| code.unsigned(part, code.int(self.to.bits())))
    }

    /// Adds one to each byte whose value is beyond the greatest finite number, because the dialect does not
    /// saturate. The increment does not carry into the next byte.
    fn beyond(&self, values: Pair<FloatValue<'ctx>>, both: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = self.code;
        let (predicate, limit) = match self.to {
            Scalar::F8E4M3FN => (FloatPredicate::OGT, MAX_E4M3),
            _ => (FloatPredicate::OGE, MIN_INFINITE_E5M2),
        };
        let (zero, ty) = (both.get_type().const_zero(), values[0].get_type());
        let limit = ty.const_float(limit);
        [(0, 1), (1, 0x100)]
            .iter()
            .fold(both, |both, &(index, one)| {
                let size = code.overloaded("llvm.fabs", ty.into(), &[values[index].into()]);
                let is_beyond = code.compare_float(predicate, size.into_float_value(), limit);
                let one = both.get_type().const_int(one, false);
                let more = code.select(is_beyond, one, zero).into_int_value();
                code.add(both, more)
            })
    }

    /// Emits arithmetic on f16 and bf16.
    fn float_pair(&self, op: FloatOp, other: &Self) -> Option<Pair<BasicValueEnum<'ctx>>> {
        if !matches!(self.to, Scalar::F16 | Scalar::BF16) {
            return None;
        }
        let is_plain = match op {
            FloatOp::AddF | FloatOp::SubF | FloatOp::MulF | FloatOp::Fma => {
                self.op.rounding_mode() == RoundingMode::NearestEven
                    && !self.op.has_flag("flush_to_zero")
            }
            FloatOp::MaxF | FloatOp::MinF => !self.op.has_flag("flush_to_zero"),
            FloatOp::AbsF | FloatOp::NegF => true,
            _ => false,
        };
        if !is_plain {
            return None;
        }
        let code = self.code;
        let operand = |index: usize| {
            code.pack(&[self.args[index], other.args[index]])
                .into_vector_value()
        };
        let ty = operand(0).get_type();
        let call = |name: &'static str, args: &[VectorValue<'ctx>]| {
            let args: Vec<BasicValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
            code.overloaded(name, ty.into(), &args)
        };
        let splat = |value: f64| {
            let number = code.register_type(self.to).into_float_type();
            let number = number.const_float(value);
            inkwell::types::VectorType::const_vector(&[number, number])
        };
        let only_fma = self.to == Scalar::BF16 && !self.arch.has(Feature::Bf16Arithmetic);
        let build = &code.builder;
        let built = "the builder is in a block";
        let nan = self.op_propagates();
        let result: BasicValueEnum<'ctx> = match op {
            FloatOp::Fma => call("llvm.fma", &[operand(0), operand(1), operand(2)]),
            FloatOp::AddF if only_fma => call("llvm.fma", &[operand(0), splat(1.0), operand(1)]),
            FloatOp::SubF if only_fma => call("llvm.fma", &[operand(1), splat(-1.0), operand(0)]),
            FloatOp::MulF if only_fma => call("llvm.fma", &[operand(0), operand(1), splat(-0.0)]),
            FloatOp::AddF => build
                .build_float_add(operand(0), operand(1), "")
                .expect(built)
                .into(),
            FloatOp::SubF => build
                .build_float_sub(operand(0), operand(1), "")
                .expect(built)
                .into(),
            FloatOp::MulF => build
                .build_float_mul(operand(0), operand(1), "")
                .expect(built)
                .into(),
            FloatOp::MaxF if nan => call("llvm.maximum", &[operand(0), operand(1)]),
            FloatOp::MaxF => call("llvm.maximumnum", &[operand(0), operand(1)]),
            FloatOp::MinF if nan => call("llvm.minimum", &[operand(0), operand(1)]),
            FloatOp::MinF => call("llvm.minimumnum", &[operand(0), operand(1)]),
            FloatOp::AbsF => call("llvm.fabs", &[operand(0)]),
            _ => build.build_float_neg(operand(0), "").expect(built).into(),
        };
        let parts = code.unpack(result);
        Some([parts[0], parts[1]])
    }

    fn op_propagates(&self) -> bool {
        matches!(self.op.opcode, Opcode::Float(FloatOp::MaxF | FloatOp::MinF))
            && self.op.has_flag("propagate_nan")
    }
}

fn floats<'ctx>(parts: &[BasicValueEnum<'ctx>]) -> Pair<FloatValue<'ctx>> {
    [0, 1].map(|index| parts[index].into_float_value())
}
