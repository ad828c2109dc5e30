//! Op table rows of integer arithmetic.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, default_attr, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise integer arithmetic, and the integer matmul.
    pub enum IntegerOp {
        /// Absolute value: `result[i] = |source[i]|`. The source is signed and the result unsigned,
        /// so |MIN| is representable.
        AbsI = op("absi", 0x01, Version::V13_1)
            .operands(&[one("source", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Addition: `result[i] = lhs[i] + rhs[i]`. The result wraps. `overflow` promises that it
        /// does not wrap as a signed number, as an unsigned number, or both; a broken promise is
        /// undefined behaviour.
        AddI = op("addi", 0x03, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Comparison: `result[i] = lhs[i] PREDICATE rhs[i]`. Numbers are read as `signedness`
        /// says; `equal` and `not_equal` do not depend on it.
        CmpI = op("cmpi", 0x0f, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("comparison_predicate", AttrKind::Predicate), attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::I1Tile)])
            .rules(&[Rule::SameType(&["lhs", "rhs"]), Rule::SameShape(&["lhs", "result"])])
            .asm("$comparison_predicate $lhs `,` $rhs `,` $signedness `:` type($lhs) `->` type($result)");
        /// Division: `result[i] = lhs[i] / rhs[i]`, rounded toward zero, down (`negative_inf`,
        /// of signed numbers only) or up (`positive_inf`). Division by zero and signed MIN / -1
        /// are undefined behaviour.
        DivI = op("divi", 0x15, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding", AttrKind::Rounding(0b0000_1110), 1)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .effects(Effects::NoMemoryEffect)
            .asm("$lhs `,` $rhs $signedness $rounding `:` type($result)");
        /// Maximum: `result[i] = max(lhs[i], rhs[i])`, of numbers read as `signedness` says.
        MaxI = op("maxi", 0x46, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Minimum: `result[i] = min(lhs[i], rhs[i])`, of numbers read as `signedness` says.
        MinI = op("mini", 0x48, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Matrix multiply-accumulate: `result[m, n] = acc[m, n] + sum over k of lhs[m, k] *
        /// rhs[k, n]`, in `i32`, wrapping; a leading axis is a batch. Each factor is read as
        /// its signedness says.
        MmaI = op("mmai", 0x4a, Version::V13_1)
            .operands(&[one("lhs", Constraint::I8Tile), one("rhs", Constraint::I8Tile), one("acc", Constraint::I32Tile)])
            .attrs(&[attr("signedness_lhs", AttrKind::Signedness), attr("signedness_rhs", AttrKind::Signedness)])
            .results(&[one("result", Constraint::I32Tile)])
            .rules(&[Rule::SameType(&["acc", "result"])])
            .asm("$lhs `,` $rhs `,` $acc $signedness_lhs $signedness_rhs `:` type($lhs) `,` type($rhs) `,` type($acc)");
        /// High half of the unsigned product: `result[i] = (x[i] * y[i]) >> width`, where the
        /// product has twice the width.
        MulhiI = op("mulhii", 0x4d, Version::V13_1)
            .operands(&[one("x", Constraint::IntTile), one("y", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["x", "y", "result"])])
            .commutative()
            .asm("$x `,` $y `:` type($result)");
        /// Multiplication: `result[i] = lhs[i] * rhs[i]`, the low half. The result wraps.
        /// `overflow` promises that it does not wrap as a signed number, as an unsigned number, or
        /// both; a broken promise is undefined behaviour.
        MulI = op("muli", 0x4e, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Negation: `result[i] = -source[i]`, of signed numbers. The result wraps. `overflow`
        /// promises that it does not; a broken promise is undefined behaviour.
        NegI = op("negi", 0x50, Version::V13_1)
            .operands(&[one("source", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0).since(Version::V13_2)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source $overflow `:` type($result)");
        /// Remainder of the truncated division: `result[i] = lhs[i] - trunc(lhs[i] / rhs[i]) *
        /// rhs[i]`, with the sign of `lhs[i]`, of numbers read as `signedness` says. A `rhs[i]`
        /// of 0 is undefined behaviour.
        RemI = op("remi", 0x5a, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Shift left: `result[i] = lhs[i] << rhs[i]`, filled with zeros. `rhs` is unsigned; the
        /// result is unspecified if `rhs[i]` is at least the width. `overflow` promises that no
        /// significant bit is lost; a broken promise is undefined behaviour.
        ShlI = op("shli", 0x60, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Shift right: `result[i] = lhs[i] >> rhs[i]`, filled with zeros if unsigned and with the
        /// sign if signed. `rhs` is unsigned; the result is unspecified if `rhs[i]` is at least the
        /// width.
        ShrI = op("shri", 0x61, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Subtraction: `result[i] = lhs[i] - rhs[i]`. The result wraps. `overflow` promises that
        /// it does not wrap as a signed number, as an unsigned number, or both; a broken promise is
        /// undefined behaviour.
        SubI = op("subi", 0x68, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
    }
}
