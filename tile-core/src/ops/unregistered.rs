//! The op table row of operations of unknown dialects.

use super::def::{AttrKind, Constraint, Effects, Version, attr, op, optional_attr, variadic};
use super::table::define_ops;

define_ops! {
    /// The operations that `--allow-unregistered-dialect` admits.
    pub enum UnregisteredOp {
        /// An operation of another dialect, in generic form, about which nothing is known. Its name
        /// replaces the mnemonic, its attributes are discardable, and its properties are kept as
        /// written.
        Op = op("unregistered", 0xffff, Version::V13_1)
            .operands(&[variadic("operands", Constraint::Any)])
            .attrs(&[attr("name", AttrKind::Str), optional_attr("properties", AttrKind::Str)])
            .results(&[variadic("results", Constraint::Any)])
            .any_regions()
            .effects(Effects::Write)
            .custom("$name `(` $operands `)` (`<` $properties `>`)? (`(` region `)`)? `:` `(` type($operands) `)` `->` `(` type($results) `)`");
    }
}
