//! Canonicalization: a verified module to an equal, smaller one.
//!
//! In: a [`Verified`] module. Out: a [`Canonical`] module, in a fresh arena
//! without gaps, in which
//!
//! - nothing is computed that no effect depends on (`dce`);
//! - nothing is computed twice where the first result is at hand (`cse`).
//!
//! The steps repeat until neither changes anything; the result verifies, and
//! canonicalizing it again changes nothing. Operations keep their order, names
//! and locations. The order that tokens impose is kept: a weak load whose tile
//! is unused goes, and what waited for it waits for what it waited for.

mod cse;
mod dce;
mod rewrite;

use crate::ir::Module;
use crate::verify::Verified;

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

/// Removes redundant operations.
pub fn canonicalize(verified: Verified) -> Canonical {
    let mut module = verified.into_inner();
    loop {
        let merged = cse::merge(&module);
        let live = dce::live(&module, &merged);
        let smaller = rewrite::rebuild(&module, &merged, &live);
        let changed = merged.any() || live.any_bypassed() || smaller.num_ops() != module.num_ops();
        module = smaller;
        if !changed {
            return Canonical(module);
        }
    }
}
