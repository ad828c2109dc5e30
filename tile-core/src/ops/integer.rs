//! Integer arithmetic.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, default_attr, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise integer arithmetic, and the integer matrix product.
    pub enum IntegerOp {
        /// Absolute value: `result[i] = |source[i]|`, read as unsigned, so that |MIN| is
        /// representable.
        AbsI = op("absi", 0x01, Version::V13_1)
            .operands(&[one("source", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source `:` type($result)");
        /// Addition: `result[i] = lhs[i] + rhs[i]`, wrapping unless `overflow` promises otherwise.
        AddI = op("addi", 0x03, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Comparison: `result[i] = lhs[i] PREDICATE rhs[i]`.
        CmpI = op("cmpi", 0x0f, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("comparison_predicate", AttrKind::Predicate), attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::I1Tile)])
            .rules(&[Rule::SameType(&["lhs", "rhs"]), Rule::SameShape(&["lhs", "result"])])
            .asm("$comparison_predicate $lhs `,` $rhs `,` $signedness `:` type($lhs) `->` type($result)");
        /// Division: `result[i] = lhs[i] / rhs[i]`, rounded as `rounding` says. Division by zero
        /// and signed MIN / -1 are undefined.
        DivI = op("divi", 0x15, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness), default_attr("rounding", AttrKind::Rounding(0b0000_1110), 1)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .effects(Effects::NoMemoryEffect)
            .asm("$lhs `,` $rhs $signedness $rounding `:` type($result)");
        /// Maximum: `result[i] = max(lhs[i], rhs[i])`.
        MaxI = op("maxi", 0x46, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Minimum: `result[i] = min(lhs[i], rhs[i])`.
        MinI = op("mini", 0x48, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Matrix multiply-accumulate: `result[m, n] = acc[m, n] + sum over k of lhs[m, k] * rhs[k,
        /// n]`, in i32, wrapping.
        MmaI = op("mmai", 0x4a, Version::V13_1)
            .operands(&[one("lhs", Constraint::I8Tile), one("rhs", Constraint::I8Tile), one("acc", Constraint::I32Tile)])
            .attrs(&[attr("signedness_lhs", AttrKind::Signedness), attr("signedness_rhs", AttrKind::Signedness)])
            .results(&[one("result", Constraint::I32Tile)])
            .rules(&[Rule::SameType(&["acc", "result"])])
            .asm("$lhs `,` $rhs `,` $acc $signedness_lhs $signedness_rhs `:` type($lhs) `,` type($rhs) `,` type($acc)");
        /// High half of the unsigned product: `result[i] = (x[i] * y[i]) >> width`.
        MulhiI = op("mulhii", 0x4d, Version::V13_1)
            .operands(&[one("x", Constraint::IntTile), one("y", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["x", "y", "result"])])
            .commutative()
            .asm("$x `,` $y `:` type($result)");
        /// Multiplication: `result[i] = lhs[i] * rhs[i]`, low half.
        MulI = op("muli", 0x4e, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Negation: `result[i] = -source[i]`.
        NegI = op("negi", 0x50, Version::V13_1)
            .operands(&[one("source", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0).since(Version::V13_2)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["source", "result"])])
            .asm("$source $overflow `:` type($result)");
        /// Remainder of the truncated division; it has the sign of `lhs`. A zero `rhs` is
        /// undefined.
        RemI = op("remi", 0x5a, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Shift left: `result[i] = lhs[i] << rhs[i]`, filled with zeros; `rhs` is unsigned and
        /// below the width.
        ShlI = op("shli", 0x60, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
        /// Shift right: logical if unsigned, arithmetic if signed; `rhs` is unsigned and below the
        /// width.
        ShrI = op("shri", 0x61, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[attr("signedness", AttrKind::Signedness)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $signedness `:` type($result)");
        /// Subtraction: `result[i] = lhs[i] - rhs[i]`, wrapping unless `overflow` promises
        /// otherwise.
        SubI = op("subi", 0x68, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .attrs(&[default_attr("overflow", AttrKind::Overflow, 0)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .asm("$lhs `,` $rhs $overflow `:` type($result)");
    }
}
