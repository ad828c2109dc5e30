//! Whether the tiles of an entry are shared by the blocks of a cluster, and by how many.
//!
//! In: an entry, the tiles alive in it, and what is asked for. Out: the parts of [`crate::gpu::Kernel::blocks_per_tile`].
//!
//! - one block as long as the tiles alive at once are no more than a quarter of a multiprocessor's registers: more
//!   leaves no room for a second block, or is spilled
//! - else the fewest with which a block has no more than half of that, so that blocks hide each other's waits
//! - as many as the author asks for, where the operations allow it
//!
//! Operations that no part of a cluster can do for itself, such as products and scans, those that see all
//! of a tile at once, and accesses that others of the grid take part in, leave it with one block
//! ([`may_be_split`]); so does a layout that no exchange is there for
//! ([`crate::gpu::is_possible`]).

use super::assign::is_elementwise;
use super::mma_strategy::is_matmul;
use crate::gpu::MAX_BLOCKS_PER_TILE;
use crate::remarks::{Kind, Remark, Remarks};
use crate::resources::estimate::Estimate;
use crate::resources::{ClusterSplit, KernelOptions};
use crate::target::{Arch, Feature};
use tile_core::ir::{MemoryOrdering, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::{Loc, Module};

/// Bytes of tiles alive at once that one block keeps for itself.
const MAX_BYTES: u64 = 64 << 10;

/// Bytes of them that a part has at the most, if there are parts enough.
const MAX_BYTES_PER_BLOCK: u64 = 32 << 10;

/// How many blocks share the tiles of an entry, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterSplitPlan {
    /// As many as are asked for, or as the tiles need; 1 where a launch starts one.
    wanted: u32,
    why: Why,
    /// The first operation that needs all of a tile in one block.
    prevented_by: Option<Loc>,
    has_mma: bool,
}

/// Why blocks would share tiles.
#[derive(Clone, Copy, Debug)]
enum Why {
    Asked,
    /// So many bytes are alive at once.
    Bytes(u64),
}

impl ClusterSplitPlan {
    pub(super) fn choose(
        module: &Module,
        ops: &[OpId],
        estimate: &Estimate<'_>,
        arch: Arch,
        kernel_options: KernelOptions,
    ) -> Self {
        let is_allowed =
            kernel_options.cluster_split == ClusterSplit::Auto && arch.has(Feature::Clusters);
        let (wanted, why) = match kernel_options.cluster {
            _ if !is_allowed => (1, Why::Asked),
            Some(blocks) if blocks.is_power_of_two() && blocks <= MAX_BLOCKS_PER_TILE => {
                (blocks, Why::Asked)
            }
            Some(_) => (1, Why::Asked),
            None => {
                let bytes = estimate.bytes();
                (blocks_for_bytes(bytes), Why::Bytes(bytes))
            }
        };
        let mut ops = ops.iter().copied();
        let has_mma = ops.clone().any(|op| is_matmul(module.op(op).opcode));
        let prevented_by = ops.find(|&op| wanted > 1 && !may_be_split(module, op));
        Self {
            wanted,
            why,
            prevented_by: prevented_by.map(|op| module.op(op).loc),
            has_mma,
        }
    }

    /// The blocks, as far as the operations of tile IR say.
    pub(super) fn blocks_per_tile(&self) -> u32 {
        match self.prevented_by {
            Some(_) => 1,
            None => self.wanted,
        }
    }

    /// Says that blocks share the tiles of the entry at `loc`.
    pub(super) fn remark_split(&self, loc: Loc, remarks: &mut Remarks) {
        let wanted = self.wanted;
        remarks.add(|| {
            let message = format!("{wanted} blocks of a cluster split each work tile");
            let note =
                format!("a launch starts {wanted} times as many blocks, in clusters of {wanted}");
            Remark::new(Kind::Chosen, loc, message)
                .note(self.because())
                .note(note)
        });
    }

    /// Says which operation of tile IR, or else the one at `exchange`, has kept blocks from sharing tiles. In a
    /// kernel with products none would.
    pub(super) fn remark_not_split(&self, exchange: Option<Loc>, remarks: &mut Remarks) {
        let (loc, what) = match (self.prevented_by, exchange) {
            _ if self.has_mma => return,
            (Some(loc), _) => (loc, "it needs all of a tile in one block"),
            (None, Some(loc)) => (
                loc,
                "a layout conversion goes through shared memory, which each block has for itself",
            ),
            (None, None) => return,
        };
        remarks.add(|| {
            let message = format!(
                "{} blocks of a cluster would split each work tile, but for this operation",
                self.wanted
            );
            Remark::new(Kind::NotSplit, loc, message)
                .note(what)
                .note(self.because())
        });
    }

    fn because(&self) -> String {
        match self.why {
            Why::Asked => format!("clusters of {} are asked for", self.wanted),
            Why::Bytes(bytes) => format!(
                "{} KiB of tiles are alive at once, and one block keeps {} in registers",
                bytes.div_ceil(1 << 10),
                MAX_BYTES >> 10
            ),
        }
    }
}

/// The parts of so many bytes.
fn blocks_for_bytes(bytes: u64) -> u32 {
    if bytes <= MAX_BYTES {
        return 1;
    }
    let blocks_per_tile = bytes.div_ceil(MAX_BYTES_PER_BLOCK).next_power_of_two();
    u32::try_from(blocks_per_tile)
        .unwrap_or(MAX_BLOCKS_PER_TILE)
        .min(MAX_BLOCKS_PER_TILE)
}

/// Whether the blocks of a cluster can do an operation, each for its elements, or by an exchange that there is.
fn may_be_split(module: &Module, id: OpId) -> bool {
    let op = module.op(id);
    match op.opcode {
        opcode if is_elementwise(opcode) => true,
        Opcode::Core(op) => matches!(
            op,
            CoreOp::Broadcast
                | CoreOp::Constant
                | CoreOp::GetNumTileBlocks
                | CoreOp::GetTileBlockId
                | CoreOp::Iota
                | CoreOp::Permute
                | CoreOp::Reduce
                | CoreOp::Reshape
        ),
        Opcode::ControlFlow(op) => op != ControlFlowOp::Assert,
        Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
        | Opcode::Memory(MemoryOp::LoadPtrTko | MemoryOp::StorePtrTko) => {
            // What others of the grid write meanwhile, blocks might see differently.
            op.memory_ordering() == MemoryOrdering::Weak
        }
        Opcode::View(_) => true,
        Opcode::Memory(op) => matches!(op, MemoryOp::JoinTokens | MemoryOp::MakeToken),
        Opcode::Misc(op) => op == MiscOp::Assume,
        Opcode::Atomic(_)
        | Opcode::Float(_)
        | Opcode::Integer(_)
        | Opcode::Bitwise(_)
        | Opcode::Conversion(_)
        | Opcode::LoopDialect(_)
        | Opcode::Testing(_)
        | Opcode::Unregistered(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::blocks_for_bytes;

    #[test]
    fn parts_have_a_quarter_to_an_eighth_of_the_registers() {
        let of = |kilobytes: u64| blocks_for_bytes(kilobytes << 10);
        assert_eq!([of(1), of(64)], [1, 1]);
        assert_eq!([of(65), of(96), of(128)], [4, 4, 4]);
        assert_eq!([of(129), of(256)], [8, 8]);
        assert_eq!([of(512), of(u64::MAX >> 10)], [8, 8]);
    }
}
