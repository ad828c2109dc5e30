//! Persistent kernels: blocks that each process several work tiles.
//!
//! With a block per work tile, every block starts with nothing in flight, and ends with a store that nothing
//! overlaps. A *persistent* kernel starts only as many blocks as run at the same time, and each loops over
//! work tiles:
//!
//! ```text
//!   first, end, step = work_tile_range      of 3 blocks, the second:  1, 10, 3
//!   for n in first..end step step {                                   1 4 7
//!     x, y, z = work_tile_coordinates n
//!     …                                                               the kernel, as it was
//!   }
//! ```
//!
//! The host passes the extents of the author's grid after the tensor maps, as three `i32`; the hardware's own
//! grid gives the number of blocks. Any number of blocks, in any shape, is allowed; a launch with one block
//! per work tile computes the same result.
//!
//! If blocks are started in pairs ([`super::Clusters`]), rows of the author's grid and the number of blocks
//! are even, so that both blocks of a pair process the same number of work tiles, which are neighbours in a
//! row.

use super::{BlockId, Kernel, Op, OpId, OpKind, Trait, Ty, ValueId};
use tile_core::Scalar;

/// Number of parameters after the maps: the extents of the author's grid.
pub const GRID_PARAMS: usize = 3;

/// Returns the errors of a kernel, persistent or not.
pub(super) fn errors(kernel: &Kernel) -> Vec<String> {
    let mut verifier = Found {
        kernel,
        errors: Vec::new(),
        loops: 0,
    };
    verifier.program(kernel.body());
    let Found {
        mut errors, loops, ..
    } = verifier;
    let wanted = match (kernel.launch.is_persistent, kernel.launch.producer_warps) {
        (false, _) => 0,
        (true, 0) => 1,
        (true, _) => 2,
    };
    if loops != wanted {
        errors.push(format!(
            "{loops} loops iterate over the work tiles, not {wanted}"
        ));
    }
    errors
}

struct Found<'k> {
    kernel: &'k Kernel,
    errors: Vec<String>,
    /// Number of loops over work tiles.
    loops: usize,
}

impl Found<'_> {
    /// Checks that the body of the kernel, or the producer's program, processes every work tile once.
    fn program(&mut self, block: BlockId) {
        let kernel = self.kernel;
        let mut work_tile_range = None;
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            match &op.kind {
                OpKind::WorkTileRange => {
                    self.demand(work_tile_range.is_none(), "`work_tile_range` occurs twice");
                    work_tile_range = Some(op);
                }
                OpKind::WarpSpecialize => self.program(op.blocks[0]),
                OpKind::For { unsigned }
                    if work_tile_range.is_some_and(|range| is_through(op, range)) =>
                {
                    self.demand(*unsigned, "work tile numbers are unsigned");
                    self.loops += 1;
                    let number = kernel.block(op.blocks[0]).args[0];
                    self.inside(op.blocks[0], Some(number));
                }
                kind if kernel.launch.is_persistent => {
                    let text = "this runs once for all work tiles of a block";
                    self.demand(kind.has(Trait::PerBlock), text);
                }
                _ => self.op(id, None),
            }
        }
    }

    fn inside(&mut self, block: BlockId, number: Option<ValueId>) {
        for &id in &self.kernel.block(block).ops {
            self.op(id, number);
        }
    }

    /// Checks an operation that runs for the work tile with this number.
    fn op(&mut self, id: OpId, number: Option<ValueId>) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match op.kind {
            OpKind::WorkTileRange => {
                self.demand(false, "`work_tile_range` is not at the top level");
            }
            OpKind::WorkTileCoordinates => {
                let is_own = number.is_some() && op.args.first() == number.as_ref();
                self.demand(is_own, "this is not the number of the work tile");
            }
            OpKind::BlockId(_) => self.demand(
                !kernel.launch.is_persistent,
                "hardware block indices do not identify the work tile of a persistent block",
            ),
            OpKind::Return => self.demand(
                !kernel.launch.is_persistent,
                "a persistent block returns before its last work tile",
            ),
            ref kind if kind.has(Trait::Observable) => self.demand(
                !kernel.launch.is_persistent,
                "others may wait for it that come after this block",
            ),
            _ => {}
        }
        if matches!(op.kind, OpKind::WorkTileRange | OpKind::WorkTileCoordinates) {
            let mut values = op.args.iter().chain(&op.results);
            let is_numeric = values.all(|&value| kernel.ty(value) == Ty::Uniform(Scalar::I32));
            self.demand(is_numeric, "work tile numbers are not `i32`");
        }
        for &inner in &op.blocks {
            self.inside(inner, number);
        }
    }

    fn demand(&mut self, holds: bool, text: &str) {
        if !holds {
            self.errors.push(text.to_owned());
        }
    }
}

/// Returns `true` if a loop iterates over the work tiles of a block, from the first to the end.
fn is_through(op: &Op, work_tile_range: &Op) -> bool {
    op.args.get(..3) == work_tile_range.results.get(..3)
}
