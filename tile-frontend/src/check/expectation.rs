//! Propagates expected types down to the expressions that yield a value.
//!
//! Types follow from values, except for the generics of a call or a struct that no argument or
//! field mentions: `let s: State<8> = State::new()`. In that case, the declared type is propagated
//! to the expressions that yield the value: the tails of blocks, branches and arms.

use super::Checker;
use crate::hir::{Block, ExprId, Ty};
use crate::parse::ast::{self, ExprKind};

/// An expression and its expected type.
pub(super) struct Expectation {
    expr: *const ast::Expr,
    ty: Ty,
}

/// The context of a call, besides its path and its arguments.
pub(super) struct Place<'e> {
    /// The type that the function belongs to, if the path has generic arguments for it.
    pub(super) owner: Option<&'e ast::Type>,
    /// The expected type of the value.
    pub(super) wanted: Option<Ty>,
}

/// Collects the expressions that yield the value of an expression and may depend on its expected
/// type.
fn leaves(expr: &ast::Expr, ty: &Ty, expectations: &mut Vec<Expectation>) {
    match &expr.kind {
        ExprKind::Call { .. } | ExprKind::Struct { .. } => expectations.push(Expectation {
            expr: std::ptr::from_ref(expr),
            ty: ty.clone(),
        }),
        ExprKind::Block(block) | ExprKind::Unsafe(block) | ExprKind::Labelled(_, block) => {
            end(block, ty, expectations);
        }
        ExprKind::If { then, other, .. } => {
            end(then, ty, expectations);
            if let Some(other) = other {
                leaves(other, ty, expectations);
            }
        }
        ExprKind::Match(_, arms) => {
            for arm in arms {
                leaves(&arm.body, ty, expectations);
            }
        }
        ExprKind::Tuple(parts) => {
            if ty.is_error() {
                for part in parts {
                    leaves(part, ty, expectations);
                }
            } else if let Ty::Tuple(types) = ty
                && types.len() == parts.len()
            {
                for (part, ty) in parts.iter().zip(types) {
                    leaves(part, ty, expectations);
                }
            }
        }
        // These expressions determine their own types, or have none.
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Bool(_)
        | ExprKind::Path(_)
        | ExprKind::Associated(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Assign(..)
        | ExprKind::AssignOp(..)
        | ExprKind::Cast(..)
        | ExprKind::Method { .. }
        | ExprKind::Field(..)
        | ExprKind::Member(..)
        | ExprKind::Index(..)
        | ExprKind::Array(_)
        | ExprKind::Parallel(_)
        | ExprKind::For { .. }
        | ExprKind::Closure(_)
        | ExprKind::Macro(_)
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::Break { .. }
        | ExprKind::Continue(_)
        | ExprKind::Return(_)
        | ExprKind::Error => {}
    }
}

fn end(block: &ast::Block, ty: &Ty, expectations: &mut Vec<Expectation>) {
    if let Some(tail) = &block.tail {
        leaves(tail, ty, expectations);
    }
}

/// Returns `true` if a value may depend on its expected type.
pub(super) fn matters(expr: &ast::Expr) -> bool {
    let mut expectations = Vec::new();
    leaves(expr, &Ty::Error, &mut expectations);
    !expectations.is_empty()
}

impl Checker<'_> {
    /// Checks an expression with an expected type.
    pub(super) fn expr_as(&mut self, expr: &ast::Expr, ty: &Ty) -> ExprId {
        let mark = self.wanted.len();
        leaves(expr, ty, &mut self.wanted);
        let id = self.expr(expr);
        self.wanted.truncate(mark);
        id
    }

    /// Checks a block whose value has an expected type.
    pub(super) fn block_as(&mut self, block: &ast::Block, ty: &Ty) -> (Block, Ty) {
        let mark = self.wanted.len();
        end(block, ty, &mut self.wanted);
        let value = self.block(block);
        self.wanted.truncate(mark);
        value
    }

    /// Returns the expected type of an expression.
    pub(super) fn wanted(&self, expr: &ast::Expr) -> Option<Ty> {
        let mut expectations = self.wanted.iter().rev();
        let wanted = expectations.find(|wanted| std::ptr::eq(wanted.expr, expr))?;
        Some(self.resolve(&wanted.ty)).filter(|ty| !ty.is_error())
    }
}
