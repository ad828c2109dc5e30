//! Functions of elements, for scalars and vectors alike.

use tile_core::ir::Attr;
use tile_core::ir::OpId;
use tile_core::ir::{
    ComparisonOrdering, ComparisonPredicate, IntegerOverflow, Op, RoundingMode, Signedness,
};
use tile_core::ops::{BitwiseOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::build::flushes;
use super::super::ir::Fun;
use super::{Emitter, literal, scalar_type, suffix, vector_of, vector_type};
use crate::cpu::{Level, math};

impl Emitter<'_> {
    pub(super) fn ty(&self, scalar: Scalar) -> String {
        vector_type(scalar, self.lanes)
    }

    /// Returns a constant in every lane.
    pub(super) fn splat(&self, scalar: Scalar, bits: u64) -> String {
        let literal = literal(scalar, bits);
        if self.lanes == 1 {
            literal
        } else {
            format!("splat ({} {literal})", scalar_type(scalar))
        }
    }

    pub(super) fn binary(&mut self, name: &str, scalar: Scalar, args: &[String]) -> String {
        let ty = self.ty(scalar);
        self.value(&format!("{name} {ty} {}, {}", args[0], args[1]))
    }

    pub(super) fn cast(&mut self, name: &str, value: &str, from: &str, to: &str) -> String {
        let (from, to) = (vector_of(from, self.lanes), vector_of(to, self.lanes));
        self.value(&format!("{name} {from} {value} to {to}"))
    }

    pub(super) fn intrinsic(&mut self, name: &str, scalar: Scalar, args: &[String]) -> String {
        let ty = self.ty(scalar);
        let name = format!("llvm.{name}.{}", suffix(scalar, self.lanes));
        let types = vec![ty.as_str(); args.len()].join(", ");
        self.declare(format!("declare {ty} @{name}({types})"));
        let args: Vec<String> = args.iter().map(|arg| format!("{ty} {arg}")).collect();
        self.value(&format!("call {ty} @{name}({})", args.join(", ")))
    }

    pub(super) fn select(
        &mut self,
        condition: &str,
        scalar: Scalar,
        yes: &str,
        no: &str,
    ) -> String {
        let (truth, ty) = (self.ty(Scalar::I1), self.ty(scalar));
        self.value(&format!(
            "select {truth} {condition}, {ty} {yes}, {ty} {no}"
        ))
    }

    pub(super) fn fun(
        &mut self,
        fun: Fun,
        args: &[String],
        types: &[Scalar],
        to: Scalar,
    ) -> String {
        match fun {
            Fun::Op(id) => self.op(id, args, types, to),
            Fun::Add => self.binary("add", Scalar::I64, args),
            Fun::Sub => self.binary("sub", Scalar::I64, args),
            Fun::Mul => self.binary("mul", Scalar::I64, args),
            Fun::Quotient => self.binary("udiv", Scalar::I64, args),
            Fun::BitAnd => self.binary("and", Scalar::I64, args),
            Fun::FlipSign => {
                let sign = self.splat(Scalar::I8, 0x80);
                self.binary("xor", Scalar::I8, &[args[0].clone(), sign])
            }
            Fun::Min => self.intrinsic("smin", Scalar::I64, args),
            Fun::Max => self.intrinsic("smax", Scalar::I64, args),
            Fun::Less => self.binary("icmp slt", Scalar::I64, args),
            Fun::Equal => self.binary("icmp eq", Scalar::I64, args),
            Fun::And => self.binary("and", Scalar::I1, args),
            Fun::Not => {
                let ones = self.splat(Scalar::I1, 1);
                self.binary("xor", Scalar::I1, &[args[0].clone(), ones])
            }
            Fun::Select => self.select(&args[0], to, &args[1], &args[2]),
            Fun::SignExtend | Fun::ZeroExtend | Fun::Truncate(_) => {
                let is_signed = fun == Fun::SignExtend;
                self.resize(&args[0], types[0], to, is_signed)
            }
            Fun::Widen => self.widen(&args[0], types[0], to),
            Fun::Narrow => self.narrow(&args[0], types[0], to),
            Fun::Fits => self.fits(args),
        }
    }

    /// See [`Fun::Fits`]. The number of the element, whose computation may overflow, is compared with the number of those that
    /// are in memory.
    fn fits(&mut self, args: &[String]) -> String {
        let [offset, size, length, pairs @ ..] = args else {
            unreachable!("memory has an offset, a size and a length");
        };
        let size: u64 = size.parse().expect("the size is a constant");
        let room = self.value(&format!("sub i64 {length}, {offset}"));
        let count = self.value(&format!("ashr i64 {room}, {}", size.trailing_zeros()));
        let mut fits = self.value(&format!("icmp sge i64 {offset}, 0"));
        let has_room = self.value(&format!("icmp sge i64 {room}, 0"));
        fits = self.value(&format!("and i1 {fits}, {has_room}"));
        let mut sum: Option<String> = None;
        for pair in pairs.chunks_exact(2) {
            let [coordinate, stride] = pair else {
                unreachable!("a chunk of two");
            };
            let product = if stride == "1" {
                coordinate.clone()
            } else {
                self.without_overflow("umul", [coordinate, stride], &mut fits)
            };
            sum = Some(match sum {
                None => product,
                Some(sum) => self.without_overflow("uadd", [&sum, &product], &mut fits),
            });
        }
        let sum = sum.expect("a tensor has an axis");
        let is_inside = self.value(&format!("icmp ult i64 {sum}, {count}"));
        self.value(&format!("and i1 {fits}, {is_inside}"))
    }

    /// Computes with numbers without signs, and clears `holds` if the result has more than 64 bits.
    fn without_overflow(&mut self, name: &str, args: [&String; 2], holds: &mut String) -> String {
        let name = format!("llvm.{name}.with.overflow.i64");
        self.declare(format!("declare {{ i64, i1 }} @{name}(i64, i64)"));
        let [a, b] = args;
        let both = self.value(&format!("call {{ i64, i1 }} @{name}(i64 {a}, i64 {b})"));
        let overflows = self.value(&format!("extractvalue {{ i64, i1 }} {both}, 1"));
        let fits = self.value(&format!("xor i1 {overflows}, true"));
        *holds = self.value(&format!("and i1 {holds}, {fits}"));
        self.value(&format!("extractvalue {{ i64, i1 }} {both}, 0"))
    }

    /// Calls a mathematical function of this crate.
    pub(super) fn math_call(
        &mut self,
        function: math::Function,
        to: Scalar,
        args: &[(String, Scalar)],
    ) -> String {
        let scalar = if to == Scalar::F64 {
            math::Scalar::F64
        } else {
            math::Scalar::F32
        };
        self.functions.insert((function, scalar, self.lanes));
        let name = math::name(function, scalar, self.lanes);
        let ty = self.ty(to);
        let args: Vec<String> = args
            .iter()
            .map(|(value, scalar)| format!("{} {value}", vector_type(*scalar, self.lanes)))
            .collect();
        self.value(&format!("call {ty} @{name}({})", args.join(", ")))
    }

    fn op(&mut self, id: OpId, args: &[String], types: &[Scalar], to: Scalar) -> String {
        let op = self.module.op(id);
        match op.opcode {
            Opcode::Core(CoreOp::Select) => self.select(&args[0], to, &args[1], &args[2]),
            Opcode::Core(CoreOp::Offset) => {
                let tile = self
                    .module
                    .ty(op.result())
                    .as_tile()
                    .expect("a tile of pointers");
                let tile_core::types::Element::Ptr(pointee) = tile.element else {
                    unreachable!("verified code moves pointers");
                };
                let by = self.resize(&args[1], types[1], Scalar::I64, true);
                let size = self.splat(Scalar::I64, pointee.bytes() as u64);
                let by = self.binary("mul", Scalar::I64, &[by, size]);
                self.binary("add", Scalar::I64, &[args[0].clone(), by])
            }
            Opcode::Core(_) => args[0].clone(),
            Opcode::Bitwise(kind) => {
                let name = match kind {
                    BitwiseOp::AndI => "and",
                    BitwiseOp::OrI => "or",
                    BitwiseOp::XorI => "xor",
                };
                self.binary(name, to, args)
            }
            Opcode::Integer(kind) => self.integer(kind, op, args, types[0], to),
            Opcode::Conversion(kind) => self.conversion(kind, op, &args[0], types[0], to),
            Opcode::Float(kind) => self.float(kind, op, args, types, to),
            other => unreachable!("an element-wise operation, found {other:?}"),
        }
    }

    fn float(
        &mut self,
        kind: FloatOp,
        op: &Op,
        args: &[String],
        types: &[Scalar],
        to: Scalar,
    ) -> String {
        let from = types[0];
        // Only the sign changes.
        if let FloatOp::AbsF | FloatOp::NegF = kind {
            if matches!(from, Scalar::F32 | Scalar::F64) {
                return if kind == FloatOp::AbsF {
                    self.intrinsic("fabs", from, args)
                } else {
                    let ty = self.ty(from);
                    self.value(&format!("fneg {ty} {}", args[0]))
                };
            }
            let (name, bits) = if kind == FloatOp::AbsF {
                ("and", 0x7fff)
            } else {
                ("xor", 0x8000)
            };
            let mask = self.splat(from, bits);
            return self.binary(name, from, &[args[0].clone(), mask]);
        }
        let wide = if from == Scalar::F64 {
            Scalar::F64
        } else {
            Scalar::F32
        };
        // A fused multiply-add of narrow floats is exact in f64 up to its one rounding to odd.
        if kind == FloatOp::Fma && matches!(from, Scalar::F16 | Scalar::BF16) {
            return self.narrow_fma(args, from);
        }
        let wide_args: Vec<String> = args
            .iter()
            .zip(types)
            .map(|(arg, &ty)| {
                if ty.is_float() {
                    self.widen(arg, ty, wide)
                } else {
                    arg.clone()
                }
            })
            .collect();
        if kind == FloatOp::CmpF {
            return self.compare_floats(op, wide, &wide_args);
        }
        if flushes(op) {
            let args: Vec<String> = wide_args
                .iter()
                .map(|arg| self.flushed(arg, wide))
                .collect();
            let result = self.float_in(kind, op, &args, types, wide);
            return self.flushed(&result, wide);
        }
        let result = self.float_in(kind, op, &wide_args, types, wide);
        if to == wide {
            result
        } else {
            self.narrow(&result, wide, to)
        }
    }

    /// Replaces a subnormal by a zero of its sign.
    fn flushed(&mut self, value: &str, scalar: Scalar) -> String {
        let least = if scalar == Scalar::F64 {
            f64::MIN_POSITIVE.to_bits()
        } else {
            u64::from(f32::MIN_POSITIVE.to_bits())
        };
        let (least, zero) = (self.splat(scalar, least), self.splat(scalar, 0));
        let magnitude = self.intrinsic("fabs", scalar, &[value.to_owned()]);
        let is_small = self.binary("fcmp olt", scalar, &[magnitude, least]);
        let zero = self.intrinsic("copysign", scalar, &[zero, value.to_owned()]);
        self.select(&is_small, scalar, &zero, value)
    }

    /// Returns a quotient, for a divisor above 2^126 by its reciprocal, which is flushed to zero if it is subnormal.
    fn approximate_quotient(&mut self, scalar: Scalar, args: &[String]) -> String {
        let limit = if scalar == Scalar::F64 {
            2_f64.powi(126).to_bits()
        } else {
            u64::from(2_f32.powi(126).to_bits())
        };
        let one = if scalar == Scalar::F64 {
            1_f64.to_bits()
        } else {
            u64::from(1_f32.to_bits())
        };
        let (limit, one) = (self.splat(scalar, limit), self.splat(scalar, one));
        let quotient = self.binary("fdiv", scalar, args);
        let reciprocal = self.binary("fdiv", scalar, &[one, args[1].clone()]);
        let reciprocal = self.flushed(&reciprocal, scalar);
        let product = self.binary("fmul", scalar, &[args[0].clone(), reciprocal]);
        let magnitude = self.intrinsic("fabs", scalar, &args[1..]);
        let is_large = self.binary("fcmp ogt", scalar, &[magnitude, limit]);
        self.select(&is_large, scalar, &product, &quotient)
    }

    /// Returns the sum of two floats, rounded to nearest even.
    pub(super) fn sum(&mut self, a: &str, b: &str, scalar: Scalar) -> String {
        let wide = if scalar == Scalar::F64 {
            Scalar::F64
        } else {
            Scalar::F32
        };
        let [a, b] = [a, b].map(|value| self.widen(value, scalar, wide));
        let sum = self.binary("fadd", wide, &[a, b]);
        if scalar == wide {
            sum
        } else {
            self.narrow(&sum, wide, scalar)
        }
    }

    fn compare_floats(&mut self, op: &Op, scalar: Scalar, args: &[String]) -> String {
        let order = match op.comparison_ordering() {
            ComparisonOrdering::Ordered => 'o',
            ComparisonOrdering::Unordered => 'u',
        };
        let predicate = match op.predicate() {
            ComparisonPredicate::Equal => "eq",
            ComparisonPredicate::NotEqual => "ne",
            ComparisonPredicate::LessThan => "lt",
            ComparisonPredicate::LessThanOrEqual => "le",
            ComparisonPredicate::GreaterThan => "gt",
            ComparisonPredicate::GreaterThanOrEqual => "ge",
        };
        self.binary(&format!("fcmp {order}{predicate}"), scalar, args)
    }

    fn float_in(
        &mut self,
        kind: FloatOp,
        op: &Op,
        args: &[String],
        types: &[Scalar],
        scalar: Scalar,
    ) -> String {
        let function = match kind {
            FloatOp::AddF => return self.binary("fadd", scalar, args),
            FloatOp::SubF => return self.binary("fsub", scalar, args),
            FloatOp::MulF => return self.binary("fmul", scalar, args),
            FloatOp::DivF if op.rounding_mode() == RoundingMode::Approx => {
                return self.approximate_quotient(scalar, args);
            }
            FloatOp::DivF => return self.binary("fdiv", scalar, args),
            FloatOp::Sqrt => return self.intrinsic("sqrt", scalar, args),
            FloatOp::Ceil => return self.round("ceil", scalar, args),
            FloatOp::Floor => return self.round("floor", scalar, args),
            FloatOp::Fma => return self.fused(scalar, args),
            FloatOp::MaxF | FloatOp::MinF => {
                return self.extremum(
                    kind == FloatOp::MaxF,
                    op.has_flag("propagate_nan"),
                    scalar,
                    args,
                );
            }
            FloatOp::Cos => math::Function::Cos,
            FloatOp::CosH => math::Function::Cosh,
            FloatOp::Exp => math::Function::Exp,
            FloatOp::Exp2 => math::Function::Exp2,
            FloatOp::Log => math::Function::Log,
            FloatOp::Log2 => math::Function::Log2,
            FloatOp::RSqrt => math::Function::Rsqrt,
            FloatOp::Sin => math::Function::Sin,
            FloatOp::SinH => math::Function::Sinh,
            FloatOp::Tan => math::Function::Tan,
            FloatOp::TanH => math::Function::Tanh,
            FloatOp::Atan2 => math::Function::Atan2,
            FloatOp::Pow => math::Function::Pow,
            FloatOp::RemF => math::Function::Fmod,
            FloatOp::FPowI => {
                let exponent = self.resize(&args[1], types[1], Scalar::I32, true);
                let args = [(args[0].clone(), scalar), (exponent, Scalar::I32)];
                return self.math_call(math::Function::Powi, scalar, &args);
            }
            FloatOp::AbsF | FloatOp::NegF | FloatOp::CmpF | FloatOp::MmaF | FloatOp::MmaFScaled => {
                unreachable!("handled by the callers")
            }
        };
        let args: Vec<(String, Scalar)> = args.iter().map(|arg| (arg.clone(), scalar)).collect();
        self.math_call(function, scalar, &args)
    }

    /// Rounds to an integer. SSE2 has no instruction for it, for which LLVM would call `floorf`.
    fn round(&mut self, name: &str, scalar: Scalar, args: &[String]) -> String {
        if self.level != Level::Baseline {
            return self.intrinsic(name, scalar, args);
        }
        // A larger number is an integer already.
        let (integer, limit) = if scalar == Scalar::F32 {
            (Scalar::I32, 0x4b00_0000)
        } else {
            (Scalar::I64, 0x4330_0000_0000_0000)
        };
        let x = args[0].clone();
        let (limit, zero) = (self.splat(scalar, limit), self.splat(scalar, 0));
        let magnitude = self.intrinsic("fabs", scalar, std::slice::from_ref(&x));
        let is_small = self.binary("fcmp olt", scalar, &[magnitude, limit]);
        let small = self.select(&is_small, scalar, &x, &zero);
        let (float, int) = (scalar_type(scalar), scalar_type(integer));
        let toward_zero = self.cast("fptosi", &small, float, int);
        let toward_zero = self.cast("sitofp", &toward_zero, int, float);
        let one = self.splat(
            scalar,
            if scalar == Scalar::F32 {
                0x3f80_0000
            } else {
                0x3ff0_0000_0000_0000
            },
        );
        let (comparison, step) = if name == "floor" {
            ("fcmp ogt", "fsub")
        } else {
            ("fcmp olt", "fadd")
        };
        let is_past = self.binary(comparison, scalar, &[toward_zero.clone(), small.clone()]);
        let moved = self.binary(step, scalar, &[toward_zero.clone(), one]);
        let rounded = self.select(&is_past, scalar, &moved, &toward_zero);
        // The sign of a zero is that of the number.
        let rounded = self.intrinsic("copysign", scalar, &[rounded, small]);
        self.select(&is_small, scalar, &rounded, &x)
    }

    /// Returns `a * b + c`, rounded once.
    fn fused(&mut self, scalar: Scalar, args: &[String]) -> String {
        if self.level.has_fma() {
            return self.intrinsic("fma", scalar, args);
        }
        let args: Vec<(String, Scalar)> = args.iter().map(|arg| (arg.clone(), scalar)).collect();
        self.math_call(math::Function::Fma, scalar, &args)
    }

    fn narrow_fma(&mut self, args: &[String], scalar: Scalar) -> String {
        let args: Vec<String> = args
            .iter()
            .map(|arg| self.widen(arg, scalar, Scalar::F64))
            .collect();
        // The product of two narrow floats is exact. The sum is rounded to odd by the error of the addition.
        let product = self.binary("fmul", Scalar::F64, &args[..2]);
        let sum = self.odd_sum(&product, &args[2]);
        self.narrow(&sum, Scalar::F64, scalar)
    }

    /// Returns the sum of two `f64`, rounded to odd: if it is not exact and its last bit is 0, the neighbour on the side
    /// of the exact sum (Knuth's error of an addition).
    fn odd_sum(&mut self, a: &str, b: &str) -> String {
        let f64_ = Scalar::F64;
        let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let sum = self.binary("fadd", f64_, &pair(a, b));
        let part = self.binary("fsub", f64_, &pair(&sum, a));
        let rest = self.binary("fsub", f64_, &pair(&sum, &part));
        let one = self.binary("fsub", f64_, &pair(a, &rest));
        let two = self.binary("fsub", f64_, &pair(b, &part));
        let error = self.binary("fadd", f64_, &pair(&one, &two));
        let zero = self.splat(f64_, 0);
        // Ordered: the error of an infinite or undefined sum is a NaN, and the sum stays.
        let is_inexact = self.binary("fcmp one", f64_, &pair(&error, &zero));
        let bits = self.cast("bitcast", &sum, "double", "i64");
        let [none, unit, minus] = [0, 1, u64::MAX].map(|bits| self.splat(Scalar::I64, bits));
        let last = self.binary("and", Scalar::I64, &pair(&bits, &unit));
        let is_even = self.binary("icmp eq", Scalar::I64, &pair(&last, &none));
        let moves = self.binary("and", Scalar::I1, &pair(&is_inexact, &is_even));
        let sum_is_positive = self.binary("fcmp ogt", f64_, &pair(&sum, &zero));
        let error_is_positive = self.binary("fcmp ogt", f64_, &pair(&error, &zero));
        let is_shrinking = self.binary(
            "xor",
            Scalar::I1,
            &pair(&sum_is_positive, &error_is_positive),
        );
        let step = self.select(&is_shrinking, Scalar::I64, &minus, &unit);
        let moved = self.binary("add", Scalar::I64, &pair(&bits, &step));
        let bits = self.select(&moves, Scalar::I64, &moved, &bits);
        self.cast("bitcast", &bits, "i64", "double")
    }

    /// Returns the larger or the smaller number, where +0 is above -0. A NaN loses, or wins if `propagates`.
    fn extremum(
        &mut self,
        is_max: bool,
        propagates: bool,
        scalar: Scalar,
        args: &[String],
    ) -> String {
        let name = match (is_max, propagates) {
            (true, true) => "maximum",
            (false, true) => "minimum",
            (true, false) => "maximumnum",
            (false, false) => "minimumnum",
        };
        self.intrinsic(name, scalar, args)
    }

    fn integer(
        &mut self,
        kind: IntegerOp,
        op: &Op,
        args: &[String],
        scalar: Scalar,
        to: Scalar,
    ) -> String {
        let is_signed = || op.signedness() == Signedness::Signed;
        let bits = scalar.bits();
        match kind {
            IntegerOp::AbsI => {
                let ty = self.ty(scalar);
                let name = format!("llvm.abs.{}", suffix(scalar, self.lanes));
                self.declare(format!("declare {ty} @{name}({ty}, i1)"));
                self.value(&format!("call {ty} @{name}({ty} {}, i1 false)", args[0]))
            }
            IntegerOp::NegI => {
                let zero = self.splat(scalar, 0);
                if op.overflow() != IntegerOverflow::None {
                    let least = self.splat(scalar, 1 << (bits - 1));
                    let fault = self.binary("icmp eq", scalar, &[args[0].clone(), least]);
                    self.faults.push(fault);
                }
                self.binary("sub", scalar, &[zero, args[0].clone()])
            }
            IntegerOp::AddI => self.arithmetic("add", op.overflow(), scalar, args),
            IntegerOp::SubI => self.arithmetic("sub", op.overflow(), scalar, args),
            IntegerOp::MulI => self.arithmetic("mul", op.overflow(), scalar, args),
            IntegerOp::MulhiI => self.high_product(scalar, args),
            IntegerOp::MaxI => {
                self.intrinsic(if is_signed() { "smax" } else { "umax" }, scalar, args)
            }
            IntegerOp::MinI => {
                self.intrinsic(if is_signed() { "smin" } else { "umin" }, scalar, args)
            }
            IntegerOp::CmpI => {
                let name = match (op.predicate(), is_signed()) {
                    (ComparisonPredicate::Equal, _) => "eq",
                    (ComparisonPredicate::NotEqual, _) => "ne",
                    (ComparisonPredicate::LessThan, true) => "slt",
                    (ComparisonPredicate::LessThan, false) => "ult",
                    (ComparisonPredicate::LessThanOrEqual, true) => "sle",
                    (ComparisonPredicate::LessThanOrEqual, false) => "ule",
                    (ComparisonPredicate::GreaterThan, true) => "sgt",
                    (ComparisonPredicate::GreaterThan, false) => "ugt",
                    (ComparisonPredicate::GreaterThanOrEqual, true) => "sge",
                    (ComparisonPredicate::GreaterThanOrEqual, false) => "uge",
                };
                self.binary(&format!("icmp {name}"), scalar, args)
            }
            IntegerOp::DivI => {
                let Some(Attr::Rounding(rounding)) = op.attr("rounding").cloned() else {
                    unreachable!("verified code has a rounding here");
                };
                self.quotient(scalar, args, is_signed(), rounding)
            }
            IntegerOp::RemI => {
                let divisor = self.divisor(scalar, args, is_signed());
                let name = if is_signed() { "srem" } else { "urem" };
                self.binary(name, scalar, &[args[0].clone(), divisor])
            }
            IntegerOp::ShlI | IntegerOp::ShrI => {
                let limit = self.splat(scalar, u64::from(bits));
                let is_far = if bits == 1 {
                    // The only distance below the width is 0.
                    args[1].clone()
                } else {
                    self.binary("icmp uge", scalar, &[args[1].clone(), limit])
                };
                let zero = self.splat(scalar, 0);
                let by = self.select(&is_far, scalar, &zero, &args[1]);
                self.faults.push(is_far);
                let name = match kind {
                    IntegerOp::ShlI => "shl",
                    _ if is_signed() => "ashr",
                    _ => "lshr",
                };
                self.binary(name, to, &[args[0].clone(), by])
            }
            IntegerOp::MmaI => unreachable!("a product"),
        }
    }

    fn arithmetic(
        &mut self,
        name: &str,
        overflow: IntegerOverflow,
        scalar: Scalar,
        args: &[String],
    ) -> String {
        let (signed, unsigned) = promises(overflow);
        for (is_promised, sign) in [(signed, 's'), (unsigned, 'u')] {
            if !is_promised {
                continue;
            }
            let (ty, truth) = (self.ty(scalar), self.ty(Scalar::I1));
            let function = format!(
                "llvm.{sign}{name}.with.overflow.{}",
                suffix(scalar, self.lanes)
            );
            self.declare(format!(
                "declare {{ {ty}, {truth} }} @{function}({ty}, {ty})"
            ));
            let pair = self.value(&format!(
                "call {{ {ty}, {truth} }} @{function}({ty} {}, {ty} {})",
                args[0], args[1]
            ));
            let fault = self.value(&format!("extractvalue {{ {ty}, {truth} }} {pair}, 1"));
            self.faults.push(fault);
        }
        self.binary(name, scalar, args)
    }

    /// Returns the upper half of the product of two numbers without sign.
    fn high_product(&mut self, scalar: Scalar, args: &[String]) -> String {
        let bits = scalar.bits();
        let (narrow, wide) = (format!("i{bits}"), format!("i{}", bits * 2));
        let wide_args: Vec<String> = args
            .iter()
            .map(|arg| self.cast("zext", arg, &narrow, &wide))
            .collect();
        let ty = vector_of(&wide, self.lanes);
        let product = self.value(&format!("mul {ty} {}, {}", wide_args[0], wide_args[1]));
        let by = if self.lanes == 1 {
            bits.to_string()
        } else {
            format!("splat ({wide} {bits})")
        };
        let upper = self.value(&format!("lshr {ty} {product}, {by}"));
        self.cast("trunc", &upper, &wide, &narrow)
    }

    /// Returns a divisor by which every number can be divided; what is undefined is a fault.
    fn divisor(&mut self, scalar: Scalar, args: &[String], is_signed: bool) -> String {
        let [zero, one] = [0, 1].map(|bits| self.splat(scalar, bits));
        let mut is_bad = self.binary("icmp eq", scalar, &[args[1].clone(), zero]);
        if is_signed {
            let least = self.splat(scalar, 1 << (scalar.bits() - 1));
            let ones = self.splat(scalar, u64::MAX);
            let is_least = self.binary("icmp eq", scalar, &[args[0].clone(), least]);
            let is_minus = self.binary("icmp eq", scalar, &[args[1].clone(), ones]);
            let overflows = self.binary("and", Scalar::I1, &[is_least, is_minus]);
            is_bad = self.binary("or", Scalar::I1, &[is_bad, overflows]);
        }
        let divisor = self.select(&is_bad, scalar, &one, &args[1]);
        self.faults.push(is_bad);
        divisor
    }

    fn quotient(
        &mut self,
        scalar: Scalar,
        args: &[String],
        is_signed: bool,
        rounding: RoundingMode,
    ) -> String {
        let divisor = self.divisor(scalar, args, is_signed);
        let (divide, rest) = if is_signed {
            ("sdiv", "srem")
        } else {
            ("udiv", "urem")
        };
        let operands = [args[0].clone(), divisor.clone()];
        let quotient = self.binary(divide, scalar, &operands);
        let moves_up = match rounding {
            RoundingMode::NegativeInf => false,
            RoundingMode::PositiveInf => true,
            _ => return quotient,
        };
        let rest = self.binary(rest, scalar, &operands);
        let zero = self.splat(scalar, 0);
        let is_inexact = self.binary("icmp ne", scalar, &[rest, zero.clone()]);
        let is_negative = if is_signed {
            let signs = self.binary("xor", scalar, &operands);
            self.binary("icmp slt", scalar, &[signs, zero.clone()])
        } else {
            self.splat(Scalar::I1, 0)
        };
        let is_on_side = if moves_up {
            let ones = self.splat(Scalar::I1, 1);
            self.binary("xor", Scalar::I1, &[is_negative, ones])
        } else {
            is_negative
        };
        let moves = self.binary("and", Scalar::I1, &[is_inexact, is_on_side]);
        let one = self.splat(scalar, 1);
        let by = self.select(&moves, scalar, &one, &zero);
        self.binary(
            if moves_up { "add" } else { "sub" },
            scalar,
            &[quotient, by],
        )
    }
}

/// Returns whether a promise is about the result as a signed number, and as one without sign.
pub(super) fn promises(overflow: IntegerOverflow) -> (bool, bool) {
    match overflow {
        IntegerOverflow::None => (false, false),
        IntegerOverflow::NoSignedWrap => (true, false),
        IntegerOverflow::NoUnsignedWrap => (false, true),
        IntegerOverflow::NoWrap => (true, true),
    }
}
