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
        /// Passes a value through and promises that `predicate` holds for it; a broken promise is
        /// undefined behaviour. `div_by<D>` says that elements are multiples of `D`; with `every N
        /// along K`, only the first of every `N` along axis `K` is a multiple, from which the
        /// others count up. `same_elements<[..]>` says that blocks of that shape hold one value
        /// each. `bounded<lb, ub>` says that signed elements are at least `lb` and at most `ub`.
        Assume = op("assume", 0x06, Version::V13_1)
            .operands(&[one("value", Constraint::Any)])
            .attrs(&[attr("predicate", AttrKind::Assume)])
            .results(&[one("result", Constraint::Any)])
            .rules(&[Rule::SameType(&["value", "result"])])
            .effects(Effects::Write)
            .asm("$predicate `,` $value `:` type($result)");
        /// Prints its arguments, for debugging, in the format `str` of C's `printf`, with one
        /// conversion per argument; the elements of a tile are printed in brackets, one pair per
        /// axis. The output of several tile blocks may interleave. Version 13.1 names it `print`.
        PrintTko = op("print_tko", 0x55, Version::V13_1)
            .operands(&[variadic("args", Constraint::Tile), optional("token", Constraint::Token).since(Version::V13_2)])
            .attrs(&[attr("str", AttrKind::Str)])
            .results(&[one("result_token", Constraint::Token).since(Version::V13_2)])
            .segmented()
            .effects(Effects::Write)
            .asm("$str (`,` $args^)? (`token=` $token^)? (`:` type($args)^)? `->` type($result_token)");
        /// Runs the PTX instructions `text` for the elements of its operands at each position.
        /// `{0}`, `{1}` and so on name registers: first those of the results, then those of the
        /// operands; `{{` and `}}` are literal braces. All tiles have the same shape. The text runs
        /// at least once for each position, with the same results each time; how often is
        /// unspecified. With `pack`, which is 2, 4, 8 or 16, the text runs for that number of
        /// consecutive elements in row-major order. Each operand then has registers for all of
        /// them: elements of 8 and 16 bits share 32-bit registers, or one 16-bit register, with the
        /// first element in the low bits.
        Ptx = ptx("ptx.inline", 0x4100)
            .operands(&[variadic("args", Constraint::NumTile)])
            .attrs(&[attr("text", AttrKind::Str), default_attr("pack", AttrKind::U64, 1)])
            .results(&[variadic("results", Constraint::NumTile)])
            .effects(Effects::Write)
            .custom("$text (`pack` `=` $pack)? `(` $args `)` (`:` type($args))? (`->` `(` type($results) `)`)?");
        /// Runs PTX like `ptx.inline`, but the results depend only on the operands and there are no
        /// other effects: it may be merged, moved and removed.
        PtxPure = ptx("ptx.inline_pure", 0x4101)
            .operands(&[variadic("args", Constraint::NumTile)])
            .attrs(&[attr("text", AttrKind::Str), default_attr("pack", AttrKind::U64, 1)])
            .results(&[variadic("results", Constraint::NumTile)])
            .effects(Effects::NoMemoryEffect)
            .custom("$text (`pack` `=` $pack)? `(` $args `)` (`:` type($args))? (`->` `(` type($results) `)`)?");
    }
}
