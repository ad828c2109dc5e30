//! Transforms: rewrites with a trade-off, since they change rounding, code size, or the order of
//! memory operations.
//!
//! Each transform works on a module in a rewriter, and is a pass ([`Pass`](crate::pass::Pass)).

mod arithmetic;
mod assert_assumptions;
mod fuse_fma;
mod licm;
mod loop_split;
mod refine_tokens;
mod speculation;
mod unroll;

pub(crate) use assert_assumptions::assert_assumptions;
pub(crate) use fuse_fma::fuse_fma;
pub(crate) use licm::licm;
pub use loop_split::LoopSplit;
pub(crate) use loop_split::loop_split;
pub(crate) use refine_tokens::refine_tokens;
pub(crate) use unroll::unroll;

use crate::pass::Trace;
use crate::rewrite::{Necessity, Rewriter};

/// Erases operations without effects whose results are unused, and then the operations whose
/// results only the erased ones used.
pub(crate) fn dce(rewriter: &mut Rewriter, trace: &mut Trace) {
    let ops = rewriter.walk(rewriter.module().body());
    // Users come after their operands, so one backward pass finds all dead operations.
    for op in ops.into_iter().rev() {
        if rewriter.is_attached(op)
            && rewriter.is_unused(op)
            && rewriter.is_removable(op, Necessity::Observable)
        {
            trace.note("dead_code", rewriter.op(op).loc);
            rewriter.erase(op);
        }
    }
}
