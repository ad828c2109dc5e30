//! Assumptions and printing.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, one, op, optional, variadic};
use super::table::define_ops;

define_ops! {
    /// Assumptions and printing.
    pub enum MiscOp {
        /// Passes a value through and promises that `predicate` holds for it; a broken promise
        /// is undefined behaviour. `div_by<D>` says that elements are multiples of `D` (with
        /// `every N along K`, the first of every `N` along axis `K`, from which the others
        /// count up), `same_elements<[..]>` that blocks of that shape hold one value,
        /// `bounded<lb, ub>` that signed elements are between both.
        Assume = op("assume", 0x06, Version::V13_1)
            .operands(&[one("value", Constraint::Any)])
            .attrs(&[attr("predicate", AttrKind::Assume)])
            .results(&[one("result", Constraint::Any)])
            .rules(&[Rule::SameType(&["value", "result"])])
            .effects(Effects::Write)
            .asm("$predicate `,` $value `:` type($result)");
        /// Prints its arguments, for debugging, in the format `str` of C's `printf`, with one
        /// conversion per argument; elements of a tile stand in brackets, a pair per axis.
        /// Output of several tile blocks may mix. Version 13.1 names it `print`.
        PrintTko = op("print_tko", 0x55, Version::V13_1)
            .operands(&[variadic("args", Constraint::Tile), optional("token", Constraint::Token).since(Version::V13_2)])
            .attrs(&[attr("str", AttrKind::Str)])
            .results(&[one("result_token", Constraint::Token).since(Version::V13_2)])
            .segmented()
            .effects(Effects::Write)
            .asm("$str (`,` $args^)? (`token=` $token^)? (`:` type($args)^)? `->` type($result_token)");
    }
}
