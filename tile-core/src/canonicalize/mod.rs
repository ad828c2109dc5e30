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

use crate::ir::Module;
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::simplify::simplify;
use crate::verify::Verified;
use driver::{Scope, Start};
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

/// How often everything is done again at most, after the driver has ended and something
/// else has changed the module.
const MAX_TURNS: usize = 8;

/// Removes redundant operations as `preset` says, and notes what was done.
pub fn canonicalize_with(verified: Verified, preset: Preset, trace: &mut Trace) -> Module {
    let mut rewriter = Rewriter::new(verified.into_inner());
    if preset == Preset::Public {
        driver::run(&mut rewriter, Scope::Public, Start::Everywhere, trace);
        return rewriter.finish();
    }
    cse::run(&mut rewriter, trace);
    let mut start = Start::Everywhere;
    for _ in 0..MAX_TURNS {
        driver::run(&mut rewriter, Scope::Full, start, trace);
        start = Start::AtChanges;
        let before = trace.total();
        simplify(&mut rewriter, trace);
        cse::run(&mut rewriter, trace);
        if trace.total() == before {
            break;
        }
    }
    rewriter.finish()
}
