//! Reduces a module to the smallest part that still fails.

use crate::build::Builder;
use crate::ir::{Attr, Loc, Module, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, MemoryOp, Opcode};
use crate::types::{Element, Scalar, Type};

/// Removes whatever is not needed for `still_fails` to hold: whole entries and globals, unused
/// operations, and operations whose results a constant can replace. Valid modules remain valid.
pub fn shrink(module: &Module, mut still_fails: impl FnMut(&Module) -> bool) -> Module {
    let mut module = module.clone();
    loop {
        let before = size(&module);
        for edit in [drop_op, simplify_values, unnest] {
            // Start at the end, so that users are removed before their operands.
            for id in module.walk(module.body()).into_iter().rev() {
                let mut candidate = module.clone();
                if edit(&mut candidate, id) && still_fails(&candidate) {
                    module = candidate;
                }
            }
        }
        if size(&module) >= before {
            return module;
        }
    }
}

/// Returns the size that shrinking minimizes: first the number of operations other than `constant`
/// and `make_token`, then the number of all operations.
fn size(module: &Module) -> (usize, usize) {
    let ops = module.walk(module.body());
    let complex = ops.iter().filter(|&&id| !is_simple(module, id)).count();
    (complex, ops.len())
}

fn is_simple(module: &Module, id: OpId) -> bool {
    let simple: [Opcode; 2] = [CoreOp::Constant.into(), MemoryOp::MakeToken.into()];
    simple.contains(&module.op(id).opcode)
}

fn is_used(module: &Module, id: OpId) -> bool {
    let results = &module.op(id).results;
    let uses = |user: &OpId| {
        let operands = &module.op(*user).operands;
        operands.iter().any(|operand| results.contains(operand))
    };
    module.walk(module.body()).iter().any(uses)
}

/// Returns `true` if the operation is still in the module.
fn is_attached(module: &Module, id: OpId) -> bool {
    let mut ancestor = id;
    loop {
        match module.op(ancestor).parent {
            Some(block) if block == module.body() => return true,
            Some(block) => match module.parent_op_of_block(block) {
                Some(parent) => ancestor = parent,
                None => return false,
            },
            None => return false,
        }
    }
}

/// Removes an unused operation.
fn drop_op(module: &mut Module, id: OpId) -> bool {
    let op = module.op(id);
    if !is_attached(module, id) || op.def().is_terminator() || is_used(module, id) {
        return false;
    }
    if op.opcode == CoreOp::Global.into() && is_referenced(module, id) {
        return false;
    }
    module.detach_op(id);
    true
}

fn is_referenced(module: &Module, global: OpId) -> bool {
    let name = module.op(global).sym_name();
    module.walk(module.body()).into_iter().any(|id| {
        let op = module.op(id);
        op.opcode == CoreOp::GetGlobal.into()
            && op.attr("name") == Some(&Attr::Symbol(name.clone()))
    })
}

/// Replaces the results of an operation by constants, and removes it.
fn simplify_values(module: &mut Module, id: OpId) -> bool {
    let op = module.op(id);
    let (Some(block), results) = (op.parent, op.results.clone()) else {
        return false;
    };
    let are_replaceable = results
        .iter()
        .all(|&result| can_stand_in(module.ty(result)));
    if results.is_empty() || !are_replaceable || is_simple(module, id) || !is_attached(module, id) {
        return false;
    }
    let position = module.block(block).ops.iter().position(|&op| op == id);
    let position = position.expect("an operation is in its block");
    for (offset, &result) in results.iter().enumerate() {
        let new = stand_in(module, module.ty(result));
        let op = module.defining_op(new).expect("it was just made");
        module.detach_op(op);
        module.insert_op(block, position + offset, op);
        replace_uses(module, result, new);
    }
    module.detach_op(id);
    true
}

fn can_stand_in(ty: Type) -> bool {
    ty.is_token() || matches!(ty.as_number_tile(), Some((scalar, _)) if scalar != Scalar::I4)
}

/// Makes a new operation at the end of the module whose result has the type `ty`.
fn stand_in(module: &mut Module, ty: Type) -> ValueId {
    let mut builder = Builder::new(module);
    if let Some((Element::Scalar(scalar), shape)) =
        ty.as_tile().map(|tile| (tile.element, &tile.shape))
    {
        builder.splat(scalar, 0, shape, Loc::UNKNOWN)
    } else {
        let op = builder.op(MemoryOp::MakeToken, Loc::UNKNOWN);
        op.result(ty).finish_value()
    }
}

fn replace_uses(module: &mut Module, old: ValueId, new: ValueId) {
    for id in module.walk(module.body()) {
        for operand in &mut module.op_mut(id).operands {
            if *operand == old {
                *operand = new;
            }
        }
    }
}

/// Replaces an `if` without results by its first branch.
fn unnest(module: &mut Module, id: OpId) -> bool {
    let op = module.op(id);
    let is_if = op.opcode == ControlFlowOp::If.into() && op.results.is_empty();
    let (true, true, Some(block)) = (is_if, is_attached(module, id), op.parent) else {
        return false;
    };
    let Some(branch) = module.region_block(id, 0) else {
        return false;
    };
    let ops = module.block(branch).ops.clone();
    let ends_in_yield = ops
        .last()
        .is_some_and(|&last| module.op(last).opcode == ControlFlowOp::Yield.into());
    if !ends_in_yield {
        return false;
    }
    let position = module.block(block).ops.iter().position(|&op| op == id);
    let position = position.expect("an operation is in its block");
    for (offset, &op) in ops[..ops.len() - 1].iter().enumerate() {
        module.detach_op(op);
        module.insert_op(block, position + offset, op);
    }
    module.detach_op(id);
    true
}
