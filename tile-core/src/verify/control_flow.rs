//! Loops, branches and what their terminators carry.

use super::{Context, listed};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp};
use crate::types::Type;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op, opcode: ControlFlowOp) {
    match opcode {
        ControlFlowOp::Assert | ControlFlowOp::Break | ControlFlowOp::Loop => {}
        ControlFlowOp::Continue => continue_(cx, op),
        ControlFlowOp::For => for_(cx, id, op),
        ControlFlowOp::If => if_(cx, id, op),
        ControlFlowOp::Return => return_(cx, op),
        ControlFlowOp::Yield => yield_(cx, op),
    }
}

/// The operation that a terminator leaves: goes outward through `if`.
fn target<'m>(cx: &Context<'m>, op: &Op) -> (Option<&'m Op>, &'static str) {
    let (mut parent, mut name) = cx.parent(op);
    while let Some(branch) = parent
        && branch.opcode == ControlFlowOp::If.into()
    {
        (parent, name) = cx.parent(branch);
    }
    (parent, name)
}

/// Reports operands whose types are not the expected ones.
fn carries(cx: &mut Context<'_>, op: &Op, expected: &[Type], rule: &str) {
    let found = cx.tys(&op.operands);
    if found != expected {
        let message = format!(
            "expected operands {}, found {}",
            listed(expected),
            listed(&found)
        );
        cx.fault(Code::VerifyOperands, op, message, rule);
    }
}

/// Reports a jump out of an `if` that leads nowhere. Where a jump may stand
/// directly is a rule of its row.
fn misplaced(cx: &mut Context<'_>, op: &Op, around: &str, rule: &str) {
    let (parent, _) = cx.parent(op);
    if parent.is_none_or(|parent| parent.opcode != ControlFlowOp::If.into()) {
        return;
    }
    let message = format!("`{}` inside `{around}`", op.def().mnemonic);
    cx.fault(Code::VerifyStructure, op, message, rule);
}

fn continue_(cx: &mut Context<'_>, op: &Op) {
    match target(cx, op) {
        (Some(target), _) if target.opcode == ControlFlowOp::For.into() => {
            let expected = cx.tys(&target.results);
            carries(
                cx,
                op,
                &expected,
                "`continue` gives the carried values of its loop",
            );
        }
        (_, around) => misplaced(
            cx,
            op,
            around,
            "only `if` may stand between `continue` and its loop",
        ),
    }
}

fn return_(cx: &mut Context<'_>, op: &Op) {
    match target(cx, op) {
        (Some(target), _) if target.opcode == CoreOp::Entry.into() => {
            carries(cx, op, &[], "an entry returns nothing");
        }
        (_, around) => misplaced(
            cx,
            op,
            around,
            "only `if` may stand between `return` and its entry",
        ),
    }
}

/// In `if`; `reduce` checks what its own body yields.
fn yield_(cx: &mut Context<'_>, op: &Op) {
    if let (Some(branch), _) = cx.parent(op)
        && branch.opcode == ControlFlowOp::If.into()
    {
        let expected = cx.tys(&branch.results);
        carries(cx, op, &expected, "a branch of `if` yields its results");
    }
}

/// Reports results that are views: they cannot be carried.
fn no_views(cx: &mut Context<'_>, op: &Op) {
    for &result in &op.results {
        let ty = cx.ty(result);
        if ty.is_view() {
            cx.fault(
                Code::VerifyResults,
                op,
                format!("`{}` carries `{ty}`", op.def().mnemonic),
                "views are not carried; make the view inside",
            );
        }
    }
}

fn for_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let module = cx.module;
    let inits = cx.tys(op.operands_of("initValues"));
    let results = cx.tys(&op.results);
    if inits != results {
        cx.fault(
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
    no_views(cx, op);
    let Some(block) = module.region_block(id, 0) else {
        return;
    };
    let mut expected = vec![cx.ty(op.operand("lowerBound"))];
    expected.extend(inits);
    cx.body_arguments(
        op,
        block,
        &expected,
        "the body takes the loop variable and the carried values",
    );
}

fn if_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let module = cx.module;
    no_views(cx, op);
    let blocks = [module.region_block(id, 0), module.region_block(id, 1)];
    if blocks[1].is_none() && !op.results.is_empty() {
        cx.fault(
            Code::VerifyStructure,
            op,
            "an `if` with results has no `else`",
            "each branch yields the results",
        );
    }
    for block in blocks.into_iter().flatten() {
        let arguments: &[ValueId] = &module.block(block).args;
        if let Some(&first) = arguments.first() {
            let loc = module.value(first).loc;
            cx.report(
                Diagnostic::error(Code::VerifyStructure, op.loc, "a branch has arguments")
                    .label(loc, "the first one")
                    .note("the branches of `if` take no arguments"),
            );
        }
    }
}
