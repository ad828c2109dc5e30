//! Whether the tiles of an entry are shared by the blocks of a cluster, and by how many.
//!
//! In: an entry, the tiles alive in it, and what is asked for. Out: the parts of [`crate::gpu::Kernel::parts`].
//!
//! - one block as long as the tiles alive at once are no more than a quarter of a multiprocessor's registers: more
//!   leaves no room for a second block, or is spilled
//! - else the fewest with which a block has no more than half of that, so that blocks hide each other's waits
//! - as many as the author asks for, where the operations allow it
//!
//! Operations that no part of a cluster can do for itself, such as products and scans, those that see all
//! of a tile at once, and accesses that others of the grid take part in, leave it with one block
//! ([`may_be_shared`]); so does a layout that no exchange is there for
//! ([`crate::gpu::is_possible`]).

use super::assign::is_elementwise;
use crate::gpu::MOST_PARTS;
use crate::resources::estimate::Estimate;
use crate::resources::{HostParts, Wishes};
use crate::target::{Arch, Feature};
use tile_core::Module;
use tile_core::ir::{MemoryOrdering, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};

/// Bytes of tiles alive at once that one block keeps for itself.
const MOST_BYTES: u64 = 64 << 10;

/// Bytes of them that a part has at the most, if there are parts enough.
const MOST_BYTES_OF_PART: u64 = 32 << 10;

/// How many blocks share the tiles of an entry.
pub(super) fn parts(
    module: &Module,
    ops: &[OpId],
    estimate: &Estimate<'_>,
    arch: Arch,
    wishes: Wishes,
) -> u32 {
    let is_possible = wishes.parts == HostParts::OfKernel
        && arch.has(Feature::Clusters)
        && ops.iter().all(|&op| may_be_shared(module, op));
    if !is_possible {
        return 1;
    }
    match wishes.cluster {
        Some(blocks) if blocks.is_power_of_two() && blocks <= MOST_PARTS => blocks,
        Some(_) => 1,
        None => of_bytes(estimate.bytes()),
    }
}

/// The parts of so many bytes.
fn of_bytes(bytes: u64) -> u32 {
    if bytes <= MOST_BYTES {
        return 1;
    }
    let parts = bytes.div_ceil(MOST_BYTES_OF_PART).next_power_of_two();
    u32::try_from(parts).unwrap_or(MOST_PARTS).min(MOST_PARTS)
}

/// Whether the blocks of a cluster can do an operation, each for its elements, or by an exchange that there is.
fn may_be_shared(module: &Module, id: OpId) -> bool {
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
    use super::of_bytes;

    #[test]
    fn parts_have_a_quarter_to_an_eighth_of_the_registers() {
        let of = |kilobytes: u64| of_bytes(kilobytes << 10);
        assert_eq!([of(1), of(64)], [1, 1]);
        assert_eq!([of(65), of(96), of(128)], [4, 4, 4]);
        assert_eq!([of(129), of(256)], [8, 8]);
        assert_eq!([of(512), of(u64::MAX >> 10)], [8, 8]);
    }
}
