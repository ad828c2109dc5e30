//! Verifies the dialect `loop`: arguments, loop-carried values, yields and reductions of its
//! regions.

use super::control_flow::carries;
use super::{Context, listed, name_of};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, BlockId, Module, Op, OpId, ValueId};
use crate::ops::{CoreOp, Effects, LoopOp, Opcode};
use crate::types::Type;

/// Checks one operation of the dialect.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op, opcode: LoopOp) {
    match opcode {
        LoopOp::For => for_(cx, id, op),
        LoopOp::If => if_(cx, id, op),
        LoopOp::Parallel => parallel(cx, id, op),
        LoopOp::Reduce => reduce(cx, id, op),
        LoopOp::ReduceReturn => reduce_return(cx, op),
        LoopOp::Yield => yield_(cx, op),
    }
}

fn for_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    positive_steps(cx, op, op.operands_of("step"));
    let inits = cx.tys(op.operands_of("initArgs"));
    if !has_result_types(
        cx,
        op,
        &inits,
        "a loop has a result per carried value, of its type",
    ) {
        return;
    }
    if let Some(block) = cx.module.region_block(id, 0) {
        let mut expected = vec![cx.ty(op.operand("lowerBound"))];
        expected.extend(inits);
        let rule = "the body takes the loop variable and the carried values";
        cx.body_arguments(op, block, &expected, rule);
    }
}

/// Reports results whose types are not `expected`; returns `true` if they are.
fn has_result_types(cx: &mut Context<'_>, op: &Op, expected: &[Type], rule: &str) -> bool {
    let actual = cx.tys(&op.results);
    if actual == expected {
        return true;
    }
    let (expected, actual) = (listed(expected), listed(&actual));
    let message = format!("expected results {expected}, found {actual}");
    cx.error(Code::VerifyResults, op, message, rule);
    false
}

/// Reports constant steps that are not positive.
fn positive_steps(cx: &mut Context<'_>, op: &Op, steps: &[ValueId]) {
    let is_unsigned = op.has_flag("unsignedCmp");
    for &step in steps {
        let Some(number) = constant(cx, step) else {
            continue;
        };
        if number == 0 || (number < 0 && !is_unsigned) {
            cx.operand_error(
                op,
                step,
                format!("expected a positive step, found {number}"),
                "a range goes upward, by at least one",
            );
        }
    }
}

/// Returns the value of a rank-0 constant, read as signed.
fn constant(cx: &Context<'_>, value: ValueId) -> Option<i64> {
    let id = cx.module.defining_op(value)?;
    let op = cx.module.op(id);
    let (scalar, shape) = cx.ty(value).as_number_tile()?;
    if op.opcode != CoreOp::Constant.into() || !shape.is_empty() || !cx.is_sound(id) {
        return None;
    }
    let Some(Attr::Dense(data)) = op.attr("value") else {
        return None;
    };
    let bits = data.splat_bits().filter(|_| data.scalar() == scalar)?;
    let unused = 64 - scalar.bits();
    Some((bits << unused).cast_signed() >> unused)
}

fn if_(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let module = cx.module;
    let blocks = [module.region_block(id, 0), module.region_block(id, 1)];
    if blocks[1].is_none() && !op.results.is_empty() {
        cx.report(
            Diagnostic::error(
                Code::VerifyStructure,
                op.loc,
                "a `loop.if` with results has no `else`",
            )
            .note("each branch yields the results")
            .help("write an `else` that yields them too"),
        );
    }
    for block in blocks.into_iter().flatten() {
        cx.body_arguments(
            op,
            block,
            &[],
            "the branches of `loop.if` take no arguments",
        );
    }
}

fn parallel(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let [lower, upper, steps] =
        ["lowerBounds", "upperBounds", "steps"].map(|slot| op.operands_of(slot));
    if lower.is_empty() || upper.len() != lower.len() || steps.len() != lower.len() {
        cx.error(
            Code::VerifyOperands,
            op,
            format!(
                "expected equal numbers of lower bounds, upper bounds and steps, at least one of each, found {}, {} and {}",
                lower.len(),
                upper.len(),
                steps.len()
            ),
            "each dimension has a range",
        );
        return;
    }
    positive_steps(cx, op, steps);
    let inits = op.operands_of("initVals");
    if !inits.is_empty() {
        let rule = "a result has the type of its initial value, if there is one";
        has_result_types(cx, op, &cx.tys(inits), rule);
    }
    let Some(block) = cx.module.region_block(id, 0) else {
        return;
    };
    let variables = vec![cx.ty(lower[0]); lower.len()];
    let rule = "the body takes a loop variable per dimension";
    cx.body_arguments(op, block, &variables, rule);
    results(cx, op, block);
}

/// Reports results that do not match the `loop.reduce`s in the body.
fn results(cx: &mut Context<'_>, op: &Op, body: BlockId) {
    let module = cx.module;
    let ops = module.block(body).ops.iter();
    let reduces: Vec<&Op> = ops
        .map(|&id| module.op(id))
        .filter(|op| op.opcode == LoopOp::Reduce.into())
        .collect();
    if reduces.len() != op.results.len() {
        cx.report(
            Diagnostic::error(
                Code::VerifyResults,
                op.loc,
                format!(
                    "expected {} results, one per `loop.reduce` in the body, found {}",
                    reduces.len(),
                    op.results.len()
                ),
            )
            .note("the results of `loop.parallel` belong to its `loop.reduce`s, in their order"),
        );
        return;
    }
    for (reduce, &result) in reduces.into_iter().zip(&op.results) {
        let Some(&operand) = reduce.operands.first() else {
            continue;
        };
        let (actual, expected) = (cx.ty(operand), cx.ty(result));
        if actual != expected {
            cx.operand_error(
                reduce,
                operand,
                format!("expected an operand of type `{expected}`, found `{actual}`"),
                "the operand of `loop.reduce` has the type of its result of `loop.parallel`",
            );
        }
    }
}

fn reduce(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let Some(block) = cx.module.region_block(id, 0) else {
        return;
    };
    let ty = cx.ty(op.operand("operand"));
    let rule = "the body takes two values of the type of the operand";
    cx.body_arguments(op, block, &[ty, ty], rule);
    for inner in combining(cx.module, block) {
        let inner = cx.module.op(inner);
        cx.error(
            Code::VerifyStructure,
            inner,
            format!(
                "expected operations without effects inside `loop.reduce`, found `{}`",
                name_of(inner)
            ),
            "how often and where a body of `loop.reduce` runs is not specified",
        );
    }
}

/// Returns the operations in the body of a `loop.reduce` that access memory or have effects. Only
/// regions whose parents are consistent are searched, so that the search terminates in any module.
fn combining(module: &Module, body: BlockId) -> Vec<OpId> {
    let mut reduces = Vec::new();
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for &id in &module.block(block).ops {
            let op = module.op(id);
            if op.parent != Some(block) || op.def().is_terminator() {
                continue;
            }
            match op.def().effects {
                Effects::Pure | Effects::NoMemoryEffect => {}
                Effects::Regions => {
                    for &region in &op.regions {
                        let is_own = |block: &&BlockId| {
                            module.block(**block).parent == Some(region)
                                && module.region(region).parent == Some(id)
                        };
                        blocks.extend(module.blocks_of(region).iter().filter(is_own));
                    }
                }
                // A nested `loop.reduce` is checked separately.
                Effects::Write if op.opcode == LoopOp::Reduce.into() => {}
                Effects::Read | Effects::Write => reduces.push(id),
            }
        }
    }
    reduces
}

fn reduce_return(cx: &mut Context<'_>, op: &Op) {
    if let Some(parent) = sound_parent(cx, op)
        && parent.opcode == LoopOp::Reduce.into()
    {
        let rule = "`loop.reduce.return` gives a value of the type of the operand";
        carries(cx, op, &parent.operands, rule);
    }
}

fn yield_(cx: &mut Context<'_>, op: &Op) {
    let Some(parent) = sound_parent(cx, op) else {
        return;
    };
    match parent.opcode {
        Opcode::LoopDialect(LoopOp::For) => {
            let rule = "`loop.yield` gives the next carried values of its `loop.for`";
            carries(cx, op, &parent.results, rule);
        }
        Opcode::LoopDialect(LoopOp::If) => {
            let rule = "a branch of `loop.if` yields its results";
            carries(cx, op, &parent.results, rule);
        }
        Opcode::LoopDialect(LoopOp::Parallel) => {
            let rule = "an iteration of `loop.parallel` yields nothing; `loop.reduce` gives values to its results";
            carries(cx, op, &[], rule);
        }
        // The wrong placement was already reported.
        _ => {}
    }
}

/// Returns the operation whose region `op` ends, if it fits its row.
fn sound_parent<'m>(cx: &Context<'m>, op: &Op) -> Option<&'m Op> {
    let module = cx.module;
    let parent = op
        .parent
        .and_then(|block| module.parent_op_of_block(block))?;
    cx.is_sound(parent).then(|| module.op(parent))
}
