//! Finds the comparisons that bound the iterations of a loop.
//!
//! In: the body of a `while`, or of a `loop` that starts with its exit test. Out: the comparisons
//! of variables that hold in every iteration.

use crate::hir::{Block, ExprId, ExprKind, Kernel, LocalId, Stmt, TargetId};
use crate::parse::ast::{BinaryOp, UnaryOp};

/// A loop, with what bounds its number of iterations.
pub(super) enum Loop {
    /// A `for`, with the number of its trip atom.
    For(Option<usize>),
    /// A loop that runs as long as all of these bounds hold.
    While(Vec<Bound>),
}

/// `counter < end`, which holds at the start of an iteration.
pub(super) struct Bound {
    pub(super) counter: LocalId,
    pub(super) end: ExprId,
    /// `true` for `<=` and `>=`.
    pub(super) inclusive: bool,
    /// `true` for `>` and `>=`.
    pub(super) descends: bool,
}

/// Returns the bounds of a loop.
pub(super) fn find(kernel: &Kernel, target: TargetId, body: &Block) -> Vec<Bound> {
    let mut bounds = Vec::new();
    let first = match (body.stmts.first(), body.tail) {
        (Some(Stmt::Expr(first)), _) => *first,
        (None, Some(first)) => first,
        (Some(Stmt::Bind(..) | Stmt::Declare(_)), _) | (None, None) => return bounds,
    };
    let ExprKind::If(condition, then, other) = &kernel.expr(first).kind else {
        return bounds;
    };
    if other
        .as_ref()
        .is_some_and(|other| leaves(kernel, other, target))
    {
        collect(kernel, *condition, true, &mut bounds);
    } else if leaves(kernel, then, target) {
        collect(kernel, *condition, false, &mut bounds);
    }
    bounds
}

/// Returns `true` if a block does nothing but end the loop.
fn leaves(kernel: &Kernel, block: &Block, target: TargetId) -> bool {
    let only = match (block.stmts.as_slice(), block.tail) {
        ([], Some(only)) => only,
        ([Stmt::Expr(only)], None) => *only,
        _ => return false,
    };
    match &kernel.expr(only).kind {
        ExprKind::Exit(to, _) => *to == target,
        ExprKind::Block(inner) => leaves(kernel, inner, target),
        _ => false,
    }
}

/// Collects the comparisons that all hold if `condition` evaluates to `holds`.
fn collect(kernel: &Kernel, condition: ExprId, holds: bool, bounds: &mut Vec<Bound>) {
    let conjunction = if holds { BinaryOp::And } else { BinaryOp::Or };
    match &kernel.expr(condition).kind {
        ExprKind::ShortCircuit(op, lhs, rhs) if *op == conjunction => {
            collect(kernel, *lhs, holds, bounds);
            collect(kernel, *rhs, holds, bounds);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => collect(kernel, *inner, !holds, bounds),
        ExprKind::Binary(op, lhs, rhs) => {
            let (inclusive, descends) = match op {
                BinaryOp::Lt => (false, false),
                BinaryOp::Le => (true, false),
                BinaryOp::Gt => (false, true),
                BinaryOp::Ge => (true, true),
                _ => return,
            };
            let (inclusive, descends) = if holds {
                (inclusive, descends)
            } else {
                (!inclusive, !descends)
            };
            let mut add = |counter: ExprId, end: ExprId, descends: bool| {
                if let ExprKind::Local(counter) = kernel.expr(counter).kind {
                    bounds.push(Bound {
                        counter,
                        end,
                        inclusive,
                        descends,
                    });
                }
            };
            add(*lhs, *rhs, descends);
            add(*rhs, *lhs, !descends);
        }
        _ => {}
    }
}
