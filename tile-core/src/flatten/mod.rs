//! Flattening: structured loops of the dialect `loop` to `cuda_tile`.
//!
//! In: a [`Verified`] module. Out: a [`Flattened`] module in a fresh arena, which verifies
//! and has no operation of `loop`, and what a host must know to launch its entries.
//!
//! - `loop.for` becomes `for`, `loop.if` becomes `if`, a `loop.parallel` inside of another
//!   operation becomes nested `for`s and its results values that these carry (`sequential`).
//! - The first `loop.parallel` directly in an entry is *outermost*: its iterations are
//!   shared out over the tile blocks of the launch, of whatever grid (`grid`). What stands
//!   before it runs in every block and must not have effects. What stands behind it runs
//!   once, in the last block to finish, which combines the results of the blocks in a fixed
//!   order (`across_blocks`).
//! - No sum or product leaves its type: where `lower + k * step` might, the loop counts
//!   its trips (`range`).
//! - Memory accesses are ordered by tokens, before and after. So what stands behind an
//!   outermost loop sees the stores of the loop if it waits for a token that the loop
//!   reduces.
//!
//! Takes time linear in the size of the result, in which the body of a `loop.reduce` may
//! stand twice.

mod across_blocks;
mod arithmetic;
mod atomic;
mod combine;
mod entry;
mod grid;
mod plan;
mod range;
mod refuse;
mod rewriter;
mod sequential;

pub use plan::{AtomicTarget, Bound, Buffer, Elements, EntryPlan, GridPlan, Trips};

use crate::diag::{Diagnostics, Reported};
use crate::ir::Module;
use crate::ops::Opcode;
use crate::verify::{Verified, verify};
use rewriter::Rewriter;

/// What becomes of the outermost parallel loops of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outermost {
    /// They are shared out over the blocks of the grid. The entry says what is to be done
    /// once, whatever the grid.
    #[default]
    Grid,
    /// They are sequential like inner ones. The entry says what each block does.
    Sequential,
}

/// How the results of blocks are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Each block writes its result to a buffer, and the last one combines them in the
    /// order of the blocks: the same launch gives the same bits.
    #[default]
    TwoPhase,
    /// By atomic operations on memory that the host initializes, where the loop's results
    /// are only stored and the operation exists; otherwise in two phases.
    Atomic,
}

/// How to flatten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlattenOptions {
    /// Outermost parallel loops.
    pub outermost: Outermost,
    /// Their results.
    pub reduction: Reduction,
}

/// A module without operations of `loop`.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The module.
    pub module: Verified,
    /// How to launch its entries, in their order.
    pub entries: Vec<EntryPlan>,
}

/// Flattens every loop of a module.
///
/// # Errors
/// If an entry cannot be flattened; what is wrong, where, and the cure are reported.
pub fn flatten(
    module: Verified,
    options: &FlattenOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Flattened, Reported> {
    if !has_loops(&module) {
        let entries = module.entries();
        let entries = entries.map(|id| EntryPlan::for_blocks(module.op(id).sym_name()));
        return Ok(Flattened {
            entries: entries.collect(),
            module,
        });
    }
    refuse::check(&module, *options, diagnostics)?;
    let mut rewriter = Rewriter::new(&module, *options);
    let entries = rewriter.module();
    let flat = rewriter.to;
    refuse::remark(&module, *options, diagnostics);
    Ok(Flattened {
        // Loops of more dimensions than one may nest too deep now.
        module: verify(flat, diagnostics)?,
        entries,
    })
}

/// Whether any operation is one of `loop`.
fn has_loops(module: &Module) -> bool {
    let is_loop = |&id: &_| matches!(module.op(id).opcode, Opcode::LoopDialect(_));
    module.walk(module.body()).iter().any(is_loop)
}
