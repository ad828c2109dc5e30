//! What is still to be used, and what an operation may change.

use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::Module;
use tile_core::ir::ValueDef;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{MiscOp, Opcode, ViewOp};

/// Counts the uses of each value in a block and in the regions within.
pub(super) fn uses(module: &Module, block: BlockId) -> FxHashMap<ValueId, u32> {
    let mut uses = FxHashMap::default();
    for id in module.walk(block) {
        for &operand in &module.op(id).operands {
            *uses.entry(operand).or_default() += 1;
        }
    }
    uses
}

/// Notes that an operation is being built: its operands have one use less to come.
pub(super) fn consume(module: &Module, id: OpId, remaining: &mut FxHashMap<ValueId, u32>) {
    for operand in &module.op(id).operands {
        if let Some(count) = remaining.get_mut(operand) {
            *count = count.saturating_sub(1);
        }
    }
}

/// Returns `true` if the value is the stride of a view, directly or through assumptions. What is assumed of a
/// stride holds only if the view has more than one element along the axis.
pub(super) fn is_stride(module: &Module, value: ValueId) -> bool {
    let blocks = enclosing(module, value);
    module.walk(blocks).into_iter().any(|id| {
        let op = module.op(id);
        match op.opcode {
            Opcode::View(ViewOp::MakeTensorView) => {
                op.operands_of("dynamicStrides").contains(&value)
            }
            Opcode::Misc(MiscOp::Assume) => {
                op.operands[0] == value && is_stride(module, op.result())
            }
            _ => false,
        }
    })
}

/// Returns the block that a value is defined in.
fn enclosing(module: &Module, value: ValueId) -> BlockId {
    match module.value(value).def {
        ValueDef::Argument(block, _) => block,
        ValueDef::Result(op, _) => module.op(op).parent.expect("an operation of a block"),
    }
}

/// Returns the values that the regions of an operation use and that are defined outside of them.
pub(super) fn captured(module: &Module, id: OpId) -> Vec<ValueId> {
    let list = inner(module, id);
    let inside: FxHashSet<OpId> = list.iter().copied().collect();
    let mut seen = FxHashSet::default();
    let mut captured = Vec::new();
    for &op in &list {
        for &operand in &module.op(op).operands {
            let is_inside = match module.value(operand).def {
                ValueDef::Result(def, _) => inside.contains(&def),
                ValueDef::Argument(block, _) => {
                    let parent = module.parent_op_of_block(block);
                    parent.is_some_and(|parent| parent == id || inside.contains(&parent))
                }
            };
            if !is_inside && seen.insert(operand) {
                captured.push(operand);
            }
        }
    }
    captured
}

/// Returns the operations within the regions of an operation.
pub(super) fn inner(module: &Module, id: OpId) -> Vec<OpId> {
    let mut inside = Vec::new();
    for &region in &module.op(id).regions {
        for &block in &module.region(region).blocks {
            inside.extend(module.walk(block));
        }
    }
    inside
}
