//! Checks conditions and `if`.

use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, ExprId, ExprKind, Stmt, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Checks the condition of a loop, a guard or an `if`, whose branches are `branches`.
    pub(super) fn condition(
        &mut self,
        cond: &ast::Expr,
        branches: Option<(&ast::Block, Option<&ast::Expr>)>,
    ) -> ExprId {
        if let ast::ExprKind::Assign(place, value) = &cond.kind {
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    cond.loc,
                    "a condition is one `bool`, found an assignment",
                )
                .help(format!(
                    "compare with `==`: write `{} == {}`",
                    ast::operand_text(place),
                    ast::operand_text(value)
                )),
            );
            return self.poison(cond.loc);
        }
        let id = self.expr(cond);
        let ty = self.ty(id);
        if self.unify(&Ty::scalar(HostScalar::Bool), &ty) {
            return id;
        }
        let shown = self.show(&ty);
        let help = match &ty {
            Ty::Tile(..) => {
                let values = branches.and_then(|(then, other)| {
                    let then = then.tail.as_deref().filter(|_| then.stmts.is_empty())?;
                    let other = match &other?.kind {
                        ast::ExprKind::Block(block) if block.stmts.is_empty() => {
                            block.tail.as_deref()?
                        }
                        _ => return None,
                    };
                    Some((ast::text(then), ast::text(other)))
                });
                let (then, other) = values.unwrap_or_else(|| ("a".to_owned(), "b".to_owned()));
                format!(
                    "choose elementwise: write `select({}, {then}, {other})`",
                    ast::text(cond)
                )
            }
            _ => format!("compare it, as in `{} != 0`", ast::text(cond)),
        };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                cond.loc,
                format!("a condition is one `bool`, found `{shown}`"),
            )
            .help(help),
        );
        self.poison(cond.loc)
    }

    /// Checks `if`, as a statement and as a value.
    pub(super) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: &ast::Block,
        other: Option<&ast::Expr>,
        loc: Loc,
    ) -> ExprId {
        let condition = self.condition(cond, Some((then, other)));
        if let Some(Const::Bool(taken)) = self.constant(condition) {
            return self.taken(taken, then, other, loc);
        }
        self.frames.push(Frame::Branch);
        let (then_block, then_ty) = self.block(then);
        let other_block = other.map(|other| {
            if let ast::ExprKind::Block(block) = &other.kind {
                self.block(block)
            } else {
                let id = self.expr(other);
                let block = Block {
                    stmts: Vec::new(),
                    tail: Some(id),
                };
                (block, self.ty(id))
            }
        });
        self.frames.pop();
        let Some((other_block, other_ty)) = other_block else {
            if !self.unify(&Ty::unit(), &then_ty) {
                self.missing_else(&then_ty, value_loc(then));
                return self.poison(loc);
            }
            return self.push(ExprKind::If(condition, then_block, None), Ty::unit(), loc);
        };
        // If the condition is not a `bool`, the author may mean `select`.
        if self.ty(condition).is_error() {
            return self.poison(loc);
        }
        if !self.unify(&then_ty, &other_ty) {
            self.differing_branches((then, &then_ty), (other, &other_ty), loc);
            // Uses of the value would be checked against the branch that may be wrong.
            return self.poison(loc);
        }
        let pruned = |block: &Block| self.is_pruned(block);
        let soft = pruned(&then_block) || pruned(&other_block);
        let then_ty = if then_ty == Ty::Never {
            other_ty
        } else {
            then_ty
        };
        if !then_ty.is_value() {
            let shown = self.show(&then_ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    loc,
                    format!("an `if` cannot choose between values of type `{shown}`"),
                )
                .note("tensors and partitions are fixed for the whole kernel")
                .help("load inside the branches and let the `if` give the tile"),
            );
            return self.poison(loc);
        }
        let id = self.push(
            ExprKind::If(condition, then_block, Some(other_block)),
            then_ty,
            loc,
        );
        if soft {
            self.pruned.insert(id);
        }
        id
    }

    /// Reports an `if` without `else` that has a value.
    fn missing_else(&mut self, ty: &Ty, loc: Loc) {
        let shown = self.show(ty);
        let other = match ty {
            Ty::Scalar(elem) => match (self.resolve_elem(*elem), self.kind_of(*elem)) {
                (crate::hir::Elem::Known(HostScalar::Bool), _) => Some("false"),
                (crate::hir::Elem::Known(scalar), _) if scalar.is_float() => Some("0.0"),
                (_, super::types::Kind::Float) => Some("0.0"),
                _ => Some("0"),
            },
            _ => None,
        };
        let help = match other {
            Some(other) => format!(
                "add `else {{ {other} }}` with the value of the other case, or end the line with `;`"
            ),
            None => {
                "add an `else` with a value of the same type, or end the line with `;`".to_owned()
            }
        };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("an `if` without `else` has no value, found `{shown}`"),
            )
            .help(help),
        );
    }

    /// Reports branches with values of different types.
    fn differing_branches(
        &mut self,
        (then, then_ty): (&ast::Block, &Ty),
        (other, other_ty): (Option<&ast::Expr>, &Ty),
        loc: Loc,
    ) {
        let (then_ty, other_ty) = (self.resolve(then_ty), self.resolve(other_ty));
        let (code, help) = self.mismatch(&then_ty, &other_ty, tail_of(other));
        let values = then.tail.as_deref().zip(tail_of(other));
        let help = help
            .or_else(|| self.mismatch(&other_ty, &then_ty, then.tail.as_deref()).1)
            .or_else(|| self.alike((&then_ty, &other_ty), values?));
        let (from, to) = (self.show(&then_ty), self.show(&other_ty));
        let other_loc = tail_of(other).map_or(loc, |tail| tail.loc);
        self.error(
            Diagnostic::error(
                code,
                other_loc,
                format!("the branches of an `if` have different types, `{from}` and `{to}`"),
            )
            .label(value_loc(then), format!("the first branch gives `{from}`"))
            .label(other_loc, format!("this branch gives `{to}`"))
            .help(help.unwrap_or_else(|| "give both branches one type and shape".to_owned())),
        );
    }

    /// Returns `true` if a block diverges only because of a constant.
    fn is_pruned(&self, block: &Block) -> bool {
        let stmts = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => Some(value),
            Stmt::Declare(_) => None,
        });
        let mut values = stmts.chain(&block.tail);
        values.any(|value| self.pruned.contains(value))
    }

    /// Checks the branch that a constant condition selects; the other branch is not checked.
    fn taken(
        &mut self,
        taken: bool,
        then: &ast::Block,
        other: Option<&ast::Expr>,
        loc: Loc,
    ) -> ExprId {
        let id = match (taken, other) {
            (false, Some(other)) => self.expr(other),
            (false, None) => self.unit(loc),
            (true, _) => {
                let (block, ty) = self.block(then);
                self.push(ExprKind::Block(block), ty, loc)
            }
        };
        if self.ty(id) == Ty::Never {
            self.pruned.insert(id);
        }
        id
    }
}

impl Checker<'_> {
    /// Returns a help that gives the second of two values the shape of the first, if only the
    /// shapes differ.
    pub(super) fn alike(
        &self,
        (first, second): (&Ty, &Ty),
        (one, other): (&ast::Expr, &ast::Expr),
    ) -> Option<String> {
        match (first, second) {
            (Ty::Tile(_, first), Ty::Tile(_, second)) if first.len() == second.len() => {
                self.same_shape((one, first), (other, second))
            }
            _ => None,
        }
    }
}

/// Returns the location of the value of a block.
fn value_loc(block: &ast::Block) -> Loc {
    block.tail.as_ref().map_or(block.loc, |tail| tail.loc)
}

/// Returns the expression with the value of an `else` branch.
pub(super) fn tail_of(other: Option<&ast::Expr>) -> Option<&ast::Expr> {
    match &other?.kind {
        ast::ExprKind::Block(block) => block.tail.as_deref(),
        _ => other,
    }
}
