//! Op table rows of floating-point operations.

use super::def::{AttrKind, Constraint, Rule, Version, attr, default_attr, flag, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise floating-point operations, and the float matmuls.
    pub enum FloatOp {
        /// Absolute value: `result[i] = |source[i]|`. Clears the sign bit, also that of a NaN.
        AbsF = op("absf", 0x00, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Addition: `result[i] = lhs[i] + rhs[i]`, rounded once, as `rounding_mode` says. A NaN
        /// operand gives a NaN. `flush_to_zero` replaces subnormal operands and results by zeros of
        /// the same sign.
        AddF = op("addf", 0x02, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Angle of a point: `result[i]` is the arc tangent of `x[i] / y[i]` in the quadrant that
        /// the signs of both determine, so `x` is the first argument of C's `atan2`. `f16` and
        /// `bf16` are computed in `f32`.
        Atan2 = op("atan2", 0x6e, Version::V13_2)
            .operands(&[one("x", Constraint::BaseFloatTile), one("y", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["x", "y", "result"])])
            .asm("$x `,` $y `:` type($result)");
        /// Rounds up to an integer: `result[i] = ceil(source[i])`.
        Ceil = op("ceil", 0x0d, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Comparison: `result[i] = lhs[i] PREDICATE rhs[i]`. If either is a NaN the result is
        /// true if `unordered`, and false if `ordered`.
        CmpF = op("cmpf", 0x0e, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[attr("comparison_predicate", AttrKind::Predicate), attr("comparison_ordering", AttrKind::Ordering)])
            .results(&[one("result", Constraint::I1Tile)])
            .rules(&[Rule::SameType(&["lhs", "rhs"]), Rule::SameShape(&["lhs", "result"])])
            .asm("$comparison_predicate $comparison_ordering $lhs `,` $rhs `:` type($lhs) `->` type($result)");
        /// Cosine of an angle in radians: `result[i] = cos(source[i])`. `f16` and `bf16` are
        /// computed in `f32`.
        Cos = op("cos", 0x12, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic cosine: `result[i] = cosh(source[i])`. `f16` and `bf16` are computed in
        /// `f32`.
        CosH = op("cosh", 0x13, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Division: `result[i] = lhs[i] / rhs[i]`, rounded once in the first four modes. `approx`
        /// multiplies by the reciprocal, with an error of at most 2 ulp for divisors from 2^-126 to
        /// 2^126 in magnitude; for larger ones it gives 0, and NaN if `lhs[i]` is infinite. `full`
        /// has an error of at most 2 ulp everywhere. `flush_to_zero` replaces subnormal operands
        /// and results by zeros of the same sign.
        DivF = op("divf", 0x14, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result"), Rule::RoundingNeedsF32(0b0011_0000, "result")])
            .asm("$lhs `,` $rhs $rounding_mode $flush_to_zero `:` type($result)");
        /// Exponential: `result[i] = e^source[i]`. `approx` computes `2^(source[i] * log2(e))`.
        /// `f16` and `bf16` are computed in `f32`.
        Exp = op("exp", 0x17, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_0000), 5).since(Version::V13_3)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode `:` type($result)");
        /// Exponential to base two: `result[i] = 2^source[i]`. `f16` and `bf16` are computed in
        /// `f32`. `flush_to_zero` replaces subnormal operands and results by zeros of the same
        /// sign.
        Exp2 = op("exp2", 0x18, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$source $flush_to_zero `:` type($result)");
        /// Rounds down to an integer: `result[i] = floor(source[i])`.
        Floor = op("floor", 0x27, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Fused multiply-add: `result[i] = lhs[i] * rhs[i] + acc[i]`, rounded once, as
        /// `rounding_mode` says. A NaN operand gives a NaN. `flush_to_zero` replaces subnormal
        /// operands and results by zeros of the same sign.
        Fma = op("fma", 0x28, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile), one("acc", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "acc", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs `,` $acc $rounding_mode! $flush_to_zero `:` type($result)");
        /// Power with an integer exponent: `result[i] = source[i]^exponent[i]`. The exponent is
        /// signed.
        FPowI = op("fpowi", 0x79, Version::V13_4)
            .operands(&[one("source", Constraint::BaseFloatTile), one("exponent", Constraint::IntTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::SameShape(&["source", "exponent"])])
            .asm("$source `,` $exponent `:` type($source) `,` type($exponent)");
        /// Natural logarithm: `result[i] = ln(source[i])`. The result is -infinity for a zero, and
        /// a NaN for a negative number. `f16` and `bf16` are computed in `f32`.
        Log = op("log", 0x3f, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Logarithm to base two: `result[i] = log2(source[i])`. The result is -infinity for a
        /// zero, and a NaN for a negative number.
        Log2 = op("log2", 0x40, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Maximum: `result[i] = max(lhs[i], rhs[i])`; +0 is above -0. With `propagate_nan` the
        /// result is a NaN if either operand is (IEEE 754-2019 `maximum`), else only if both are
        /// (`maximumNumber`). `flush_to_zero` replaces subnormal operands and results by zeros of
        /// the same sign.
        MaxF = op("maxf", 0x45, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[flag("propagate_nan"), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $flush_to_zero $propagate_nan `:` type($result)");
        /// Minimum: `result[i] = min(lhs[i], rhs[i])`; -0 is below +0. With `propagate_nan` the
        /// result is a NaN if either operand is (IEEE 754-2019 `minimum`), else only if both are
        /// (`minimumNumber`). `flush_to_zero` replaces subnormal operands and results by zeros of
        /// the same sign.
        MinF = op("minf", 0x47, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[flag("propagate_nan"), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $flush_to_zero $propagate_nan `:` type($result)");
        /// Matrix multiply-accumulate: `result[m, n] = acc[m, n] + sum over k of lhs[m, k] *
        /// rhs[k, n]`; a leading axis is a batch. Products of `f16` and of 8 bits are
        /// accumulated in `f16` or `f32`, of `bf16`, `tf32` and `f32` in `f32`, of `f64` in
        /// `f64`. `fast_acc` allows 8-bit products to be accumulated less exactly.
        MmaF = op("mmaf", 0x49, Version::V13_1)
            .operands(&[one("lhs", Constraint::MmaInput), one("rhs", Constraint::MmaInput), one("acc", Constraint::MmaAccumulator)])
            .attrs(&[flag("fast_acc").since(Version::V13_3)])
            .results(&[one("result", Constraint::MmaAccumulator)])
            .rules(&[Rule::SameElement(&["lhs", "rhs"]), Rule::SameType(&["acc", "result"])])
            .asm("$lhs `,` $rhs `,` $acc $fast_acc `:` type($lhs) `,` type($rhs) `,` type($acc)");
        /// Matrix multiply-accumulate with a scale factor for every block of `v` elements along
        /// `k`: `result[m, n] = acc[m, n] + sum over k of lhs[m, k] * lhs_scale[m, k / v] *
        /// rhs[k, n] * rhs_scale[k / v, n]`; a leading axis is a batch. `v` is 32 for operands
        /// of 8 bits, 16 for `f4E2M1FN` scaled by `f8E4M3FN`, 16 or 32 for `f4E2M1FN` scaled by
        /// `f8E8M0FNU`. A negative scale factor is undefined.
        MmaFScaled = op("mmaf_scaled", 0x72, Version::V13_3)
            .operands(&[one("lhs", Constraint::MmaScaledInput), one("rhs", Constraint::MmaScaledInput), one("acc", Constraint::F32Tile), one("lhs_scale", Constraint::MmaScale), one("rhs_scale", Constraint::MmaScale)])
            .results(&[one("result", Constraint::F32Tile)])
            .rules(&[Rule::SameType(&["acc", "result"]), Rule::SameRank(&["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]), Rule::SameElement(&["lhs", "rhs"]), Rule::SameElement(&["lhs_scale", "rhs_scale"])])
            .asm("$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale `:` type($lhs) `,` type($rhs) `,` type($acc) `,` type($lhs_scale) `,` type($rhs_scale)");
        /// Multiplication: `result[i] = lhs[i] * rhs[i]`, rounded once, as `rounding_mode` says. A
        /// NaN operand gives a NaN. `flush_to_zero` replaces subnormal operands and results by
        /// zeros of the same sign.
        MulF = op("mulf", 0x4c, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Negation: `result[i] = -source[i]`. Flips the sign bit, also that of a NaN.
        NegF = op("negf", 0x4f, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Power: `result[i] = source[i]^exponent[i]`. Version 13.4 of NVIDIA's tools prints it
        /// as `fpowf`.
        Pow = op("pow", 0x54, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile), one("exponent", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "exponent", "result"])])
            .asm("$source `,` $exponent `:` type($result)");
        /// Remainder of the truncated division: `result[i] = lhs[i] - trunc(lhs[i] / rhs[i]) *
        /// rhs[i]`, exact, with the sign of `lhs[i]`. The result is a NaN if `rhs[i]` is 0,
        /// `lhs[i]` is infinite, or either is a NaN; it is `lhs[i]` if only `rhs[i]` is infinite.
        RemF = op("remf", 0x59, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs `:` type($result)");
        /// Reciprocal square root: `result[i] = 1 / sqrt(source[i])`. `f16` and `bf16` are computed
        /// in `f32`. `flush_to_zero` replaces subnormal operands and results by zeros of the same
        /// sign.
        RSqrt = op("rsqrt", 0x5d, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$source $flush_to_zero `:` type($result)");
        /// Sine of an angle in radians: `result[i] = sin(source[i])`.
        Sin = op("sin", 0x62, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic sine: `result[i] = sinh(source[i])`.
        SinH = op("sinh", 0x63, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Square root: `result[i] = sqrt(source[i])`, rounded once in the first four modes. The
        /// result is a NaN for a negative number, but -0 for -0. `flush_to_zero` replaces subnormal
        /// operands and results by zeros of the same sign.
        Sqrt = op("sqrt", 0x64, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0001_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result"), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode $flush_to_zero `:` type($result)");
        /// Subtraction: `result[i] = lhs[i] - rhs[i]`, rounded once, as `rounding_mode` says. A NaN
        /// operand gives a NaN. `flush_to_zero` replaces subnormal operands and results by zeros of
        /// the same sign.
        SubF = op("subf", 0x67, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Tangent of an angle in radians: `result[i] = tan(source[i])`.
        Tan = op("tan", 0x69, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic tangent: `result[i] = tanh(source[i])`. `full` has an error of at most 2
        /// ulp in `f32` and 1 ulp in `f64`; `approx` keeps subnormal results.
        TanH = op("tanh", 0x6a, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_0000), 5).since(Version::V13_2)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode `:` type($result)");
    }
}
