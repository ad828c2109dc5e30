//! Op table rows of bitwise operations.

use super::def::{Constraint, Rule, Version, one, op};
use super::table::define_ops;

define_ops! {
    /// Element-wise bitwise operations.
    pub enum BitwiseOp {
        /// And: `result[i] = lhs[i] & rhs[i]`.
        AndI = op("andi", 0x04, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs `:` type($result)");
        /// Or: `result[i] = lhs[i] | rhs[i]`.
        OrI = op("ori", 0x52, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs `:` type($result)");
        /// Exclusive or: `result[i] = lhs[i] ^ rhs[i]`. The exclusive or with `true` negates an
        /// `i1`.
        XorI = op("xori", 0x6c, Version::V13_1)
            .operands(&[one("lhs", Constraint::IntTile), one("rhs", Constraint::IntTile)])
            .results(&[one("result", Constraint::IntTile)])
            .rules(&[Rule::SameType(&["lhs", "rhs", "result"])])
            .commutative()
            .asm("$lhs `,` $rhs `:` type($result)");
    }
}
