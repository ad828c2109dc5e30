//! Every use is dominated by its definition.
//!
//! With one block per region, a definition dominates what follows in its block
//! and everything nested there; arguments dominate their block. An entry sees
//! nothing outside itself.

use super::Context;
use crate::diag::{Code, Diagnostic};
use crate::ir::{BlockId, Module, OpId, ValueDef, ValueId};
use crate::ops::CoreOp;

/// Reports every operand that is not visible where it is used.
pub(super) fn verify(cx: &mut Context<'_>, ops: &[OpId]) {
    let module = cx.module;
    let positions = positions(module, ops);
    for &id in ops {
        let op = module.op(id);
        let mut reported: Vec<ValueId> = Vec::new();
        for &operand in &op.operands {
            if reported.contains(&operand) {
                continue;
            }
            if let Some((message, rule)) = fault(module, &positions, id, operand) {
                reported.push(operand);
                let value = module.value(operand);
                let name = match &value.name {
                    Some(name) => format!("`%{name}`"),
                    None => "an operand".to_owned(),
                };
                let message = format!("{name} {message}");
                cx.report(
                    Diagnostic::error(Code::VerifyDominance, op.loc, message)
                        .label(value.loc, "the value is defined here")
                        .note(rule),
                );
            }
        }
    }
}

/// The position of every attached operation in its block.
fn positions(module: &Module, ops: &[OpId]) -> Vec<Option<usize>> {
    let mut positions = vec![None; module.num_ops()];
    let mut number = |block: BlockId| {
        for (at, op) in module.block(block).ops.iter().enumerate() {
            positions[op.index()] = Some(at);
        }
    };
    number(module.body());
    for &id in ops {
        for &region in &module.op(id).regions {
            module
                .region(region)
                .blocks
                .iter()
                .for_each(|&block| number(block));
        }
    }
    positions
}

type Fault = (&'static str, &'static str);

/// Why `operand` cannot be used by `op`.
fn fault(
    module: &Module,
    positions: &[Option<usize>],
    id: OpId,
    operand: ValueId,
) -> Option<Fault> {
    let (home, defined) = match module.value(operand).def {
        ValueDef::Argument(block, _) => (block, None),
        ValueDef::Result(def, _) => match (module.op(def).parent, positions[def.index()]) {
            (Some(block), Some(at)) => (block, Some(at)),
            _ => {
                return Some((
                    "is defined by an operation that is in no block",
                    "a value is defined by an operation of the module",
                ));
            }
        },
    };
    // Goes outward from the use to the block of the definition.
    let mut at = id;
    let mut left_entry = false;
    loop {
        let block = module.op(at).parent?;
        if block == home {
            break;
        }
        match module.parent_op_of_block(block) {
            Some(parent) => {
                left_entry |= module.op(parent).opcode == CoreOp::Entry.into();
                at = parent;
            }
            None => {
                return Some((
                    "is defined in a region that does not enclose this operation",
                    "a value is visible in the block that defines it and in regions inside",
                ));
            }
        }
    }
    if left_entry {
        return Some((
            "is defined outside of the entry",
            "an entry sees its parameters and what it defines",
        ));
    }
    let used = positions[at.index()]?;
    if defined.is_some_and(|defined| defined >= used) {
        return Some((
            "is used before it is defined",
            "a value is visible after the operation that defines it",
        ));
    }
    None
}
