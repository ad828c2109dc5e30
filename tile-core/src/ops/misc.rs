//! Assumptions.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, one, op};
use super::table::define_ops;

define_ops! {
    /// Assumptions.
    pub enum MiscOp {
        /// Passes a value through and promises that `predicate` holds for it.
        Assume = op("assume", 0x06, Version::V13_1)
            .operands(&[one("value", Constraint::Any)])
            .attrs(&[attr("predicate", AttrKind::Assume)])
            .results(&[one("result", Constraint::Any)])
            .rules(&[Rule::SameType(&["value", "result"])])
            .effects(Effects::Write)
            .asm("custom");
    }
}
