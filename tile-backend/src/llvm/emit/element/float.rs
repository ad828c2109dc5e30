//! Emits floating-point operations.
//!
//! Each operation is rounded once. Where the hardware has no instruction for f16 or bf16, f32 is used: it has
//! at least twice their significant bits plus two, so that rounding a quotient or a root twice gives the same
//! result as rounding once. Transcendental functions call those of `llvm::math`, or use the hardware's
//! approximation where that is as accurate.

#![deny(clippy::wildcard_enum_match_arm)]

use inkwell::values::{BasicValueEnum, FloatValue};
use inkwell::{FloatPredicate, IntPredicate};
use tile_core::Scalar;
use tile_core::ir::{ComparisonOrdering, ComparisonPredicate, RoundingMode};
use tile_core::ops::FloatOp;

use super::super::Result;
use super::super::code::AsmEffect;
use super::Element;
use super::exponential::exponential;
use crate::llvm::intrinsics::Intrinsic;

/// The base-2 logarithm of e, rounded to f32.
const LOG2_E: f64 = std::f32::consts::LOG2_E as f64;

/// All rounding modes except `approx` and `full`, for functions that have only these two.
macro_rules! ieee_and_integer {
    () => {
        RoundingMode::NearestEven
            | RoundingMode::Zero
            | RoundingMode::NegativeInf
            | RoundingMode::PositiveInf
            | RoundingMode::NearestIntToZero
            | RoundingMode::NearestAway
    };
}

/// The treatment of subnormal f32 numbers: kept, or flushed to zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Small {
    Kept,
    Flushed,
}

/// An operation with a rounding mode in hardware.
#[derive(Clone, Copy)]
enum Arithmetic {
    Add,
    Mul,
    Fma,
    Div,
    Sqrt,
}

impl<'ctx> Element<'_, 'ctx> {
    pub(super) fn float(&self, op: FloatOp) -> Result<BasicValueEnum<'ctx>> {
        if !self.from[0].is_base_float() {
            return Err(self.unsupported(""));
        }
        let code = self.code;
        Ok(match op {
            FloatOp::MmaFScaled => return Err(self.unsupported("")),
            FloatOp::Atan2 => self.library("atan2"),
            FloatOp::FPowI => self.integer_power().into(),
            FloatOp::AbsF => self.llvm("llvm.fabs"),
            FloatOp::NegF => code
                .builder
                .build_float_neg(self.number(0), "")
                .expect("the builder is in a block")
                .into(),
            FloatOp::Ceil => self.llvm("llvm.ceil"),
            FloatOp::Floor => self.llvm("llvm.floor"),
            FloatOp::AddF => self.arithmetic(Arithmetic::Add)?,
            FloatOp::SubF => self.subtract()?,
            FloatOp::MulF => self.arithmetic(Arithmetic::Mul)?,
            FloatOp::Fma => self.arithmetic(Arithmetic::Fma)?,
            FloatOp::DivF => self.divide_float()?,
            FloatOp::Sqrt => self.square_root()?,
            FloatOp::MaxF => self.float_extremum("llvm.maximum", "llvm.maximumnum"),
            FloatOp::MinF => self.float_extremum("llvm.minimum", "llvm.minimumnum"),
            FloatOp::CmpF => {
                let predicate = predicate(self.op.predicate(), self.op.comparison_ordering());
                code.compare_float(predicate, self.number(0), self.number(1))
                    .into()
            }
            FloatOp::Exp => match self.op.rounding_mode() {
                RoundingMode::Approx => {
                    let log2_e = code.cx.f32_type().const_float(LOG2_E);
                    let scaled = code.fmul(self.number(0), log2_e);
                    code.nvvm(Intrinsic::Exp2Approx, &[scaled.into()])[0]
                }
                RoundingMode::Full if self.to == Scalar::F64 => self.code.math("exp", &self.args),
                RoundingMode::Full => self
                    .through_f32(|args| exponential(self.code, args[0].into_float_value()).into()),
                mode @ (ieee_and_integer!()) => return Err(self.unsupported_rounding(mode)),
            },
            // The instruction is within 2 ulp for all of f32, including subnormals.
            FloatOp::Exp2 => {
                self.hardware((Intrinsic::Exp2Approx, Intrinsic::Exp2ApproxFtz), "exp2")
            }
            FloatOp::RSqrt => {
                self.hardware((Intrinsic::RsqrtApprox, Intrinsic::RsqrtApproxFtz), "rsqrt")
            }
            FloatOp::Log => self.library("log"),
            FloatOp::Log2 => self.library("log2"),
            FloatOp::Pow => self.library("pow"),
            FloatOp::RemF => self.library("fmod"),
            FloatOp::Sin => self.library("sin"),
            FloatOp::Cos => self.library("cos"),
            FloatOp::Tan => self.library("tan"),
            FloatOp::SinH => self.library("sinh"),
            FloatOp::CosH => self.library("cosh"),
            FloatOp::TanH => match self.op.rounding_mode() {
                // LLVM 22 has no intrinsic for this instruction.
                RoundingMode::Approx => code.asm(
                    "tanh.approx.f32 $0, $1;",
                    "=f,f",
                    &[code.cx.f32_type().into()],
                    &self.args,
                    AsmEffect::None,
                )[0],
                RoundingMode::Full => self.library("tanh"),
                mode @ (ieee_and_integer!()) => return Err(self.unsupported_rounding(mode)),
            },
            FloatOp::MmaF => return Err(self.unsupported("")),
        })
    }

    /// Calls an LLVM intrinsic on the operands.
    fn llvm(&self, name: &'static str) -> BasicValueEnum<'ctx> {
        let ty = self.args[0].get_type();
        self.code.overloaded(name, ty, &self.args)
    }

    /// Returns `true` if the operation is on f16 or bf16.
    fn is_half(&self) -> bool {
        matches!(self.to, Scalar::F16 | Scalar::BF16)
    }

    /// Applies `compute` to the operands as f32: f16 and bf16 operands are extended, and the result is
    /// rounded back.
    fn through_f32(
        &self,
        compute: impl FnOnce(&[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if !self.is_half() {
            return compute(&self.args);
        }
        let args: Vec<BasicValueEnum<'ctx>> = self
            .args
            .iter()
            .map(|arg| self.extend(arg.into_float_value(), Scalar::F32).into())
            .collect();
        let result = compute(&args).into_float_value();
        self.round(result, self.to).into()
    }

    /// Calls a mathematical function, in f32 for f16 and bf16.
    fn library(&self, name: &str) -> BasicValueEnum<'ctx> {
        self.through_f32(|args| self.code.math(name, args))
    }

    /// Emits an instruction for f32, which keeps or flushes subnormals; for f64 calls a function.
    fn hardware(&self, single: (Intrinsic, Intrinsic), double: &str) -> BasicValueEnum<'ctx> {
        if self.to == Scalar::F64 {
            return self.code.math(double, &self.args);
        }
        let intrinsic = match self.small() {
            Small::Kept => single.0,
            Small::Flushed => single.1,
        };
        self.through_f32(|args| self.code.nvvm(intrinsic, args)[0])
    }

    pub(super) fn small(&self) -> Small {
        if self.op.has_flag("flush_to_zero") {
            Small::Flushed
        } else {
            Small::Kept
        }
    }

    fn arithmetic(&self, operation: Arithmetic) -> Result<BasicValueEnum<'ctx>> {
        self.arithmetic_of(operation, &self.args)
    }

    /// Computes `lhs - rhs` as `lhs + -rhs`, which is exact.
    fn subtract(&self) -> Result<BasicValueEnum<'ctx>> {
        let mode = self.op.rounding_mode();
        if mode == RoundingMode::NearestEven && self.small() == Small::Kept {
            return Ok(self.code.fsub(self.number(0), self.number(1)).into());
        }
        let negated = self
            .code
            .builder
            .build_float_neg(self.number(1), "")
            .expect("the builder is in a block");
        self.arithmetic_of(Arithmetic::Add, &[self.args[0], negated.into()])
    }

    fn arithmetic_of(
        &self,
        operation: Arithmetic,
        args: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>> {
        let code = self.code;
        let mode = self.op.rounding_mode();
        let small = self.small();
        if mode == RoundingMode::NearestEven && small == Small::Kept {
            let number = |index: usize| args[index].into_float_value();
            return Ok(match operation {
                Arithmetic::Add => code.fadd(number(0), number(1)).into(),
                Arithmetic::Mul => code.fmul(number(0), number(1)).into(),
                Arithmetic::Fma => code.overloaded("llvm.fma", args[0].get_type(), args),
                Arithmetic::Div => self.through_f32(|args| {
                    let (lhs, rhs) = (args[0].into_float_value(), args[1].into_float_value());
                    code.fdiv(lhs, rhs).into()
                }),
                Arithmetic::Sqrt => {
                    self.through_f32(|args| code.overloaded("llvm.sqrt", args[0].get_type(), args))
                }
            });
        }
        if self.is_half()
            && let Some(intrinsic) = single(operation, mode, Small::Kept)
        {
            // Rounding twice in the same direction equals rounding once.
            let args: Vec<BasicValueEnum<'ctx>> = args
                .iter()
                .map(|arg| self.extend(arg.into_float_value(), Scalar::F32).into())
                .collect();
            let single = code.nvvm(intrinsic, &args)[0].into_float_value();
            return Ok(self.round_half(single, mode).into());
        }
        let intrinsic = if self.to == Scalar::F32 {
            single(operation, mode, small)
        } else if self.to == Scalar::F64 && small == Small::Kept {
            double(operation, mode)
        } else {
            None
        };
        let intrinsic = intrinsic.ok_or_else(|| self.unsupported_rounding(mode))?;
        Ok(code.nvvm(intrinsic, args)[0])
    }

    /// Rounds an f32 to f16 or bf16 in the direction of `mode`.
    fn round_half(&self, value: FloatValue<'ctx>, mode: RoundingMode) -> FloatValue<'ctx> {
        let code = self.code;
        let ty = code.register_type(self.to);
        if self.to == Scalar::F16 {
            let name = match mode {
                RoundingMode::NegativeInf => "rm",
                RoundingMode::PositiveInf => "rp",
                RoundingMode::Zero
                | RoundingMode::NearestEven
                | RoundingMode::Approx
                | RoundingMode::Full
                | RoundingMode::NearestIntToZero
                | RoundingMode::NearestAway => "rz",
            };
            let text = format!("cvt.{name}.f16.f32 $0, $1;");
            let bits = code.asm(
                &text,
                "=h,f",
                &[code.int(16).into()],
                &[value.into()],
                AsmEffect::None,
            );
            return code.bit_cast(bits[0], ty).into_float_value();
        }
        // A bf16 is the upper half of an f32: truncate, and add one if the rounding direction is away from
        // zero.
        let bits = code.bit_cast(value.into(), code.cx.i32_type());
        let bits = bits.into_int_value();
        let kept = code.lshr(bits, code.i32(16));
        let lost = code.and(bits, code.i32(0xffff));
        let is_inexact = code.compare(IntPredicate::NE, lost, code.i32(0));
        let is_negative = code.compare(IntPredicate::SLT, bits, code.i32(0));
        let away = match mode {
            RoundingMode::NegativeInf => code.all([is_inexact, is_negative]),
            RoundingMode::PositiveInf => {
                let is_positive = code.compare(IntPredicate::SGE, bits, code.i32(0));
                code.all([is_inexact, is_positive])
            }
            RoundingMode::Zero
            | RoundingMode::NearestEven
            | RoundingMode::Approx
            | RoundingMode::Full
            | RoundingMode::NearestIntToZero
            | RoundingMode::NearestAway => None,
        };
        let kept = match away {
            Some(away) => code.add(kept, code.unsigned(away, code.cx.i32_type())),
            None => kept,
        };
        let is_nan = code.compare_float(FloatPredicate::UNO, value, value);
        let kept = code.select(is_nan, code.i32(0x7fff), kept).into_int_value();
        let kept = code.unsigned(kept, code.int(16));
        code.bit_cast(kept.into(), ty).into_float_value()
    }

    /// Raises a number to an integer power. f32 is computed in f64, where a product of many factors is still
    /// accurate enough. For f64, the exponent is converted to f64 and `pow` is called.
    fn integer_power(&self) -> FloatValue<'ctx> {
        let code = self.code;
        let exponent = code.signed(self.int(1), code.cx.i32_type());
        if self.to == Scalar::F64 {
            let ty = code.cx.f64_type();
            let exponent = code
                .builder
                .build_signed_int_to_float(exponent, ty, "")
                .expect("the builder is in a block");
            let args = [self.args[0], exponent.into()];
            return code.math("pow", &args).into_float_value();
        }
        let wide = if self.is_half() {
            Scalar::F32
        } else {
            Scalar::F64
        };
        let base = self.extend(self.number(0), wide);
        let power = code.math("powi", &[base.into(), exponent.into()]);
        self.round(power.into_float_value(), self.to)
    }

    fn divide_float(&self) -> Result<BasicValueEnum<'ctx>> {
        let intrinsic = match (self.op.rounding_mode(), self.small()) {
            (RoundingMode::Approx, Small::Kept) => Intrinsic::DivApprox,
            (RoundingMode::Approx, Small::Flushed) => Intrinsic::DivApproxFtz,
            (RoundingMode::Full, Small::Kept) => Intrinsic::DivFull,
            (RoundingMode::Full, Small::Flushed) => Intrinsic::DivFullFtz,
            (_, _) => return self.arithmetic(Arithmetic::Div),
        };
        Ok(self.code.nvvm(intrinsic, &self.args)[0])
    }

    fn square_root(&self) -> Result<BasicValueEnum<'ctx>> {
        let intrinsic = match (self.op.rounding_mode(), self.small()) {
            (RoundingMode::Approx, Small::Kept) => Intrinsic::SqrtApprox,
            (RoundingMode::Approx, Small::Flushed) => Intrinsic::SqrtApproxFtz,
            (_, _) => return self.arithmetic(Arithmetic::Sqrt),
        };
        Ok(self.code.nvvm(intrinsic, &self.args)[0])
    }

    /// Computes a minimum or maximum. If one operand is NaN, `with_nan` returns NaN and `without_nan` the
    /// other operand; both order -0 below +0.
    fn float_extremum(
        &self,
        with_nan: &'static str,
        without_nan: &'static str,
    ) -> BasicValueEnum<'ctx> {
        let propagates = self.op.has_flag("propagate_nan");
        if self.to == Scalar::F64 && propagates {
            // The hardware has no instruction for f64 with these semantics.
            let (lhs, rhs) = (self.number(0), self.number(1));
            let is_nan = self.code.compare_float(FloatPredicate::UNO, lhs, rhs);
            let nan = self.code.constant(Scalar::F64, f64::NAN.to_bits());
            return self.code.select(is_nan, nan, self.llvm(without_nan));
        }
        if self.small() == Small::Kept {
            return self.llvm(if propagates { with_nan } else { without_nan });
        }
        let is_max = with_nan == "llvm.maximum";
        let intrinsic = match (is_max, propagates) {
            (true, false) => Intrinsic::MaxFtz,
            (true, true) => Intrinsic::MaxNanFtz,
            (false, false) => Intrinsic::MinFtz,
            (false, true) => Intrinsic::MinNanFtz,
        };
        self.code.nvvm(intrinsic, &self.args)[0]
    }

    /// Extends `value` to the wider type `to`, exactly.
    pub(super) fn extend(&self, value: FloatValue<'ctx>, to: Scalar) -> FloatValue<'ctx> {
        let ty = self.code.register_type(to).into_float_type();
        if value.get_type() == ty {
            return value;
        }
        self.code
            .builder
            .build_float_ext(value, ty, "")
            .expect("the builder is in a block")
    }

    /// Rounds `value` to the narrower type `to`, to nearest even.
    pub(super) fn round(&self, value: FloatValue<'ctx>, to: Scalar) -> FloatValue<'ctx> {
        let ty = self.code.register_type(to).into_float_type();
        if value.get_type() == ty {
            return value;
        }
        self.code
            .builder
            .build_float_trunc(value, ty, "")
            .expect("the builder is in a block")
    }
}

macro_rules! by_mode {
    ($mode:expr, $rn:ident, $rz:ident, $rm:ident, $rp:ident) => {
        match $mode {
            RoundingMode::NearestEven => Some(Intrinsic::$rn),
            RoundingMode::Zero => Some(Intrinsic::$rz),
            RoundingMode::NegativeInf => Some(Intrinsic::$rm),
            RoundingMode::PositiveInf => Some(Intrinsic::$rp),
            RoundingMode::Approx
            | RoundingMode::Full
            | RoundingMode::NearestIntToZero
            | RoundingMode::NearestAway => None,
        }
    };
}

fn single(operation: Arithmetic, mode: RoundingMode, small: Small) -> Option<Intrinsic> {
    match (operation, small) {
        (Arithmetic::Add, Small::Kept) => by_mode!(mode, AddRn, AddRz, AddRm, AddRp),
        (Arithmetic::Mul, Small::Kept) => by_mode!(mode, MulRn, MulRz, MulRm, MulRp),
        (Arithmetic::Fma, Small::Kept) => by_mode!(mode, FmaRn, FmaRz, FmaRm, FmaRp),
        (Arithmetic::Div, Small::Kept) => by_mode!(mode, DivRn, DivRz, DivRm, DivRp),
        (Arithmetic::Sqrt, Small::Kept) => by_mode!(mode, SqrtRn, SqrtRz, SqrtRm, SqrtRp),
        (Arithmetic::Add, Small::Flushed) => {
            by_mode!(mode, AddRnFtz, AddRzFtz, AddRmFtz, AddRpFtz)
        }
        (Arithmetic::Mul, Small::Flushed) => {
            by_mode!(mode, MulRnFtz, MulRzFtz, MulRmFtz, MulRpFtz)
        }
        (Arithmetic::Fma, Small::Flushed) => {
            by_mode!(mode, FmaRnFtz, FmaRzFtz, FmaRmFtz, FmaRpFtz)
        }
        (Arithmetic::Div, Small::Flushed) => {
            by_mode!(mode, DivRnFtz, DivRzFtz, DivRmFtz, DivRpFtz)
        }
        (Arithmetic::Sqrt, Small::Flushed) => {
            by_mode!(mode, SqrtRnFtz, SqrtRzFtz, SqrtRmFtz, SqrtRpFtz)
        }
    }
}

fn double(operation: Arithmetic, mode: RoundingMode) -> Option<Intrinsic> {
    match operation {
        Arithmetic::Add => by_mode!(mode, AddRnF64, AddRzF64, AddRmF64, AddRpF64),
        Arithmetic::Mul => by_mode!(mode, MulRnF64, MulRzF64, MulRmF64, MulRpF64),
        Arithmetic::Fma => by_mode!(mode, FmaRnF64, FmaRzF64, FmaRmF64, FmaRpF64),
        Arithmetic::Div => by_mode!(mode, DivRnF64, DivRzF64, DivRmF64, DivRpF64),
        Arithmetic::Sqrt => by_mode!(mode, SqrtRnF64, SqrtRzF64, SqrtRmF64, SqrtRpF64),
    }
}

fn predicate(predicate: ComparisonPredicate, ordering: ComparisonOrdering) -> FloatPredicate {
    let ordered = ordering == ComparisonOrdering::Ordered;
    match predicate {
        ComparisonPredicate::Equal if ordered => FloatPredicate::OEQ,
        ComparisonPredicate::Equal => FloatPredicate::UEQ,
        ComparisonPredicate::NotEqual if ordered => FloatPredicate::ONE,
        ComparisonPredicate::NotEqual => FloatPredicate::UNE,
        ComparisonPredicate::LessThan if ordered => FloatPredicate::OLT,
        ComparisonPredicate::LessThan => FloatPredicate::ULT,
        ComparisonPredicate::LessThanOrEqual if ordered => FloatPredicate::OLE,
        ComparisonPredicate::LessThanOrEqual => FloatPredicate::ULE,
        ComparisonPredicate::GreaterThan if ordered => FloatPredicate::OGT,
        ComparisonPredicate::GreaterThan => FloatPredicate::UGT,
        ComparisonPredicate::GreaterThanOrEqual if ordered => FloatPredicate::OGE,
        ComparisonPredicate::GreaterThanOrEqual => FloatPredicate::UGE,
    }
}
