//! Canonicalization: rewrites a verified module to an equivalent, simpler one.
//!
//! The result verifies, has the same effects in the same order, and is a fixed point: it does not
//! change when it is canonicalized again. There are two presets:
//!
//! - [`Preset::Public`] applies the rewrites of the public `cuda_tile` project, whose tests can
//!   therefore run on this crate: folds of `select`, `if` and `assume`; patterns of `if`, `select`
//!   and `addf`; dead code elimination; hoisting and merging of constants.
//! - [`Preset::Full`], which [`canonicalize`] runs, adds constant folding of all pure operations
//!   through the interpreter, common subexpression elimination, removal of unused loads, and the
//!   expression simplifier at the fixed point.
//!
//! Each rewrite has a name, which a [`Trace`] records. No rewrite drops, repeats or moves an
//! operation that tokens order, except unused weak loads.

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

/// The set of rewrites that are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The rewrites of the public project.
    Public,
    /// All rewrites.
    Full,
}

/// A canonicalized module.
#[derive(Clone, Debug)]
pub struct Canonical(Module);

impl Canonical {
    /// Returns the module.
    pub fn module(&self) -> &Module {
        &self.0
    }

    /// Returns the module for further changes.
    pub fn into_inner(self) -> Module {
        self.0
    }
}

/// Canonicalizes a module with [`Preset::Full`].
pub fn canonicalize(verified: Verified) -> Canonical {
    let module = canonicalize_with(verified, Preset::Full, &mut Trace::new());
    Canonical(module)
}

/// The maximum number of rounds of each fixed-point iteration.
const MAX_ROUNDS: usize = 8;

/// Canonicalizes a module with the rewrites of `preset`, and records them in `trace`.
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

/// State that is kept between functions to reuse its allocations. Functions are processed one after
/// another, which keeps the working set small.
#[derive(Debug, Default)]
struct Stages {
    driver: Driver,
    expressions: cse::Table,
    simplifier: simplify::Memory,
}

impl Stages {
    /// Runs all rewrites until nothing changes.
    fn full(&mut self, rewriter: &mut Rewriter, block: BlockId, trace: &mut Trace) {
        // Merge common subexpressions first, so that the driver has fewer operations to visit.
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

    /// Runs the driver and common subexpression elimination until neither changes anything.
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
