//! Flattening: lowers structured loops of the dialect `loop` to `cuda_tile`.
//!
//! The input is a [`Verified`] module. The output is a [`Flattened`] module in a fresh arena, which
//! verifies and has no operation of `loop`, with the data that a host needs to launch its entries.
//!
//! - `loop.for` becomes `for`, `loop.if` becomes `if`, and a `loop.parallel` nested in another
//!   operation becomes nested `for`s, whose carried values are its results (`sequential`).
//! - The first `loop.parallel` directly in an entry is *outermost*: its iterations are distributed
//!   over the tile blocks of the launch, for any grid (`grid`). Operations before it run in every
//!   block and must not have effects. Operations after it run once, in the last block to finish,
//!   which combines the results of the blocks in a fixed order (`across_blocks`).
//! - No sum or product overflows its type: where `lower + k * step` might, the loop counts its
//!   trips (`range`).
//! - Tokens order memory accesses, before and after flattening. Operations after an outermost loop
//!   therefore see the stores of the loop if they depend on a token that the loop reduces.
//!
//! Flattening takes time linear in the size of the result, which may contain the body of a
//! `loop.reduce` twice.

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

/// The lowering of the outermost parallel loops of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outermost {
    /// The loops are distributed over the blocks of the grid. The entry describes the work of the
    /// whole launch, for any grid.
    #[default]
    Grid,
    /// The loops are sequential, like inner ones. The entry describes the work of each block.
    Sequential,
}

/// The method that combines the results of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Each block writes its result to a buffer, and the last block combines them in the order of
    /// the blocks: the same launch gives the same bits.
    #[default]
    TwoPhase,
    /// Atomic operations combine the results in memory that the host initializes, if the loop's
    /// results are only stored and such operations exist. Otherwise like [`Reduction::TwoPhase`].
    Atomic,
}

/// Options of [`flatten`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlattenOptions {
    /// The lowering of outermost parallel loops.
    pub outermost: Outermost,
    /// The method that combines their results.
    pub reduction: Reduction,
}

/// A module without operations of `loop`.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The module.
    pub module: Verified,
    /// The launch descriptions of its entries, in their order.
    pub entries: Vec<EntryPlan>,
}

/// Flattens every loop of a module.
///
/// # Errors
/// If an entry cannot be flattened; the diagnostics state the problem, its location and the remedy.
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
        // A loop of several dimensions may now exceed the nesting limit.
        module: verify(flat, diagnostics)?,
        entries,
    })
}

/// Returns `true` if any operation belongs to `loop`.
fn has_loops(module: &Module) -> bool {
    let is_loop = |&id: &_| matches!(module.op(id).opcode, Opcode::LoopDialect(_));
    module.walk(module.body()).iter().any(is_loop)
}
