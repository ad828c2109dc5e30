//! Targets of jumps: maps `continue`, `break` and `yield` to the loop or branch that they end, and back.

use tile_core::Module;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, Opcode};

fn kind(module: &Module, op: OpId) -> Option<ControlFlowOp> {
    match module.op(op).opcode {
        Opcode::ControlFlow(kind) => Some(kind),
        _ => None,
    }
}

/// Returns the innermost loop around `jump`, which is a `continue` or a `break`. Inside that loop, only
/// branches enclose the jump.
pub(crate) fn innermost_loop(module: &Module, jump: OpId) -> OpId {
    let mut ancestor = jump;
    loop {
        ancestor = module
            .parent_op(ancestor)
            .expect("verified: jumps are in loops");
        if kind(module, ancestor) != Some(ControlFlowOp::If) {
            return ancestor;
        }
    }
}

/// Returns the jumps of the kind `jump` (`continue` or `break`) that belong to the loop `id`, in program
/// order.
pub(crate) fn jumps(module: &Module, id: OpId, jump: ControlFlowOp) -> Vec<OpId> {
    fn visit(module: &Module, block: BlockId, jump: ControlFlowOp, jumps: &mut Vec<OpId>) {
        for &op in &module.block(block).ops {
            match kind(module, op) {
                Some(ControlFlowOp::If) => {
                    for region in 0..module.op(op).regions.len() {
                        if let Some(block) = module.region_block(op, region) {
                            visit(module, block, jump, jumps);
                        }
                    }
                }
                found_kind if found_kind == Some(jump) => jumps.push(op),
                _ => {}
            }
        }
    }
    let mut jumps = Vec::new();
    if let Some(body) = module.region_block(id, 0) {
        visit(module, body, jump, &mut jumps);
    }
    jumps
}

/// Returns the `yield`s of the branch `id`; an arm may end with another jump instead.
pub(crate) fn yields(module: &Module, id: OpId) -> Vec<OpId> {
    let regions = 0..module.op(id).regions.len();
    let last = |region| {
        let block = module.region_block(id, region)?;
        module.block(block).ops.last().copied()
    };
    regions
        .filter_map(last)
        .filter(|&op| kind(module, op) == Some(ControlFlowOp::Yield))
        .collect()
}

/// Returns the values that a loop carries, as block arguments of its body.
pub(crate) fn carried(module: &Module, id: OpId) -> &[ValueId] {
    let body = module
        .region_block(id, 0)
        .expect("a verified loop has a body");
    let args = &module.block(body).args;
    let is_for = module.op(id).opcode == ControlFlowOp::For.into();
    &args[usize::from(is_for)..]
}
