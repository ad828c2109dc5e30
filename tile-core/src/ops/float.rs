//! Floating point.

use super::def::{AttrKind, Constraint, Rule, Version, attr, default_attr, flag, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise floating point, and the float matrix product.
    pub enum FloatOp {
        /// Absolute value: clears the sign.
        AbsF = op("absf", 0x00, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Addition: `result[i] = lhs[i] + rhs[i]`, rounded once.
        AddF = op("addf", 0x02, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Angle of a point: the arc tangent of `x[i] / y[i]` in the quadrant of the signs of both.
        Atan2 = op("atan2", 0x6e, Version::V13_2)
            .operands(&[one("x", Constraint::BaseFloatTile), one("y", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["x", "y", "result"])])
            .asm("$x `,` $y `:` type($result)");
        /// Smallest integer not below: `result[i] = ceil(source[i])`.
        Ceil = op("ceil", 0x0d, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Comparison: `result[i] = lhs[i] PREDICATE rhs[i]`; with a NaN, true if `unordered` and
        /// false if `ordered`.
        CmpF = op("cmpf", 0x0e, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[attr("comparison_predicate", AttrKind::Predicate), attr("comparison_ordering", AttrKind::Ordering)])
            .results(&[one("result", Constraint::I1Tile)])
            .rules(&[Rule::SameType(&["lhs", "rhs"]), Rule::SameShape(&["lhs", "result"])])
            .asm("$comparison_predicate $comparison_ordering $lhs `,` $rhs `:` type($lhs) `->` type($result)");
        /// Cosine.
        Cos = op("cos", 0x12, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic cosine.
        CosH = op("cosh", 0x13, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Division: `result[i] = lhs[i] / rhs[i]`.
        DivF = op("divf", 0x14, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result"), Rule::RoundingNeedsF32(0b0011_0000, "result")])
            .asm("$lhs `,` $rhs $rounding_mode $flush_to_zero `:` type($result)");
        /// Exponential: `result[i] = e^source[i]`.
        Exp = op("exp", 0x17, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_0000), 5).since(Version::V13_3)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode `:` type($result)");
        /// Exponential to base two: `result[i] = 2^source[i]`.
        Exp2 = op("exp2", 0x18, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$source $flush_to_zero `:` type($result)");
        /// Largest integer not above: `result[i] = floor(source[i])`.
        Floor = op("floor", 0x27, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Fused multiply-add: `result[i] = lhs[i] * rhs[i] + acc[i]`, rounded once.
        Fma = op("fma", 0x28, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile), one("acc", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "acc", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs `,` $acc $rounding_mode! $flush_to_zero `:` type($result)");
        /// Power with an integer exponent: `result[i] = source[i]^exponent[i]`.
        FPowI = op("fpowi", 0x79, Version::V13_4)
            .operands(&[one("source", Constraint::BaseFloatTile), one("exponent", Constraint::IntTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::SameShape(&["source", "exponent"])])
            .asm("$source `,` $exponent `:` type($source) `,` type($exponent)");
        /// Natural logarithm.
        Log = op("log", 0x3f, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Logarithm to base two.
        Log2 = op("log2", 0x40, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Maximum; +0 is above -0. A NaN loses, unless `propagate_nan`.
        MaxF = op("maxf", 0x45, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[flag("propagate_nan"), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $flush_to_zero $propagate_nan `:` type($result)");
        /// Minimum; -0 is below +0. A NaN loses, unless `propagate_nan`.
        MinF = op("minf", 0x47, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[flag("propagate_nan"), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $flush_to_zero $propagate_nan `:` type($result)");
        /// Matrix multiply-accumulate: `result[m, n] = acc[m, n] + sum over k of lhs[m, k] * rhs[k,
        /// n]`; a leading axis is a batch.
        MmaF = op("mmaf", 0x49, Version::V13_1)
            .operands(&[one("lhs", Constraint::MmaInput), one("rhs", Constraint::MmaInput), one("acc", Constraint::MmaAccumulator)])
            .attrs(&[flag("fast_acc").since(Version::V13_3)])
            .results(&[one("result", Constraint::MmaAccumulator)])
            .rules(&[Rule::SameElement(&["lhs", "rhs"]), Rule::SameType(&["acc", "result"])])
            .asm("$lhs `,` $rhs `,` $acc $fast_acc `:` type($lhs) `,` type($rhs) `,` type($acc)");
        /// [`FloatOp::MmaF`] of operands with a scale factor for every block of elements along k.
        MmaFScaled = op("mmaf_scaled", 0x72, Version::V13_3)
            .operands(&[one("lhs", Constraint::MmaScaledInput), one("rhs", Constraint::MmaScaledInput), one("acc", Constraint::F32Tile), one("lhs_scale", Constraint::MmaScale), one("rhs_scale", Constraint::MmaScale)])
            .results(&[one("result", Constraint::F32Tile)])
            .rules(&[Rule::SameType(&["acc", "result"]), Rule::SameRank(&["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]), Rule::SameElement(&["lhs", "rhs"]), Rule::SameElement(&["lhs_scale", "rhs_scale"])])
            .asm("$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale `:` type($lhs) `,` type($rhs) `,` type($acc) `,` type($lhs_scale) `,` type($rhs_scale)");
        /// Multiplication: `result[i] = lhs[i] * rhs[i]`, rounded once.
        MulF = op("mulf", 0x4c, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .commutative()
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Negation: flips the sign.
        NegF = op("negf", 0x4f, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Power: `result[i] = source[i]^exponent[i]`.
        Pow = op("pow", 0x54, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile), one("exponent", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "exponent", "result"])])
            .asm("$source `,` $exponent `:` type($result)");
        /// Remainder of the truncated division: `lhs - trunc(lhs / rhs) * rhs`, exact, with the
        /// sign of `lhs`.
        RemF = op("remf", 0x59, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs `:` type($result)");
        /// Reciprocal square root: `result[i] = 1 / sqrt(source[i])`.
        RSqrt = op("rsqrt", 0x5d, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$source $flush_to_zero `:` type($result)");
        /// Sine.
        Sin = op("sin", 0x62, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic sine.
        SinH = op("sinh", 0x63, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Square root.
        Sqrt = op("sqrt", 0x64, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0001_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result"), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode $flush_to_zero `:` type($result)");
        /// Subtraction: `result[i] = lhs[i] - rhs[i]`, rounded once.
        SubF = op("subf", 0x67, Version::V13_1)
            .operands(&[one("lhs", Constraint::BaseFloatTile), one("rhs", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0000_1111), 0), flag("flush_to_zero")])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"]), Rule::FlagNeedsF32("flush_to_zero", "result")])
            .asm("$lhs `,` $rhs $rounding_mode! $flush_to_zero `:` type($result)");
        /// Tangent.
        Tan = op("tan", 0x69, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Hyperbolic tangent.
        TanH = op("tanh", 0x6a, Version::V13_1)
            .operands(&[one("source", Constraint::BaseFloatTile)])
            .attrs(&[default_attr("rounding_mode", AttrKind::Rounding(0b0011_0000), 5).since(Version::V13_2)])
            .results(&[one("result", Constraint::BaseFloatTile)])
            .rules(&[Rule::SameType(&["source", "result"]), Rule::RoundingNeedsF32(0b0001_0000, "result")])
            .asm("$source $rounding_mode `:` type($result)");
    }
}
