//! Turns loops that count into `for` loops, which can be software-pipelined and are known to end.
//!
//! The pass runs after `structure` has removed jumps:
//!
//! ```text
//! while k < end { body; k += 4; }              →  for i in (k..end).step_by(4) { k = i; body; k += 4; }
//! loop { if k >= end { break; } body; k += 4; }
//! ```
//!
//! The rewrite applies if nothing else in the loop assigns `k`, no jump leaves the body or starts
//! the next iteration, and the step and `end` are loop-invariant. `<=` becomes `..=`. As long as `k
//! += 4` does not wrap, both forms run the body for the same numbers and end with the same `k`. The
//! addition cannot wrap if the condition is `<` and the step is 1, since `k` was below `end`. It
//! cannot wrap either if `end` is a constant that leaves room for a step. Otherwise the `for`
//! replaces only the body:
//!
//! ```text
//! while k < end { for i in (k..end).step_by(4) { k = i; body; k += 4; } }
//! ```
//!
//! The outer loop then ends after one iteration unless `k` wrapped to a number below `end`, from
//! which it continues to count like the original loop.
//!
//! A loop whose step is known only at launch, as in `k += num_blocks(0)`, also gets this form; the
//! bits of the step, cast to `usize`, are the stride. A negative step becomes a stride of nearly
//! 2^64. In a type of up to 32 bits the `for` then ends after one iteration; in a type of 64 bits
//! it does the same or reaches the number that `k` wraps to. For a step of 0, which no `for`
//! accepts, the stride is the largest `usize`, and the outer loop does not end, like the original.

use super::signature::HostScalar;
use super::walk::{Outcome, Part, each_expr, each_in_block};
use super::{
    Adapter, Block, Const, Elem, Expr, ExprId, ExprKind, Kernel, Local, LocalId, Range, Stmt,
    TargetId, Ty,
};
use crate::parse::ast::BinaryOp;
use std::collections::BTreeSet;

/// Turns the counting loops of a kernel into `for` loops.
pub(crate) fn counted(kernel: &mut Kernel) {
    for index in 0..kernel.exprs.len() {
        let ExprKind::Loop(target, block) = &kernel.exprs[index].kind else {
            continue;
        };
        let Some(counted) = counted_loop(kernel, *target, block) else {
            continue;
        };
        rewrite(kernel, index, *target, counted);
    }
}

/// The amount that a loop adds to its counter.
enum Step {
    /// A constant, 1 or more.
    Constant(i128),
    /// A value that is known to be 1 or more.
    Positive(ExprId),
    /// Any value.
    Any(ExprId),
}

/// A counting loop.
struct Counted {
    counter: LocalId,
    condition: Condition,
    step: Step,
    /// `true` if adding the step may wrap.
    may_wrap: bool,
    /// The body, including the step at its end.
    body: Block,
}

fn counted_loop(kernel: &Kernel, target: TargetId, block: &Block) -> Option<Counted> {
    let (condition, body) =
        while_form(kernel, target, block).or_else(|| loop_form(kernel, target, block))?;
    let ExprKind::Local(counter) = kernel.expr(condition.low).kind else {
        return None;
    };
    let Ty::Scalar(Elem::Known(scalar)) = kernel.local(counter).ty else {
        return None;
    };
    let outcome = Outcome::from_block(&kernel.exprs, &body);
    if !outcome.jumps.is_empty() || !is_invariant(kernel, condition.high, &outcome.assigned) {
        return None;
    }
    let last = body.tail.or_else(|| match body.stmts.last() {
        Some(Stmt::Expr(last)) => Some(*last),
        Some(Stmt::Bind(..) | Stmt::Declare(_)) | None => None,
    })?;
    let step = size(
        kernel,
        step(kernel, last, counter)?,
        &outcome.assigned,
        &body,
    )?;
    let mut assignments = 0;
    each_in_block(&kernel.exprs, &body, &mut |_, expr| {
        assignments += usize::from(matches!(expr.kind, ExprKind::Assign(to, _) if to == counter));
    });
    if assignments != 1 {
        return None;
    }
    // The largest number for which the body runs, unless `end` is the smallest of its type.
    let greatest = constant(kernel, condition.high)
        .or_else(|| scalar.range().map(|(_, greatest)| greatest))?;
    let last = greatest - i128::from(!condition.inclusive);
    let may_wrap = match step {
        Step::Constant(size) => !scalar.holds(last + size),
        Step::Positive(_) | Step::Any(_) => true,
    };
    Some(Counted {
        counter,
        condition,
        step,
        may_wrap,
        body,
    })
}

/// Classifies a step; returns `None` if the step is a constant below 1, differs between iterations,
/// or may fault.
fn size(kernel: &Kernel, step: ExprId, assigned: &BTreeSet<LocalId>, body: &Block) -> Option<Step> {
    if let Some(size) = constant(kernel, step) {
        return (size > 0).then_some(Step::Constant(size));
    }
    let mut changing = assigned.clone();
    bound_in(kernel, body, &mut changing);
    if !is_invariant(kernel, step, &changing) || may_fault(kernel, step) {
        return None;
    }
    Some(match least(kernel, step) {
        Some(1..) => Step::Positive(step),
        Some(_) | None => Step::Any(step),
    })
}

/// Collects the variables that a block brings into scope.
fn bound_in(kernel: &Kernel, block: &Block, locals: &mut BTreeSet<LocalId>) {
    bound_in_statements(block, locals);
    each_in_block(&kernel.exprs, block, &mut |_, expr| {
        if let ExprKind::For { local, .. } = expr.kind {
            locals.insert(local);
        }
        for part in expr.kind.parts() {
            if let Part::Block(inner) = part {
                bound_in_statements(inner, locals);
            }
        }
    });
}

fn bound_in_statements(block: &Block, locals: &mut BTreeSet<LocalId>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Bind(local, _) | Stmt::Declare(local) => {
                locals.insert(*local);
            }
            Stmt::Expr(_) => {}
        }
    }
}

/// Returns `true` if evaluating an expression may fault, so that it must not be moved.
fn may_fault(kernel: &Kernel, id: ExprId) -> bool {
    let mut faults = false;
    each_expr(&kernel.exprs, id, &mut |_, expr| {
        faults |= matches!(
            expr.kind,
            ExprKind::Binary(
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr,
                ..
            )
        );
    });
    faults
}

/// Maximum number of blocks along an axis of the grid.
const MAX_BLOCKS: i128 = (1 << 24) - 1;

/// Returns a lower bound of an integer, if one is known.
fn least(kernel: &Kernel, id: ExprId) -> Option<i128> {
    Some(ends_of(kernel, id)?.0)
}

/// Returns the smallest and the largest value of an integer computed from block counts and block
/// indices.
fn ends_of(kernel: &Kernel, id: ExprId) -> Option<(i128, i128)> {
    let expr = kernel.expr(id);
    let (low, high) = match expr.kind {
        ExprKind::NumBlocks(_) => (1, MAX_BLOCKS),
        ExprKind::BlockId(_) => (0, MAX_BLOCKS - 1),
        ExprKind::Cast(inner) => ends_of(kernel, inner)?,
        ExprKind::Binary(op, lhs, rhs) => {
            let ((low, high), (least, most)) = (ends_of(kernel, lhs)?, ends_of(kernel, rhs)?);
            match op {
                BinaryOp::Add => (low + least, high + most),
                BinaryOp::Mul if low >= 0 && least >= 0 => {
                    (low.checked_mul(least)?, high.checked_mul(most)?)
                }
                _ => return None,
            }
        }
        _ => {
            let value = constant(kernel, id)?;
            (value, value)
        }
    };
    let holds = matches!(
        expr.ty,
        Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer() && scalar.holds(low) && scalar.holds(high)
    );
    holds.then_some((low, high))
}

/// Returns the value of an integer that is known at compile time.
fn constant(kernel: &Kernel, id: ExprId) -> Option<i128> {
    let expr = kernel.expr(id);
    match expr.kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Local(local) => match kernel.local(local).constant? {
            Const::Int(value) => Some(value),
            Const::Bool(_) => None,
        },
        ExprKind::Binary(op, lhs, rhs) => {
            let (lhs, rhs) = (constant(kernel, lhs)?, constant(kernel, rhs)?);
            let value = match op {
                BinaryOp::Add => lhs.checked_add(rhs)?,
                BinaryOp::Sub => lhs.checked_sub(rhs)?,
                BinaryOp::Mul => lhs.checked_mul(rhs)?,
                _ => return None,
            };
            matches!(expr.ty, Ty::Scalar(Elem::Known(scalar)) if scalar.holds(value))
                .then_some(value)
        }
        ExprKind::Cast(inner) => {
            let value = constant(kernel, inner)?;
            matches!(expr.ty, Ty::Scalar(Elem::Known(scalar)) if scalar.holds(value))
                .then_some(value)
        }
        _ => None,
    }
}

/// `low < high`, or `low <= high`.
struct Condition {
    low: ExprId,
    high: ExprId,
    inclusive: bool,
}

/// Returns the condition of a loop that continues while it holds, if the condition is `<` or `<=`.
fn goes_on(kernel: &Kernel, id: ExprId) -> Option<Condition> {
    let (low, high, inclusive) =
        match kernel.expr(id).kind {
            ExprKind::Binary(BinaryOp::Lt, low, high)
            | ExprKind::Binary(BinaryOp::Gt, high, low) => (low, high, false),
            ExprKind::Binary(BinaryOp::Le, low, high)
            | ExprKind::Binary(BinaryOp::Ge, high, low) => (low, high, true),
            _ => return None,
        };
    Some(Condition {
        low,
        high,
        inclusive,
    })
}

/// Returns the negation of the condition under which a loop ends, if the negation is `<` or `<=`.
fn ends(kernel: &Kernel, id: ExprId) -> Option<Condition> {
    let (low, high, inclusive) =
        match kernel.expr(id).kind {
            ExprKind::Binary(BinaryOp::Ge, low, high)
            | ExprKind::Binary(BinaryOp::Le, high, low) => (low, high, false),
            ExprKind::Binary(BinaryOp::Gt, low, high)
            | ExprKind::Binary(BinaryOp::Lt, high, low) => (low, high, true),
            _ => return None,
        };
    Some(Condition {
        low,
        high,
        inclusive,
    })
}

/// Returns the single expression of a block.
fn sole(block: &Block) -> Option<ExprId> {
    match (block.stmts.as_slice(), block.tail) {
        ([], Some(tail)) => Some(tail),
        ([Stmt::Expr(only)], None) => Some(*only),
        _ => None,
    }
}

/// Returns `true` if a block only ends the loop.
fn leaves(kernel: &Kernel, block: &Block, target: TargetId) -> bool {
    sole(block).is_some_and(|only| match &kernel.expr(only).kind {
        ExprKind::Exit(to, None) => *to == target,
        ExprKind::Block(inner) => leaves(kernel, inner, target),
        _ => false,
    })
}

/// Returns the innermost block inside blocks that contain nothing else.
fn inner<'k>(kernel: &'k Kernel, block: &'k Block) -> &'k Block {
    match sole(block).map(|only| &kernel.expr(only).kind) {
        Some(ExprKind::Block(nested)) => inner(kernel, nested),
        _ => block,
    }
}

/// Matches `while`, which is an `if` that either runs the body or leaves the loop.
fn while_form(kernel: &Kernel, target: TargetId, block: &Block) -> Option<(Condition, Block)> {
    let ExprKind::If(condition, then, Some(other)) = &kernel.expr(sole(block)?).kind else {
        return None;
    };
    let condition = goes_on(kernel, *condition)?;
    let body = inner(kernel, then);
    // A body that is nested in another block has the step at the end of the inner block.
    leaves(kernel, other, target).then(|| {
        let body = Block {
            stmts: body.stmts.clone(),
            tail: body.tail,
        };
        (condition, body)
    })
}

/// Matches a `loop` whose first statement is `if .. { break; }`.
fn loop_form(kernel: &Kernel, target: TargetId, block: &Block) -> Option<(Condition, Block)> {
    let Some((Stmt::Expr(first), rest)) = block.stmts.split_first() else {
        return None;
    };
    let ExprKind::If(condition, then, None) = &kernel.expr(*first).kind else {
        return None;
    };
    let condition = ends(kernel, *condition)?;
    let body = Block {
        stmts: rest.to_vec(),
        tail: block.tail,
    };
    leaves(kernel, then, target).then_some((condition, body))
}

/// Returns the step of `counter = counter + step`.
fn step(kernel: &Kernel, id: ExprId, counter: LocalId) -> Option<ExprId> {
    match &kernel.expr(id).kind {
        ExprKind::Assign(to, value) if *to == counter => summand(kernel, *value, counter),
        // `counter += step` evaluates the right side first.
        ExprKind::Block(block) => {
            let Some((Stmt::Bind(temporary, value), rest)) = block.stmts.split_first() else {
                return sole(block).and_then(|only| step(kernel, only, counter));
            };
            let assign = match (rest, block.tail) {
                ([], Some(assign)) => assign,
                ([Stmt::Expr(assign)], None) => *assign,
                _ => return None,
            };
            let ExprKind::Assign(to, sum) = kernel.expr(assign).kind else {
                return None;
            };
            let added = summand(kernel, sum, counter).filter(|_| to == counter)?;
            // The temporary variable is not in scope at the head of the loop, so its value is used
            // instead.
            match kernel.expr(added).kind {
                ExprKind::Local(local) if local == *temporary => Some(*value),
                _ => Some(added),
            }
        }
        _ => None,
    }
}

/// Returns the value that is added to the counter.
fn summand(kernel: &Kernel, id: ExprId, counter: LocalId) -> Option<ExprId> {
    let is_counter =
        |id: ExprId| matches!(kernel.expr(id).kind, ExprKind::Local(local) if local == counter);
    match kernel.expr(id).kind {
        ExprKind::Binary(BinaryOp::Add, lhs, rhs) if is_counter(lhs) => Some(rhs),
        ExprKind::Binary(BinaryOp::Add, lhs, rhs) if is_counter(rhs) => Some(lhs),
        _ => None,
    }
}

/// Returns `true` if an expression has the same value in every iteration and no other effect.
fn is_invariant(kernel: &Kernel, id: ExprId, assigned: &BTreeSet<LocalId>) -> bool {
    let all_invariant = |ids: &[ExprId]| ids.iter().all(|&id| is_invariant(kernel, id, assigned));
    match &kernel.expr(id).kind {
        ExprKind::Int(_) | ExprKind::BlockId(_) | ExprKind::NumBlocks(_) => true,
        ExprKind::Local(local) => !assigned.contains(local),
        ExprKind::Cast(a)
        | ExprKind::Dim(a, _)
        | ExprKind::NumTiles(a, _)
        | ExprKind::Partition(a) => all_invariant(&[*a]),
        ExprKind::Binary(_, a, b) => all_invariant(&[*a, *b]),
        _ => false,
    }
}

fn rewrite(kernel: &mut Kernel, loop_index: usize, target: TargetId, counted: Counted) {
    let Counted {
        counter,
        condition,
        step,
        may_wrap,
        mut body,
    } = counted;
    let Expr { loc, .. } = kernel.exprs[loop_index];
    let ty = kernel.local(counter).ty.clone();
    let number = LocalId::new(kernel.locals.len());
    kernel.locals.push(Local {
        name: String::new(),
        ty: ty.clone(),
        mutable: false,
        loc: kernel.local(counter).loc,
        depth: kernel.local(counter).depth + 1,
        constant: None,
        deferred: false,
    });
    let mut push = |kind: ExprKind, ty: Ty| {
        let id = ExprId::new(kernel.exprs.len());
        kernel.exprs.push(Expr { kind, ty, loc });
        id
    };
    let read = push(ExprKind::Local(number), ty);
    let assign = push(ExprKind::Assign(counter, read), Ty::unit());
    body.stmts.insert(0, Stmt::Expr(assign));
    let usize_type = || Ty::scalar(HostScalar::Usize);
    let stride = match step {
        Step::Constant(1) => None,
        Step::Constant(size) => Some(push(ExprKind::Int(size), usize_type())),
        Step::Positive(step) => Some(push(ExprKind::Cast(step), usize_type())),
        Step::Any(step) => {
            let bits = push(ExprKind::Cast(step), usize_type());
            let zero = push(ExprKind::Int(0), usize_type());
            let is_zero = ExprKind::Binary(BinaryOp::Eq, bits, zero);
            let is_zero = push(is_zero, Ty::scalar(HostScalar::Bool));
            let greatest = push(ExprKind::Int(u64::MAX.into()), usize_type());
            let only = |id| Block {
                stmts: Vec::new(),
                tail: Some(id),
            };
            let choice = ExprKind::If(is_zero, only(greatest), Some(only(bits)));
            Some(push(choice, usize_type()))
        }
    };
    let adapters = stride.map(Adapter::StepBy).into_iter().collect();
    let range = Range {
        low: condition.low,
        high: condition.high,
        inclusive: condition.inclusive,
        adapters,
    };
    if !may_wrap {
        kernel.exprs[loop_index].kind = ExprKind::For {
            target,
            local: number,
            range,
            body,
        };
        kernel.exprs[loop_index].ty = Ty::unit();
        return;
    }
    let inner = TargetId::new(kernel.targets.len());
    kernel.targets.push(Ty::unit());
    let kind = ExprKind::For {
        target: inner,
        local: number,
        range,
        body,
    };
    let count = ExprId::new(kernel.exprs.len());
    kernel.exprs.push(Expr {
        kind,
        ty: Ty::unit(),
        loc,
    });
    replace_body(kernel, loop_index, count);
}

/// Replaces the body of a counting loop with one expression.
fn replace_body(kernel: &mut Kernel, loop_index: usize, only: ExprId) {
    let only = Stmt::Expr(only);
    let ExprKind::Loop(_, block) = &mut kernel.exprs[loop_index].kind else {
        unreachable!("a loop was matched");
    };
    if let Some(choice) = sole(block) {
        // `while`: the body is a branch of the single `if`.
        if let ExprKind::If(_, then, _) = &mut kernel.exprs[choice.index()].kind {
            *then = Block {
                stmts: vec![only],
                tail: None,
            };
        }
    } else {
        // `loop`: its first statement leaves it.
        block.stmts.truncate(1);
        block.stmts.push(only);
        block.tail = None;
    }
}
