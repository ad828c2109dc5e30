//! Canonicalization: a verified module to an equal, simpler one.
//!
//! In: a [`Verified`] module. Out: a module that verifies, has the same effects in the
//! same order, and does not change when it is canonicalized again. Two presets:
//!
//! - [`Preset::Public`] does what the public `cuda_tile` project does, so that its
//!   tests can be run on it: folds of `select`, `if` and `assume`; patterns of `if`,
//!   `select` and `addf`; dead code; one of each constant, at the start.
//! - [`Preset::Full`], which [`canonicalize`] runs, adds folding of everything pure
//!   through the interpreter, common subexpressions, loads that nothing needs, and at
//!   the fixed point the expression simplifier.
//!
//! Rewrites have names, which a [`Trace`] collects. None drops, repeats or moves an
//! operation that tokens order, save for weak loads that nothing needs.

mod branch;
mod constants;
pub(crate) mod cse;
mod driver;
mod float;
mod memory;
mod misc;
mod pattern;
mod select;

use crate::ir::{BlockId, Module};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::simplify;
use crate::verify::Verified;
use driver::{Driver, Scope, Start};
pub(crate) use float::product_first;

/// Which rewrites take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// What the public project does.
    Public,
    /// Everything.
    Full,
}

/// A module without redundant operations.
#[derive(Clone, Debug)]
pub struct Canonical(Module);

impl Canonical {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.0
    }

    /// The module, to be changed.
    pub fn into_inner(self) -> Module {
        self.0
    }
}

/// Removes redundant operations: everything that is known.
pub fn canonicalize(verified: Verified) -> Canonical {
    let module = canonicalize_with(verified, Preset::Full, &mut Trace::new());
    Canonical(module)
}

/// How often something is done again at most, after something else has changed the function.
const MAX_ROUNDS: usize = 8;

/// Removes redundant operations as `preset` says, and notes what was done.
pub fn canonicalize_with(verified: Verified, preset: Preset, trace: &mut Trace) -> Module {
    let mut rewriter = Rewriter::new(verified.into_inner());
    let mut stages = Stages::default();
    for block in rewriter.functions() {
        match preset {
            Preset::Public => {
                let everything = (Scope::Public, Start::Everywhere);
                stages.driver.run(&mut rewriter, block, everything, trace);
            }
            Preset::Full => stages.full(&mut rewriter, block, trace),
        }
    }
    rewriter.finish()
}

/// What is kept from one function to the next, for its allocations. One function after the
/// other, so that what is worked on is small.
#[derive(Debug, Default)]
struct Stages {
    driver: Driver,
    expressions: cse::Table,
    simplifier: simplify::Memory,
}

impl Stages {
    /// Everything, until nothing changes.
    fn full(&mut self, rewriter: &mut Rewriter, block: BlockId, trace: &mut Trace) {
        // Repetitions first, so that there is less to look at.
        self.expressions.run(rewriter, block, trace);
        let mut start = Start::Everywhere;
        for _ in 0..MAX_ROUNDS {
            self.patterns(rewriter, block, start, trace);
            start = Start::AtChanges;
            let before = trace.total();
            self.simplifier.simplify(rewriter, block, trace);
            if trace.total() == before {
                return;
            }
        }
    }

    /// Folds, patterns and repetitions, until none is left.
    fn patterns(
        &mut self,
        rewriter: &mut Rewriter,
        block: BlockId,
        start: Start,
        trace: &mut Trace,
    ) {
        let mut start = start;
        for _ in 0..MAX_ROUNDS {
            let before = trace.total();
            self.driver
                .run(rewriter, block, (Scope::Full, start), trace);
            if trace.total() == before && start == Start::Everywhere {
                return;
            }
            start = Start::AtChanges;
            let before = trace.total();
            self.expressions.run(rewriter, block, trace);
            if trace.total() == before {
                return;
            }
        }
    }
}
