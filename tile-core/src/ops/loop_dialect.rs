//! The structured dialect `loop`: loops and branches as a front end emits them.
//!
//! These operations are not part of `cuda_tile` and have no bytecode; [`crate::flatten`] lowers
//! them to `cuda_tile`.

use super::def::{Constraint, Dialect, Effects, OpDef, Rule, Version, flag, one, op, variadic};
use super::table::define_ops;

/// Starts a row of the dialect, which has neither a version nor a number in bytecode; `number`
/// identifies the row in tables.
const fn structured(mnemonic: &'static str, number: u16) -> OpDef {
    op(mnemonic, number, Version::V13_1).dialect(Dialect::Loop)
}

define_ops! {
    /// Operations of the dialect `loop`.
    pub enum LoopOp {
        /// Runs the body for `lowerBound`, `lowerBound + step`, … below `upperBound`, in this
        /// order. Loop-carried values start as `initArgs`, and `loop.yield` gives the next ones.
        /// The results are the last ones, or `initArgs` if there is no iteration. `step` is
        /// positive. Numbers are signed unless the flag `unsignedCmp`, written `unsigned`, is
        /// present. The sum of the induction variable and `step` is not computed if it would
        /// overflow.
        For = structured("loop.for", 0x4000)
            .operands(&[one("lowerBound", Constraint::ScalarInt), one("upperBound", Constraint::ScalarInt), one("step", Constraint::ScalarInt), variadic("initArgs", Constraint::Any)])
            .attrs(&[flag("unsignedCmp")])
            .results(&[variadic("results", Constraint::Any)])
            .regions(1)
            .rules(&[Rule::SameType(&["lowerBound", "upperBound", "step"])])
            .effects(Effects::Regions)
            .custom("$unsignedCmp argument `=` $lowerBound `to` $upperBound `step` $step (`iter_args` `(` argument `=` $initArgs `)` `->` `(` type($results) `)`)? `:` type($lowerBound) region");
        /// Runs the first region if `condition` is 1, else the second, which may be absent if there
        /// are no results. The results are what the region yields.
        If = structured("loop.if", 0x4001)
            .operands(&[one("condition", Constraint::ScalarI1)])
            .results(&[variadic("results", Constraint::Any)])
            .regions(2)
            .effects(Effects::Regions)
            .custom("$condition (`->` `(` type($results) `)`)? region `else` region");
        /// Runs the body for every point of a space of one or more dimensions, each of them a range
        /// as in `loop.for`. Iterations run in any order, also concurrently; a race between two of
        /// them is undefined behaviour. Each result is combined by the `loop.reduce` at the same
        /// position in the body, from the values of all iterations and from `initVals` if given.
        /// Without `initVals` and without any iteration, the results are undefined.
        Parallel = structured("loop.parallel", 0x4002)
            .operands(&[variadic("lowerBounds", Constraint::ScalarInt), variadic("upperBounds", Constraint::ScalarInt), variadic("steps", Constraint::ScalarInt), variadic("initVals", Constraint::Any)])
            .segmented()
            .attrs(&[flag("unsignedCmp")])
            .results(&[variadic("results", Constraint::Any)])
            .regions(1)
            .rules(&[Rule::SameType(&["lowerBounds", "upperBounds", "steps"])])
            .effects(Effects::Regions)
            .custom("$unsignedCmp `(` argument `)` `=` `(` $lowerBounds `)` `to` `(` $upperBounds `)` `step` `(` $steps `)` (`init` `(` $initVals `)`)? (`->` `(` type($results) `)`)? `:` type($lowerBounds) region");
        /// The contribution of an iteration of `loop.parallel` to one of its results. The body
        /// combines two values. Their order and grouping are unspecified, so the result is
        /// determined only if the body is associative and commutative.
        Reduce = structured("loop.reduce", 0x4003)
            .operands(&[one("operand", Constraint::Any)])
            .regions(1)
            .rules(&[Rule::ParentIsOneOf(&["loop.parallel"])])
            .effects(Effects::Write)
            .custom("`(` $operand `)` region `:` type($operand)");
        /// Ends the body of `loop.reduce` with the combined value.
        ReduceReturn = structured("loop.reduce.return", 0x4004)
            .operands(&[one("result", Constraint::Any)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["loop.reduce"])])
            .asm("$result `:` type($result)");
        /// Ends a region of `loop.for`, `loop.if` or `loop.parallel`: with the next loop-carried
        /// values, the results, or nothing. It may be omitted if it yields nothing.
        Yield = structured("loop.yield", 0x4005)
            .operands(&[variadic("results", Constraint::Any)])
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["loop.for", "loop.if", "loop.parallel"])])
            .asm("($results^ `:` type($results))?");
    }
}
