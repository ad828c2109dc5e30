//! Op table rows of branches, loops and terminators.

use super::def::{AttrKind, Constraint, Effects, Rule, Version, attr, flag, one, op, variadic};
use super::table::define_ops;

define_ops! {
    /// Structured control flow and its terminators.
    pub enum ControlFlowOp {
        /// Prints `message` and the index of every element of `condition` that is 0, and signals an
        /// error to the host; the kernel may continue.
        Assert = op("assert", 0x05, Version::V13_1)
            .operands(&[one("condition", Constraint::I1Tile)])
            .attrs(&[attr("message", AttrKind::Str)])
            .effects(Effects::Write)
            .asm("$condition `,` $message `:` type($condition)");
        /// Leaves the innermost `loop`, with the operands as the results of the loop. Inside the
        /// loop, only `if`s may enclose it; it cannot leave a `for`.
        Break = op("break", 0x0a, Version::V13_1)
            .operands(&[variadic("operands", Constraint::AnyTileIr)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["if", "loop"])])
            .effects(Effects::Write)
            .asm("($operands^ `:` type($operands))?");
        /// Starts the next iteration of the innermost `for` or `loop`, with the operands as
        /// loop-carried values. Inside the loop, only `if`s may enclose it.
        Continue = op("continue", 0x11, Version::V13_1)
            .operands(&[variadic("operands", Constraint::AnyTileIr)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["for", "if", "loop"])])
            .effects(Effects::Write)
            .asm("($operands^ `:` type($operands))?");
        /// Runs the body for `lowerBound`, `lowerBound + step`, … below `upperBound`. Loop-carried
        /// values start as `initValues`, and `continue` gives the next ones. The results are the
        /// last ones, or `initValues` if there is no iteration. `step` is positive. The comparison
        /// is signed unless the flag `unsignedCmp`, written `unsigned`, is present. Views cannot be
        /// loop-carried.
        For = op("for", 0x29, Version::V13_1)
            .operands(&[one("lowerBound", Constraint::ScalarInt), one("upperBound", Constraint::ScalarInt), one("step", Constraint::ScalarInt), variadic("initValues", Constraint::Any)])
            .attrs(&[flag("unsignedCmp").since(Version::V13_2)])
            .results(&[variadic("resultValues", Constraint::Any)])
            .regions(1)
            .rules(&[Rule::SameType(&["lowerBound", "upperBound", "step"])])
            .effects(Effects::Regions)
            .custom("$unsignedCmp argument `in` `(` $lowerBound `to` $upperBound `,` `step` $step `)` `:` type($lowerBound) (`iter_values` `(` argument `=` $initValues `)` `->` `(` type($resultValues) `)`)? region");
        /// Runs the first region if `condition` is 1, else the second, which may be absent if there
        /// are no results. The results are what the region yields; it may also end in `break`,
        /// `continue` or `return`. Views cannot be results.
        If = op("if", 0x32, Version::V13_1)
            .operands(&[one("condition", Constraint::ScalarI1)])
            .results(&[variadic("results", Constraint::Any)])
            .regions(2)
            .effects(Effects::Regions)
            .custom("$condition (`->` `(` type($results) `)`)? region `else` region");
        /// Runs the body until a `break`, whose operands are the results. Loop-carried values start
        /// as `initValues`, and `continue` gives the next ones; their types are independent of
        /// those of the results. Neither can be views.
        Loop = op("loop", 0x41, Version::V13_1)
            .operands(&[variadic("initValues", Constraint::Any)])
            .results(&[variadic("resultValues", Constraint::Any)])
            .regions(1)
            .effects(Effects::Regions)
            .custom("(`iter_values` `(` argument `=` $initValues `)`)? (`:` type($initValues) `->` type($resultValues))? region");
        /// Ends the kernel for this tile block. Inside the entry, only `if`s may enclose it.
        Return = op("return", 0x5c, Version::V13_1)
            .operands(&[variadic("operands", Constraint::Any)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["entry", "if", "testing$func"])])
            .effects(Effects::Write)
            .asm("($operands^ `:` type($operands))?");
        /// Ends a region of `if`, `reduce` or `scan` with its results.
        Yield = op("yield", 0x6d, Version::V13_1)
            .operands(&[variadic("operands", Constraint::AnyTileIr)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["if", "reduce", "scan"])])
            .asm("($operands^ `:` type($operands))?");
    }
}
