//! Verifies loops, branches and the operands of their terminators.

use super::{Context, entry, listed};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Opcode};
use crate::types::Type;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op, opcode: ControlFlowOp) {
    match opcode {
        ControlFlowOp::Assert => {}
        ControlFlowOp::Break => break_(cx, op),
        ControlFlowOp::Continue => continue_(cx, op),
        ControlFlowOp::For => for_(cx, id, op),
        ControlFlowOp::If => if_(cx, id, op),
        ControlFlowOp::Loop => loop_(cx, id, op),
        ControlFlowOp::Return => return_(cx, op),
        ControlFlowOp::Yield => yield_(cx, op),
    }
}

fn is(op: &Op, opcode: ControlFlowOp) -> bool {
    op.opcode == Opcode::ControlFlow(opcode)
}

/// Returns the operation that a jump leaves or continues, which is the closest enclosing operation
/// that is not an `if`. Reports a jump nested in an `if` if that operation has the wrong kind; a
/// rule of the row reports a jump directly in an operation of the wrong kind. Also returns `None`
/// if the operation itself is in error.
fn target<'m>(
    cx: &mut Context<'m>,
    op: &Op,
    is_target: fn(Opcode) -> bool,
    rule: &str,
) -> Option<&'m Op> {
    let module = cx.module;
    let parent = op
        .parent
        .and_then(|block| module.parent_op_of_block(block))?;
    let is_nested = is(module.op(parent), ControlFlowOp::If);
    let mut ancestor = parent;
    while is(module.op(ancestor), ControlFlowOp::If) {
        ancestor = module.parent_op(ancestor)?;
    }
    let target = module.op(ancestor);
    if !is_target(target.opcode) {
        if is_nested {
            let (jump, around) = (op.def().mnemonic, super::name_of(target));
            let message = format!("`{jump}` inside `{around}`");
            cx.error(Code::VerifyStructure, op, message, rule);
        }
        return None;
    }
    cx.is_sound(ancestor).then_some(target)
}

/// Reports operands whose types are not those of `expected`.
pub(super) fn carries(cx: &mut Context<'_>, op: &Op, expected: &[ValueId], rule: &str) {
    let agree = |(&actual, &expected): (&ValueId, &ValueId)| cx.ty(actual) == cx.ty(expected);
    let pairs = op.operands.iter().zip(expected);
    if op.operands.len() != expected.len() || !pairs.clone().all(agree) {
        mismatch(cx, op, &cx.tys(expected), rule);
    }
}

fn mismatch(cx: &mut Context<'_>, op: &Op, expected: &[Type], rule: &str) {
    let (expected, actual) = (listed(expected), listed(&cx.tys(&op.operands)));
    let message = format!("expected operands {expected}, found {actual}");
    cx.error(Code::VerifyOperands, op, message, rule);
}

fn break_(cx: &mut Context<'_>, op: &Op) {
    let is_loop = |opcode| opcode == Opcode::ControlFlow(ControlFlowOp::Loop);
    let rule = "only `if` may be between `break` and its `loop`";
    if let Some(target) = target(cx, op, is_loop, rule) {
        let rule = "`break` gives the results of its loop";
        carries(cx, op, &target.results, rule);
    }
}

fn continue_(cx: &mut Context<'_>, op: &Op) {
    let is_loop = |opcode| {
        matches!(
            opcode,
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
        )
    };
    let rule = "only `if` may be between `continue` and its loop";
    if let Some(target) = target(cx, op, is_loop, rule) {
        // If the types of initial values differ from those of the results, the check of the `for`
        // reports them.
        let expected = if is(target, ControlFlowOp::For) {
            target.results.as_slice()
        } else {
            target.operands_of("initValues")
        };
        let rule = "`continue` gives the next carried values of its loop";
        carries(cx, op, expected, rule);
    }
}

fn return_(cx: &mut Context<'_>, op: &Op) {
    let rule = "only `if` may be between `return` and its entry";
    let Some(target) = target(cx, op, entry::is_function, rule) else {
        return;
    };
    // The check of the entry reports a signature with results.
    if target.opcode == CoreOp::Entry.into() {
        carries(cx, op, &[], "an entry returns nothing");
    } else if let Some(signature) = entry::signature(target)
        && cx.tys(&op.operands) != signature.results
    {
        let rule = "`return` gives the results of its function";
        mismatch(cx, op, &signature.results, rule);
    }
}

/// Checks a `yield` in an `if`; the checks of `reduce` and `scan` cover the `yield`s of their
/// bodies.
fn yield_(cx: &mut Context<'_>, op: &Op) {
    let module = cx.module;
    let Some(parent) = op.parent.and_then(|block| module.parent_op_of_block(block)) else {
        return;
    };
    let branch = module.op(parent);
    if is(branch, ControlFlowOp::If) && cx.is_sound(parent) {
        let rule = "a branch of `if` yields its results";
        carries(cx, op, &branch.results, rule);
    }
}

/// Reports each view among `values` once, since `op` cannot carry views.
fn no_views(cx: &mut Context<'_>, op: &Op, values: impl Iterator<Item = ValueId>) {
    let mut reported: Vec<Type> = Vec::new();
    for value in values {
        let ty = cx.ty(value);
        if ty.is_view() && !reported.contains(&ty) {
            reported.push(ty);
            let message = format!("`{}` carries `{ty}`", op.def().mnemonic);
            let rule = "views are not carried; make the view inside";
            cx.error(Code::VerifyResults, op, message, rule);
        }
    }
}

fn for_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let inits = cx.tys(op.operands_of("initValues"));
    let results = cx.tys(&op.results);
    if inits != results {
        cx.error(
            Code::VerifyResults,
            op,
            format!(
                "expected results {}, found {}",
                listed(&inits),
                listed(&results)
            ),
            "a loop has a result per carried value, of its type",
        );
        return;
    }
    no_views(cx, op, op.results.iter().copied());
    let Some(block) = cx.module.region_block(id, 0) else {
        return;
    };
    let mut expected = vec![cx.ty(op.operand("lowerBound"))];
    expected.extend(inits);
    let rule = "the body takes the loop variable and the carried values";
    cx.body_arguments(op, block, &expected, rule);
}

fn loop_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let inits = op.operands_of("initValues");
    no_views(cx, op, inits.iter().chain(&op.results).copied());
    if let Some(block) = cx.module.region_block(id, 0) {
        let expected = cx.tys(inits);
        cx.body_arguments(op, block, &expected, "the body takes the carried values");
    }
}

fn if_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let module = cx.module;
    no_views(cx, op, op.results.iter().copied());
    let blocks = [module.region_block(id, 0), module.region_block(id, 1)];
    if blocks[1].is_none() && !op.results.is_empty() {
        cx.error(
            Code::VerifyStructure,
            op,
            "an `if` with results has no `else`",
            "each branch yields the results",
        );
    }
    for block in blocks.into_iter().flatten() {
        if let Some(&first) = module.block(block).args.first() {
            let loc = module.value(first).loc;
            cx.report(
                Diagnostic::error(Code::VerifyStructure, op.loc, "a branch has arguments")
                    .label(loc, "the first one")
                    .note("the branches of `if` take no arguments"),
            );
        }
    }
}
