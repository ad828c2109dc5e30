//! Chooses grouped rasterization.
//!
//! Input: a module. Output: groups of the grid ([`GroupedRaster`]), for a kernel whose matmuls each have one
//! operand that depends on the first grid axis and one that depends on the second; both may also depend on
//! the third. Blocks are unordered, so a kernel computes the same in any order; even prints and atomic
//! updates occur in an arbitrary order. Only a kernel with acquire or release accesses keeps its order, since
//! a block may wait for blocks that the hardware happens to start earlier.
//!
//! LPT order follows from lowered kernels (`tile_order.rs`).

use super::explain::Decision;
use crate::analysis::divisibility::target;
use crate::analysis::provenance::Provenance;
use crate::gpu::{GroupedRaster, RasterOrder};
use crate::lower::{is_matmul, roots_of};
use crate::options::DisabledPasses;
use rustc_hash::FxHashSet;
use tile_core::Module;
use tile_core::ir::{MemoryOrdering, Op, OpId, ValueDef, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, Opcode};
use tile_core::types::{Element, TypeKind};

/// Approximate number of blocks that run concurrently: one on each multiprocessor of a large GPU.
const CONCURRENT_BLOCKS: u64 = 132;

/// Maximum number of values that are followed for one operand.
const MAX_VALUES: usize = 512;

/// A set of grid axes, one bit per axis.
type Axes = u8;

const FIRST: Axes = 1;
const SECOND: Axes = 2;

/// The order of work tiles, as far as it follows from tile IR, and why.
pub(super) enum Considered {
    /// Blocks may wait for blocks that the hardware starts before them.
    Fixed,
    /// No groups, for this reason.
    NotGrouped(&'static str),
    /// Groups, for operands of these sizes in bytes: of the one that depends on the first grid axis, and of the
    /// one that depends on the second.
    Grouped(GroupedRaster, [u64; 2]),
}

impl Considered {
    /// Returns the order.
    pub(super) fn order(&self) -> RasterOrder {
        match *self {
            Self::Fixed => RasterOrder::Fixed,
            Self::NotGrouped(_) => RasterOrder::Any,
            Self::Grouped(groups, _) => RasterOrder::Grouped(groups),
        }
    }

    /// Describes the orders that were considered.
    pub(super) fn explain(&self) -> Vec<Decision> {
        let decision =
            |candidate: &str| Decision::new("raster order", candidate.to_owned(), String::new());
        let (chosen, bytes) = match *self {
            Self::Fixed => {
                let reason = "a block may wait for one that starts before it";
                return vec![decision("as launched").chosen(reason)];
            }
            Self::NotGrouped(reason) => return vec![decision("in groups").refused(reason)],
            Self::Grouped(chosen, bytes) => (chosen, bytes),
        };
        let widths = GroupedRaster::candidates(CONCURRENT_BLOCKS).map(|groups| {
            let read = groups.traffic(CONCURRENT_BLOCKS, bytes);
            let decision = Decision::new(
                "raster order",
                format!("in groups of {}", 1 << groups.log2_blocks),
                format!("{CONCURRENT_BLOCKS} blocks read {read} B of operands"),
            );
            if groups == chosen {
                decision.chosen("the fewest bytes, in the widest groups")
            } else {
                decision.refused("no fewer bytes")
            }
        });
        widths.collect()
    }
}

/// Considers the orders of a kernel with the operations `ops`.
pub(super) fn consider(
    module: &Module,
    provenance: &Provenance,
    ops: &[OpId],
    disabled: DisabledPasses,
) -> Considered {
    if !is_any_order_allowed(module, provenance, ops) {
        return Considered::Fixed;
    }
    if disabled.contains(DisabledPasses::GROUPED_RASTER) {
        return Considered::NotGrouped("grouped rasterization is disabled");
    }
    operand_bytes(module, ops).map_or(
        Considered::NotGrouped("no matmul whose operands each depend on one grid axis"),
        |bytes| {
            let groups = GroupedRaster::with_min_traffic(CONCURRENT_BLOCKS, bytes);
            Considered::Grouped(groups, bytes)
        },
    )
}

/// Returns `true` if no block of a kernel with the operations `ops` can wait for another block.
fn is_any_order_allowed(module: &Module, provenance: &Provenance, ops: &[OpId]) -> bool {
    ops.iter().all(|&op| {
        let op = module.op(op);
        roots_of(module, provenance, op).is_none()
            || matches!(
                op.memory_ordering(),
                MemoryOrdering::Weak | MemoryOrdering::Relaxed
            )
    })
}

/// Returns the sizes in bytes of the two operands of all matmuls, the largest of each, as [`bytes_by_axis`] does
/// for one matmul.
fn operand_bytes(module: &Module, ops: &[OpId]) -> Option<[u64; 2]> {
    let mut matmuls = ops.iter().map(|&op| module.op(op));
    let mut total_bytes: Option<[u64; 2]> = None;
    while let Some(op) = matmuls.find(|op| is_matmul(op.opcode)) {
        let bytes = bytes_by_axis(module, ops, op)?;
        let most = total_bytes.map_or(bytes, |[first, second]| {
            [first.max(bytes[0]), second.max(bytes[1])]
        });
        total_bytes = Some(most);
    }
    total_bytes
}

/// Returns the sizes in bytes of the two operands of a matmul: first of the operand that depends on the first
/// grid axis, then of the operand that depends on the second. `None` if any operand depends on both or
/// neither.
fn bytes_by_axis(module: &Module, ops: &[OpId], matmul: &Op) -> Option<[u64; 2]> {
    let operand = |name: &str| {
        let value = matmul.operand(name);
        let tile = module.ty(value).as_tile()?;
        let Element::Scalar(scalar) = tile.element else {
            return None;
        };
        let bytes = tile.num_elements().unsigned_abs() * scalar.bytes() as u64;
        Some((axes(module, ops, value)? & (FIRST | SECOND), bytes))
    };
    let (lhs, rhs) = (operand("lhs")?, operand("rhs")?);
    match (lhs.0, rhs.0) {
        (FIRST, SECOND) => Some([lhs.1, rhs.1]),
        (SECOND, FIRST) => Some([rhs.1, lhs.1]),
        _ => None,
    }
}

/// Returns the grid axes that a value depends on; `None` if it depends on too many values.
fn axes(module: &Module, ops: &[OpId], value: ValueId) -> Option<Axes> {
    let (mut worklist, mut seen) = (vec![value], FxHashSet::default());
    let mut axes = 0;
    while let Some(value) = worklist.pop() {
        if matches!(module.ty(value).kind(), TypeKind::Token) || !seen.insert(value) {
            continue;
        }
        if seen.len() > MAX_VALUES {
            return None;
        }
        match module.value(value).def {
            ValueDef::Argument(block, position) => {
                if let Some(id) = module.parent_op_of_block(block) {
                    worklist.extend(of_argument(module, ops, id, position as usize));
                }
            }
            ValueDef::Result(id, position) => {
                let op = module.op(id);
                if op.opcode == Opcode::Core(CoreOp::GetTileBlockId) {
                    axes |= 1 << position;
                } else if matches!(op.opcode, Opcode::ControlFlow(_)) {
                    worklist.extend(of_result(module, ops, id, position as usize));
                } else {
                    worklist.extend(&op.operands);
                }
            }
        }
    }
    Some(axes)
}

/// Returns the values from which an argument of a block of `id` comes.
fn of_argument(module: &Module, ops: &[OpId], id: OpId, position: usize) -> Vec<ValueId> {
    let op = module.op(id);
    match op.opcode {
        // Parameters are the same in all blocks.
        Opcode::Core(CoreOp::Entry) => Vec::new(),
        Opcode::ControlFlow(ControlFlowOp::For) => match position.checked_sub(1) {
            None => vec![op.operand("lowerBound"), op.operand("step")],
            Some(carried) => carried_by(module, ops, id, carried, ControlFlowOp::Continue),
        },
        Opcode::ControlFlow(ControlFlowOp::Loop) => {
            carried_by(module, ops, id, position, ControlFlowOp::Continue)
        }
        _ => op.operands.to_vec(),
    }
}

/// Returns the values from which a result of `id`, a loop or a branch, comes.
fn of_result(module: &Module, ops: &[OpId], id: OpId, position: usize) -> Vec<ValueId> {
    let op = module.op(id);
    match op.opcode {
        Opcode::ControlFlow(ControlFlowOp::For) => {
            carried_by(module, ops, id, position, ControlFlowOp::Continue)
        }
        Opcode::ControlFlow(ControlFlowOp::Loop) => {
            given(module, ops, id, position, ControlFlowOp::Break)
        }
        _ => {
            let mut sources = given(module, ops, id, position, ControlFlowOp::Yield);
            sources.extend(&op.operands);
            sources
        }
    }
}

/// Returns the sources of a loop-carried value: its initial value, and the corresponding operands of jumps.
fn carried_by(
    module: &Module,
    ops: &[OpId],
    id: OpId,
    position: usize,
    by: ControlFlowOp,
) -> Vec<ValueId> {
    let mut sources = given(module, ops, id, position, by);
    sources.extend(module.op(id).operands_of("initValues").get(position));
    sources
}

/// Returns the operands at `position` of all jumps of kind `by` whose target is `id`.
fn given(
    module: &Module,
    ops: &[OpId],
    id: OpId,
    position: usize,
    by: ControlFlowOp,
) -> Vec<ValueId> {
    let is_jump =
        |&&op: &&OpId| module.op(op).opcode == by.into() && target(module, op, by) == Some(id);
    let jumps = ops.iter().filter(is_jump);
    jumps
        .filter_map(|&op| module.op(op).operands.get(position).copied())
        .collect()
}
