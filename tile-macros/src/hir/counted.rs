//! Loops that count are `for` loops.
//!
//! In: a kernel whose jumps structure has taken out. Out: the same kernel, in which
//!
//! ```text
//! while k < end { body; k += 1; }              →  for i in k..end { k = i; body; k += 1; }
//! loop { if k >= end { break; } body; k += 1; }
//! ```
//!
//! if nothing else in the loop assigns `k`, nothing jumps out of the body or to its next iteration, and
//! `end` is the same in every iteration. Then the loop runs as often as the range has numbers: `k` is
//! below `end` where 1 is added, so that nothing wraps, and behind the loop `k` is what it was there. A
//! step other than 1 could pass the end and wrap, and stays as it is.
//!
//! What is gained: a loop with a counter is copied ahead, and is known to end.

use super::walk::{Outcome, each_in_block};
use super::{Block, Expr, ExprId, ExprKind, Kernel, Local, LocalId, Range, Stmt, TargetId, Ty};
use crate::parse::ast::BinaryOp;
use std::collections::BTreeSet;

/// Turns loops that count into `for` loops.
pub(crate) fn counted(kernel: &mut Kernel) {
    for at in 0..kernel.exprs.len() {
        let ExprKind::Loop(target, block) = &kernel.exprs[at].kind else {
            continue;
        };
        let Some(found) = of_loop(kernel, *target, block) else {
            continue;
        };
        rewrite(kernel, at, *target, found);
    }
}

/// A loop that counts.
struct Counted {
    counter: LocalId,
    /// The counter, as it was read in the condition.
    low: ExprId,
    high: ExprId,
    /// The body with the step at its end.
    body: Block,
}

fn of_loop(kernel: &Kernel, target: TargetId, block: &Block) -> Option<Counted> {
    let (condition, body) =
        while_form(kernel, target, block).or_else(|| loop_form(kernel, target, block))?;
    let Condition { low, high } = condition;
    let ExprKind::Local(counter) = kernel.expr(low).kind else {
        return None;
    };
    if !matches!(kernel.local(counter).ty, Ty::Scalar(_)) {
        return None;
    }
    let outcome = Outcome::of_block(&kernel.exprs, &body);
    if !outcome.jumps.is_empty() || !is_invariant(kernel, high, &outcome.assigned) {
        return None;
    }
    let last = body.tail.or_else(|| match body.stmts.last() {
        Some(Stmt::Expr(last)) => Some(*last),
        Some(Stmt::Bind(..) | Stmt::Declare(_)) | None => None,
    })?;
    if !adds_one(kernel, last, counter) {
        return None;
    }
    let mut assignments = 0;
    each_in_block(&kernel.exprs, &body, &mut |_, expr| {
        assignments += usize::from(matches!(expr.kind, ExprKind::Assign(to, _) if to == counter));
    });
    (assignments == 1).then_some(Counted {
        counter,
        low,
        high,
        body,
    })
}

/// `low < high`
struct Condition {
    low: ExprId,
    high: ExprId,
}

/// The comparison under which a loop goes on, if that is `<`.
fn goes_on(kernel: &Kernel, id: ExprId) -> Option<Condition> {
    match kernel.expr(id).kind {
        ExprKind::Binary(BinaryOp::Lt, low, high) | ExprKind::Binary(BinaryOp::Gt, high, low) => {
            Some(Condition { low, high })
        }
        _ => None,
    }
}

/// The comparison under which a loop ends, if its opposite is `<`.
fn ends(kernel: &Kernel, id: ExprId) -> Option<Condition> {
    match kernel.expr(id).kind {
        ExprKind::Binary(BinaryOp::Ge, low, high) | ExprKind::Binary(BinaryOp::Le, high, low) => {
            Some(Condition { low, high })
        }
        _ => None,
    }
}

/// The one expression that a block is.
fn sole(block: &Block) -> Option<ExprId> {
    match (block.stmts.as_slice(), block.tail) {
        ([], Some(tail)) => Some(tail),
        ([Stmt::Expr(only)], None) => Some(*only),
        _ => None,
    }
}

/// Whether a block does nothing but end the loop.
fn leaves(kernel: &Kernel, block: &Block, target: TargetId) -> bool {
    sole(block).is_some_and(|only| match &kernel.expr(only).kind {
        ExprKind::Exit(to, None) => *to == target,
        ExprKind::Block(inner) => leaves(kernel, inner, target),
        _ => false,
    })
}

/// The statements of a block, without blocks that only stand around them.
fn inner<'k>(kernel: &'k Kernel, block: &'k Block) -> &'k Block {
    match sole(block).map(|only| &kernel.expr(only).kind) {
        Some(ExprKind::Block(nested)) => inner(kernel, nested),
        _ => block,
    }
}

/// `while`: a choice between the body and the end.
fn while_form(kernel: &Kernel, target: TargetId, block: &Block) -> Option<(Condition, Block)> {
    let ExprKind::If(condition, then, Some(other)) = &kernel.expr(sole(block)?).kind else {
        return None;
    };
    let condition = goes_on(kernel, *condition)?;
    let body = inner(kernel, then);
    // Only a block of several statements ends in a step of its own.
    leaves(kernel, other, target).then(|| {
        let body = Block {
            stmts: body.stmts.clone(),
            tail: body.tail,
        };
        (condition, body)
    })
}

/// `loop` that begins with its end.
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

/// Whether an expression is `counter = counter + 1`.
fn adds_one(kernel: &Kernel, id: ExprId, counter: LocalId) -> bool {
    match &kernel.expr(id).kind {
        ExprKind::Assign(to, value) if *to == counter => is_next(kernel, *value, counter, None),
        // `counter += 1` computes the right side first.
        ExprKind::Block(block) => {
            let Some((Stmt::Bind(one, value), rest)) = block.stmts.split_first() else {
                return sole(block).is_some_and(|only| adds_one(kernel, only, counter));
            };
            let one = is_one(kernel, *value).then_some(*one);
            let assign = match (rest, block.tail) {
                ([], Some(assign)) => assign,
                ([Stmt::Expr(assign)], None) => *assign,
                _ => return false,
            };
            match kernel.expr(assign).kind {
                ExprKind::Assign(to, value) if to == counter => {
                    is_next(kernel, value, counter, one)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_one(kernel: &Kernel, id: ExprId) -> bool {
    matches!(kernel.expr(id).kind, ExprKind::Int(1))
}

/// Whether an expression is `counter + 1`, where `one` holds 1.
fn is_next(kernel: &Kernel, id: ExprId, counter: LocalId, one: Option<LocalId>) -> bool {
    let is_counter =
        |id: ExprId| matches!(kernel.expr(id).kind, ExprKind::Local(local) if local == counter);
    let adds = |id: ExprId| {
        is_one(kernel, id)
            || matches!(kernel.expr(id).kind, ExprKind::Local(local) if Some(local) == one)
    };
    match kernel.expr(id).kind {
        ExprKind::Binary(BinaryOp::Add, lhs, rhs) => {
            is_counter(lhs) && adds(rhs) || adds(lhs) && is_counter(rhs)
        }
        _ => false,
    }
}

/// Whether an expression has the same value in every iteration, and computing it does nothing else.
fn is_invariant(kernel: &Kernel, id: ExprId, assigned: &BTreeSet<LocalId>) -> bool {
    let all = |ids: &[ExprId]| ids.iter().all(|&id| is_invariant(kernel, id, assigned));
    match &kernel.expr(id).kind {
        ExprKind::Int(_) | ExprKind::BlockId(_) | ExprKind::NumBlocks(_) => true,
        ExprKind::Local(local) => !assigned.contains(local),
        ExprKind::Cast(a)
        | ExprKind::Dim(a, _)
        | ExprKind::NumTiles(a, _)
        | ExprKind::Partition(a) => all(&[*a]),
        ExprKind::Binary(_, a, b) => all(&[*a, *b]),
        _ => false,
    }
}

fn rewrite(kernel: &mut Kernel, at: usize, target: TargetId, found: Counted) {
    let Counted {
        counter,
        low,
        high,
        mut body,
    } = found;
    let Expr { loc, .. } = kernel.exprs[at];
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
    let range = Range {
        low,
        high,
        inclusive: false,
        adapters: Vec::new(),
    };
    kernel.exprs[at].kind = ExprKind::For {
        target,
        local: number,
        range,
        body,
    };
    kernel.exprs[at].ty = Ty::unit();
}
