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
use super::product::is_product;
use crate::gpu::MOST_PARTS;
use crate::remarks::{Kind, Remark, Remarks};
use crate::resources::estimate::Estimate;
use crate::resources::{HostParts, Wishes};
use crate::target::{Arch, Feature};
use tile_core::ir::{MemoryOrdering, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::{Loc, Module};

/// Bytes of tiles alive at once that one block keeps for itself.
const MOST_BYTES: u64 = 64 << 10;

/// Bytes of them that a part has at the most, if there are parts enough.
const MOST_BYTES_OF_PART: u64 = 32 << 10;

/// How many blocks share the tiles of an entry, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sharing {
    /// As many as are asked for, or as the tiles need; 1 where a launch starts one.
    wanted: u32,
    why: Why,
    /// The first operation that needs all of a tile in one block.
    prevented_by: Option<Loc>,
    has_product: bool,
}

/// Why blocks would share tiles.
#[derive(Clone, Copy, Debug)]
enum Why {
    Asked,
    /// So many bytes are alive at once.
    Bytes(u64),
}

impl Sharing {
    pub(super) fn of(
        module: &Module,
        ops: &[OpId],
        estimate: &Estimate<'_>,
        arch: Arch,
        wishes: Wishes,
    ) -> Self {
        let is_allowed = wishes.parts == HostParts::OfKernel && arch.has(Feature::Clusters);
        let (wanted, why) = match wishes.cluster {
            _ if !is_allowed => (1, Why::Asked),
            Some(blocks) if blocks.is_power_of_two() && blocks <= MOST_PARTS => {
                (blocks, Why::Asked)
            }
            Some(_) => (1, Why::Asked),
            None => {
                let bytes = estimate.bytes();
                (of_bytes(bytes), Why::Bytes(bytes))
            }
        };
        let mut ops = ops.iter().copied();
        let has_product = ops.clone().any(|op| is_product(module.op(op).opcode));
        let prevented_by = ops.find(|&op| wanted > 1 && !may_be_shared(module, op));
        Self {
            wanted,
            why,
            prevented_by: prevented_by.map(|op| module.op(op).loc),
            has_product,
        }
    }

    /// The blocks, as far as the operations of tile IR say.
    pub(super) fn parts(&self) -> u32 {
        match self.prevented_by {
            Some(_) => 1,
            None => self.wanted,
        }
    }

    /// Says that blocks share the tiles of the entry at `loc`.
    pub(super) fn remark_shared(&self, loc: Loc, remarks: &mut Remarks) {
        let wanted = self.wanted;
        remarks.add(|| {
            let message = format!("{wanted} blocks share the tiles of each position of the grid");
            let note =
                format!("a launch starts {wanted} times as many blocks, in clusters of {wanted}");
            Remark::new(Kind::Chosen, loc, message)
                .note(self.because())
                .note(note)
        });
    }

    /// Says which operation of tile IR, or else the one at `exchange`, has kept blocks from sharing tiles. In a
    /// kernel with products none would.
    pub(super) fn remark_alone(&self, exchange: Option<Loc>, remarks: &mut Remarks) {
        let (loc, what) = match (self.prevented_by, exchange) {
            _ if self.has_product => return,
            (Some(loc), _) => (loc, "it needs all of a tile in one block"),
            (None, Some(loc)) => (
                loc,
                "a tile changes hands through shared memory, of which each block has its own",
            ),
            (None, None) => return,
        };
        remarks.add(|| {
            let message = format!(
                "{} blocks would share the tiles of each position, but for this operation",
                self.wanted
            );
            Remark::new(Kind::NotShared, loc, message)
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
                MOST_BYTES >> 10
            ),
        }
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
