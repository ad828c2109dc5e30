//! Decides whether the work tiles of an entry are split over a cluster, and over how many blocks.
//!
//! Input: an entry, the tiles alive in it, and the options. Output: [`LoweringSchedule::blocks_per_tile`].
//!
//! - One block, as long as the tiles that are live at the same time need at most a quarter of a
//!   multiprocessor's registers: larger tiles leave no room for a second block, or are spilled.
//! - Otherwise the smallest number of blocks with which each needs at most half of that, so that blocks hide
//!   each other's latency.
//! - The requested number instead, where the operations allow it.
//!
//! A work tile stays in one block if an operation cannot be split (such as a matmul or a scan), or if an
//! access is observed by other blocks of the grid ([`may_be_split`]). It also stays in one block if a layout
//! conversion has no cross-CTA exchange ([`crate::gpu::can_split`]).

use super::estimate::Estimate;
use super::explain::Decision;
use super::{LoweringSchedule, Refusal};
use crate::gpu::MAX_BLOCKS_PER_TILE;
use crate::lower::{is_elementwise, is_matmul};
use crate::options::{ClusterSplit, KernelOptions};
use crate::remarks::{Kind, Remark, Remarks};
use crate::target::{Arch, Feature};
use tile_core::ir::{MemoryOrdering, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::{Loc, Module};

/// Maximum number of bytes of tiles, live at the same time, for which a work tile stays in one block.
const MAX_BYTES: u64 = 64 << 10;

/// Maximum number of these bytes per block of a split, unless that takes more blocks than a cluster can have.
const MAX_BYTES_PER_BLOCK: u64 = 32 << 10;

/// The number of blocks that share a work tile of an entry, and the reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterSplitPlan {
    /// The number of blocks that is requested or that the tiles need; 1 if there is no split.
    wanted: u32,
    why: Why,
    /// The first operation that needs a whole tile in one block.
    prevented_by: Option<Loc>,
    has_mma: bool,
}

/// The reason for a cluster split, or for none.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// The target, or the launch, does not allow one.
    NotAllowed,
    Asked,
    /// This many bytes of tiles are live at the same time.
    Bytes(u64),
}

impl ClusterSplitPlan {
    pub(crate) fn choose(
        module: &Module,
        ops: &[OpId],
        estimate: &Estimate<'_>,
        arch: Arch,
        kernel_options: KernelOptions,
    ) -> Self {
        let is_allowed =
            kernel_options.cluster_split == ClusterSplit::Auto && arch.has(Feature::Clusters);
        let (wanted, why) = match kernel_options.schedule.cluster {
            _ if !is_allowed => (1, Why::NotAllowed),
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

    /// Returns the wanted number of blocks, or 1 if an operation of tile IR prevents a split.
    pub(crate) fn blocks_per_tile(&self) -> u32 {
        match self.prevented_by {
            Some(_) => 1,
            None => self.wanted,
        }
    }

    /// Adds the remark that several blocks share each work tile of the entry at `loc`.
    pub(crate) fn remark_split(&self, loc: Loc, remarks: &mut Remarks) {
        let wanted = self.wanted;
        remarks.add(|| {
            let message = format!("{wanted} blocks of a cluster split each work tile");
            let note = format!("a launch starts {wanted} blocks per tile, in clusters of {wanted}");
            Remark::new(Kind::Chosen, loc, message)
                .note(self.because())
                .note(note)
        });
    }

    /// Adds the remark that an operation has prevented a split: one of tile IR, or else the GPU operation at
    /// `exchange`. Kernels with a matmul get no remark, since they are never split.
    pub(crate) fn remark_not_split(&self, exchange: Option<Loc>, remarks: &mut Remarks) {
        let (loc, reason) = match (self.prevented_by, exchange) {
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
                .note(reason)
                .note(self.because())
        });
    }

    /// Describes the split that an operation of tile IR prevents, if any.
    pub(super) fn explain_refusal(&self) -> Option<Decision> {
        let line = self.prevented_by?.line();
        let reason = format!("line {line} needs all of a tile in one block");
        Some(decision(self.wanted, self.figures()).refused(reason))
    }

    /// Describes a schedule with as many blocks as it has, and whether its kernel was refused.
    pub(super) fn explain(
        &self,
        schedule: &LoweringSchedule,
        refused: Option<&Refusal>,
    ) -> Decision {
        let blocks = schedule.blocks_per_tile;
        let mut decision = decision(blocks, self.figures());
        if schedule.has_ordered_reductions {
            decision.candidate.push_str(", reductions in order");
        }
        match (refused, self.why) {
            (Some(refusal), _) => decision.refused(*refusal),
            (None, Why::NotAllowed) => decision.chosen("the target or the launch has no clusters"),
            (None, Why::Asked) => decision.chosen("an option or a hint asks for it"),
            (None, Why::Bytes(_)) if blocks > 1 => {
                decision.chosen("each block has a part of the tiles")
            }
            (None, Why::Bytes(_)) if self.wanted > 1 => decision.chosen("no split is possible"),
            (None, Why::Bytes(_)) => decision.chosen("the tiles fit one block"),
        }
    }

    fn figures(&self) -> String {
        match self.why {
            Why::NotAllowed | Why::Asked => String::new(),
            Why::Bytes(bytes) => format!("{bytes} B of tiles alive, {MAX_BYTES} B fit a block"),
        }
    }

    fn because(&self) -> String {
        match self.why {
            Why::NotAllowed => "clusters are not allowed".to_owned(),
            Why::Asked => format!("clusters of {} are asked for", self.wanted),
            Why::Bytes(bytes) => format!(
                "{} KiB of tiles are alive at once, and one block keeps {} in registers",
                bytes.div_ceil(1 << 10),
                MAX_BYTES >> 10
            ),
        }
    }
}

fn decision(blocks: u32, figures: String) -> Decision {
    let candidate = match blocks {
        1 => "1 block per work tile".to_owned(),
        blocks => format!("{blocks} blocks per work tile"),
    };
    Decision::new("cluster split", candidate, figures)
}

/// Returns the number of blocks for tiles of `bytes` bytes.
fn blocks_for_bytes(bytes: u64) -> u32 {
    if bytes <= MAX_BYTES {
        return 1;
    }
    let blocks_per_tile = bytes.div_ceil(MAX_BYTES_PER_BLOCK).next_power_of_two();
    u32::try_from(blocks_per_tile)
        .unwrap_or(MAX_BLOCKS_PER_TILE)
        .min(MAX_BLOCKS_PER_TILE)
}

/// Returns `true` if the blocks of a cluster can execute an operation together: each for its own elements, or
/// by an exchange.
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
            // If other blocks of the grid write meanwhile, the blocks of the cluster might see different
            // values.
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
        let blocks_for_kilobytes = |kilobytes: u64| blocks_for_bytes(kilobytes << 10);
        assert_eq!([blocks_for_kilobytes(1), blocks_for_kilobytes(64)], [1, 1]);
        assert_eq!(
            [
                blocks_for_kilobytes(65),
                blocks_for_kilobytes(96),
                blocks_for_kilobytes(128)
            ],
            [4, 4, 4]
        );
        assert_eq!(
            [blocks_for_kilobytes(129), blocks_for_kilobytes(256)],
            [8, 8]
        );
        assert_eq!(
            [
                blocks_for_kilobytes(512),
                blocks_for_kilobytes(u64::MAX >> 10)
            ],
            [8, 8]
        );
    }
}
