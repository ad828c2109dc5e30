//! Passes: named rewrites of a module.
//!
//! A pass takes a [`Verified`] module and returns one that verifies; it records its rewrites in a
//! [`Trace`]. A [`Pipeline`] is a list of passes in text form, such as
//! `canonicalize,loop-split{threshold=3},cse`.

mod options;
mod trace;

pub use options::PassError;
pub use trace::{Rewrite, Trace};

use crate::canonicalize::{Preset, canonicalize_with};
use crate::diag::{Diagnostics, Reported};
use crate::flatten::{FlattenOptions, Outermost, Reduction, flatten};
use crate::ir::Module;
use crate::ops::{LoopOp, Opcode};
use crate::rewrite::Rewriter;
use crate::transform::{self, LoopSplit};
use crate::verify::{Verified, verify};
use options::Options;
use std::fmt;
use std::str::FromStr;

/// A rewrite of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Turns assumptions into assertions.
    AssertAssumptions,
    /// Applies the rewrites of the public project's canonicalizer.
    Canonicalize,
    /// Applies all rewrites that simplify a module without a trade-off.
    CanonicalizeFull,
    /// Common subexpression elimination.
    Cse,
    /// Dead code elimination.
    Dce,
    /// Lowers the dialect `loop` to `cuda_tile`.
    FlattenLoops(FlattenOptions),
    /// Fuses multiplications and additions into multiply-adds with one rounding.
    FuseFma,
    /// Loop-invariant code motion.
    Licm,
    /// Splits a loop with a condition on its induction variable into two loops without the
    /// condition.
    LoopSplit(LoopSplit),
    /// Simplifies expressions.
    Simplify,
    /// Removes token dependences between memory operations that need no order.
    RefineTokens,
    /// Unrolls loops that ask for several bodies per iteration.
    Unroll,
}

/// The table entry of a pass.
struct Entry {
    name: &'static str,
    /// A summary of one line.
    about: &'static str,
    make: fn(&mut Options<'_>) -> Result<Pass, PassError>,
}

const PASSES: &[Entry] = &[
    Entry {
        name: "assert-assumptions",
        about: "what is assumed is checked, and no longer taken for granted",
        make: |_| Ok(Pass::AssertAssumptions),
    },
    Entry {
        name: "canonicalize",
        about: "folds and patterns of the public project",
        make: |_| Ok(Pass::Canonicalize),
    },
    Entry {
        name: "canonicalize-full",
        about: "also constants through the interpreter, common subexpressions, the simplifier",
        make: |_| Ok(Pass::CanonicalizeFull),
    },
    Entry {
        name: "cse",
        about: "what is computed twice is computed once",
        make: |_| Ok(Pass::Cse),
    },
    Entry {
        name: "dce",
        about: "what nothing needs goes",
        make: |_| Ok(Pass::Dce),
    },
    Entry {
        name: "flatten-loops",
        about: "`loop.*` becomes `cuda_tile`; `outermost` parallel loops go over the `grid` or stay `sequential`, `reduction` across blocks is `two-phase` or `atomic`",
        make: |options| {
            let defaults = FlattenOptions::default();
            let outermost = options.choice("outermost", OUTERMOST)?;
            let reduction = options.choice("reduction", REDUCTION)?;
            Ok(Pass::FlattenLoops(FlattenOptions {
                outermost: outermost.unwrap_or(defaults.outermost),
                reduction: reduction.unwrap_or(defaults.reduction),
            }))
        },
    },
    Entry {
        name: "fuse-fma",
        about: "`a * b + c` and `a * b - c` with one rounding; changes results",
        make: |_| Ok(Pass::FuseFma),
    },
    Entry {
        name: "licm",
        about: "what does not change in a loop is computed before it",
        make: |_| Ok(Pass::Licm),
    },
    Entry {
        name: "loop-split",
        about: "a `for` with an `if` on its counter becomes two without; `threshold` operations make it worth while (1)",
        make: |options| {
            Ok(Pass::LoopSplit(LoopSplit {
                threshold: options.number("threshold")?.unwrap_or(1),
            }))
        },
    },
    Entry {
        name: "simplify",
        about: "pure expressions become cheaper ones: bits, ranges, comparisons, divisions",
        make: |_| Ok(Pass::Simplify),
    },
    Entry {
        name: "refine-tokens",
        about: "loads, and stores that do not overlap, do not wait for each other",
        make: |_| Ok(Pass::RefineTokens),
    },
    Entry {
        name: "unroll",
        about: "a `for` with the attribute `cuda_tile.unroll = n` gets n bodies per iteration; 0 for no loop at all",
        make: |_| Ok(Pass::Unroll),
    },
];

const OUTERMOST: &[(&str, Outermost)] = &[
    ("grid", Outermost::Grid),
    ("sequential", Outermost::Sequential),
];

const REDUCTION: &[(&str, Reduction)] = &[
    ("two-phase", Reduction::TwoPhase),
    ("atomic", Reduction::Atomic),
];

/// Aliases of pipelines: long names of passes, and the levels of `cuda-tile-optimize`.
const LEVELS: &[(&str, &str)] = &[
    ("loop-invariant-code-motion", "licm"),
    ("O1", "canonicalize,cse"),
    ("O2", "canonicalize,cse,licm"),
    ("O3", "canonicalize,cse,licm,loop-split,canonicalize"),
];

impl Pass {
    /// Returns the name of every pass with a summary of one line.
    pub fn list() -> impl Iterator<Item = (&'static str, &'static str)> {
        PASSES.iter().map(|entry| (entry.name, entry.about))
    }

    /// Returns every name of a pipeline with its passes.
    pub fn levels() -> impl Iterator<Item = (&'static str, &'static str)> {
        LEVELS.iter().copied()
    }

    /// Returns the name without options.
    pub fn name(&self) -> &'static str {
        match self {
            Pass::AssertAssumptions => "assert-assumptions",
            Pass::Canonicalize => "canonicalize",
            Pass::CanonicalizeFull => "canonicalize-full",
            Pass::Cse => "cse",
            Pass::Dce => "dce",
            Pass::FlattenLoops(_) => "flatten-loops",
            Pass::FuseFma => "fuse-fma",
            Pass::Licm => "licm",
            Pass::LoopSplit(_) => "loop-split",
            Pass::Simplify => "simplify",
            Pass::RefineTokens => "refine-tokens",
            Pass::Unroll => "unroll",
        }
    }

    /// Rewrites a module, and records the rewrites in `trace`.
    ///
    /// # Errors
    /// Returns an error, with the reason in `diagnostics`, if the pass cannot handle this module.
    pub fn run(
        &self,
        module: Verified,
        trace: &mut Trace,
        diagnostics: &mut Diagnostics,
    ) -> Result<Module, Reported> {
        let rewriting: fn(&mut Rewriter, &mut Trace) = match *self {
            Pass::AssertAssumptions => transform::assert_assumptions,
            Pass::Canonicalize => return Ok(canonicalize_with(module, Preset::Public, trace)),
            Pass::CanonicalizeFull => return Ok(canonicalize_with(module, Preset::Full, trace)),
            Pass::Cse => crate::canonicalize::cse::run,
            Pass::Dce => transform::dce,
            Pass::FlattenLoops(options) => {
                note_loops(&module, trace);
                let flattened = flatten(module, &options, diagnostics)?;
                return Ok(flattened.module.into_inner());
            }
            Pass::FuseFma => transform::fuse_fma,
            Pass::Simplify => crate::simplify::simplify,
            Pass::Licm => transform::licm,
            Pass::LoopSplit(options) => {
                let mut rewriter = Rewriter::new(module.into_inner());
                transform::loop_split(&mut rewriter, options, trace);
                return Ok(rewriter.finish());
            }
            Pass::RefineTokens => transform::refine_tokens,
            Pass::Unroll => transform::unroll,
        };
        let mut rewriter = Rewriter::new(module.into_inner());
        rewriting(&mut rewriter, trace);
        Ok(rewriter.finish())
    }
}

/// Records every structured loop and branch, all of which flattening replaces.
fn note_loops(module: &Module, trace: &mut Trace) {
    for id in module.walk(module.body()) {
        let op = module.op(id);
        let Opcode::LoopDialect(kind) = op.opcode else {
            continue;
        };
        let name = match kind {
            LoopOp::For => "flatten_for",
            LoopOp::If => "flatten_if",
            LoopOp::Parallel => "flatten_parallel",
            LoopOp::Reduce => "flatten_reduce",
            LoopOp::ReduceReturn | LoopOp::Yield => continue,
        };
        trace.note(name, op.loc);
    }
}

/// Turns the assumptions of a module into assertions.
///
/// # Errors
/// Returns an error if the result does not verify, which is a bug in the pass.
pub fn assert_assumptions(
    module: Verified,
    diagnostics: &mut Diagnostics,
) -> Result<Verified, Reported> {
    let pipeline = Pipeline(vec![Pass::AssertAssumptions]);
    pipeline.run(module, diagnostics, |_, _, _| {})
}

/// A list of passes in the order in which they run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline(Vec<Pass>);

impl Pipeline {
    /// Returns the passes.
    pub fn passes(&self) -> &[Pass] {
        &self.0
    }

    /// Runs all passes. `after` is called after each pass, with the module and the trace of that
    /// pass.
    ///
    /// # Errors
    /// Returns an error if a pass cannot handle the module, or if its result does not verify, which
    /// is a bug in the pass.
    pub fn run(
        &self,
        module: Verified,
        diagnostics: &mut Diagnostics,
        mut after: impl FnMut(&Pass, &Verified, &Trace),
    ) -> Result<Verified, Reported> {
        let mut module = module;
        for pass in &self.0 {
            let mut trace = Trace::recording();
            let rewritten = pass.run(module, &mut trace, diagnostics)?;
            module = verify(rewritten, diagnostics)?;
            after(pass, &module, &trace);
        }
        Ok(module)
    }
}

impl FromStr for Pipeline {
    type Err = PassError;

    fn from_str(text: &str) -> Result<Self, PassError> {
        let mut passes = Vec::new();
        for item in options::split(text)? {
            let (name, mut options) = Options::parse(item)?;
            if let Some((_, level)) = LEVELS.iter().find(|(level, _)| *level == name) {
                passes.extend(level.parse::<Pipeline>()?.0);
            } else {
                let entry = PASSES.iter().find(|entry| entry.name == name);
                let entry = entry.ok_or_else(|| unknown(name))?;
                passes.push((entry.make)(&mut options)?);
            }
            options.finish(name)?;
        }
        Ok(Self(passes))
    }
}

fn unknown(name: &str) -> PassError {
    let levels = LEVELS.iter().map(|(level, _)| *level);
    let names: Vec<String> = PASSES
        .iter()
        .map(|entry| entry.name)
        .chain(levels)
        .map(|name| format!("`{name}`"))
        .collect();
    PassError(format!(
        "unknown pass `{name}`, known are: {}",
        names.join(", ")
    ))
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Pass::LoopSplit(LoopSplit { threshold }) if *threshold != 1 => {
                write!(f, "{{threshold={threshold}}}")
            }
            Pass::FlattenLoops(options) => {
                let mut stated = Vec::new();
                if options.outermost != FlattenOptions::default().outermost {
                    stated.push("outermost=sequential");
                }
                if options.reduction != FlattenOptions::default().reduction {
                    stated.push("reduction=atomic");
                }
                if stated.is_empty() {
                    return Ok(());
                }
                write!(f, "{{{}}}", stated.join(","))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, pass) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(f, "{separator}{pass}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{LEVELS, PASSES, Pipeline};

    #[test]
    fn a_pipeline_reads_as_it_is_written() {
        for text in [
            "",
            "cse",
            "canonicalize,loop-split{threshold=3},cse",
            "flatten-loops{outermost=sequential,reduction=atomic}",
            "flatten-loops{reduction=atomic},cse",
        ] {
            let pipeline: Pipeline = text.parse().expect("a pipeline");
            assert_eq!(pipeline.to_string(), text);
        }
        let spaced: Pipeline = " cse , loop-split{ threshold = 1 }"
            .parse()
            .expect("passes");
        assert_eq!(spaced.to_string(), "cse,loop-split");
    }

    #[test]
    fn every_pass_and_level_is_known_by_its_name() {
        for entry in PASSES {
            let pipeline: Pipeline = entry.name.parse().expect("a pass");
            assert_eq!(pipeline.passes()[0].name(), entry.name);
        }
        for (level, passes) in LEVELS {
            let pipeline: Pipeline = level.parse().expect("a level");
            assert_eq!(pipeline.to_string(), *passes);
        }
    }

    #[test]
    fn what_is_wrong_with_a_pipeline_is_said() {
        let error = |text: &str| text.parse::<Pipeline>().expect_err("a fault").to_string();
        assert!(error("inline").starts_with(
            "unknown pass `inline`, known are: `assert-assumptions`, `canonicalize`, "
        ));
        assert_eq!(
            error("cse,,dce"),
            "expected the name of a pass between commas"
        );
        assert_eq!(error("cse{x=1}"), "`cse` has no option `x`");
        assert_eq!(
            error("loop-split{threshold=many}"),
            "expected a number for `threshold`, found `many`"
        );
        assert_eq!(
            error("loop-split{threshold}"),
            "expected `option=value`, found `threshold`"
        );
        assert_eq!(
            error("flatten-loops{reduction=two}"),
            "expected `two-phase` or `atomic` for `reduction`, found `two`"
        );
        assert_eq!(error("loop-split{threshold=1"), "`{` is not closed");
    }
}
