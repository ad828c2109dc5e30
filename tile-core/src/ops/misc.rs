//! Op table rows of assumptions, printing and inline PTX.

use super::def::{
    AttrKind, Constraint, Dialect, Effects, OpDef, Rule, Version, attr, default_attr, one, op,
    optional, variadic,
};
use super::table::define_ops;

/// Starts a row of the dialect `ptx`, which has neither a version nor a number in bytecode.
const fn ptx(mnemonic: &'static str, number: u16) -> OpDef {
    op(mnemonic, number, Version::V13_1).dialect(Dialect::Ptx)
}

define_ops! {
    /// Assumptions, printing and inline PTX.
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
        /// Runs instructions of PTX, `text`, for the elements of its operands at each position. `{0}`,
        /// `{1}` and so on name registers: of the results first, then of the operands; `{{` and `}}`
        /// are braces. All tiles have one shape. How often the text runs for one position is not
        /// specified, but once at least; its results are the same each time. With `pack`, 2, 4, 8 or 16,
        /// it runs for as many elements that follow each other in row-major order. Each operand then has
        /// the registers of all: those of 8 and 16 bits share registers of 32, or one of 16, the
        /// first in the low bits.
        Ptx = ptx("ptx.inline", 0x4100)
            .operands(&[variadic("args", Constraint::NumTile)])
            .attrs(&[attr("text", AttrKind::Str), default_attr("pack", AttrKind::U64, 1)])
            .results(&[variadic("results", Constraint::NumTile)])
            .effects(Effects::Write)
            .custom("$text (`pack` `=` $pack)? `(` $args `)` (`:` type($args))? (`->` `(` type($results) `)`)?");
        /// As `ptx.inline`, of text whose results depend on its operands alone and which does
        /// nothing else: it may be merged, moved and left out.
        PtxPure = ptx("ptx.inline_pure", 0x4101)
            .operands(&[variadic("args", Constraint::NumTile)])
            .attrs(&[attr("text", AttrKind::Str), default_attr("pack", AttrKind::U64, 1)])
            .results(&[variadic("results", Constraint::NumTile)])
            .effects(Effects::NoMemoryEffect)
            .custom("$text (`pack` `=` $pack)? `(` $args `)` (`:` type($args))? (`->` `(` type($results) `)`)?");
    }
}
