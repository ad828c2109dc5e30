//! Checks blocks and `let`.

use super::Checker;
use crate::hir::{Block, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::{self, Pat};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Checks a block in a scope of its own; returns it with the type of its value.
    pub(super) fn block(&mut self, block: &ast::Block) -> (Block, Ty) {
        let mark = self.scopes.enter();
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                ast::Stmt::Let { pat, ty, init } => match init {
                    Some(init) => self.binding(pat, ty.as_ref(), init, &mut stmts),
                    None => self.declaration(pat, ty.as_ref(), &mut stmts),
                },
                ast::Stmt::Expr(expr) => {
                    let id = self.expr(expr);
                    stmts.push(Stmt::Expr(id));
                }
            }
        }
        let tail = block.tail.as_ref().map(|tail| self.expr(tail));
        let end = stmts.iter().rev().find_map(|stmt| match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) if self.ty(*value) == Ty::Never => {
                Some(*value)
            }
            Stmt::Bind(..) | Stmt::Expr(_) | Stmt::Declare(_) => None,
        });
        let ty = match (tail, end) {
            (_, Some(_)) => Ty::Never,
            (Some(tail), None) => self.ty(tail),
            (None, None) => Ty::unit(),
        };
        self.scopes.leave(mark);
        (Block { stmts, tail }, ty)
    }

    fn binding(
        &mut self,
        pat: &Pat,
        annotation: Option<&ast::Type>,
        init: &ast::Expr,
        stmts: &mut Vec<Stmt>,
    ) {
        let expected = annotation.map(|annotation| self.annotation(annotation));
        let mut value = match &expected {
            Some(expected) => self.expr_as(init, expected),
            None => self.expr(init),
        };
        if let Some(expected) = expected {
            let agrees = self.expect(&expected, (value, init), || {
                "the annotation and the value must agree".to_owned()
            });
            // The code that follows is checked as if the annotation were right.
            if !agrees {
                value = self.push(ExprKind::Error, expected, init.loc);
            }
        }
        let before = self.locals.len();
        self.bind(pat, value, stmts);
        if let (Pat::Name { .. }, Some(call)) = (pat, super::suggest::made(init)) {
            let local = LocalId::new(before);
            if before < self.locals.len() {
                self.made.insert(local, call);
            }
        }
    }

    /// Checks `let pat: ty;`.
    fn declaration(&mut self, pat: &Pat, annotation: Option<&ast::Type>, stmts: &mut Vec<Stmt>) {
        let ty = annotation.map(|annotation| self.annotation(annotation));
        match pat {
            Pat::Name { name, mutable } => {
                let local = self.declare(name, ty.clone().unwrap_or(Ty::Error), *mutable);
                self.locals[local.index()].deferred = true;
                if ty.is_none() {
                    self.unset.insert(local);
                }
                stmts.push(Stmt::Declare(local));
            }
            Pat::Wild(_) => {}
            Pat::Tuple(parts, _) => {
                for part in parts {
                    self.declaration(part, None, stmts);
                }
            }
            Pat::Rest(loc) | Pat::Or(_, loc) | Pat::Range { loc, .. } => self.refutable(*loc),
            Pat::At { name, .. } => self.refutable(name.loc),
            Pat::Value(value) => self.refutable(value.loc),
        }
    }

    pub(super) fn refutable(&mut self, loc: Loc) {
        self.error(
            Diagnostic::error(
                Code::NonExhaustive,
                loc,
                "this pattern does not take every value",
            )
            .note("`let` and `for` need patterns that take every value: names, `_` and tuples of them")
            .help("write `_` or a name here, and compare the value in a `match` or an `if`"),
        );
    }

    /// Binds the names of a pattern. The parts of a tuple are read from a temporary variable, so
    /// that the value is evaluated once.
    pub(super) fn bind(&mut self, pat: &Pat, value: ExprId, stmts: &mut Vec<Stmt>) {
        let ty = self.ty(value);
        match pat {
            Pat::Name { name, mutable } => {
                if *mutable && !ty.is_value() {
                    let shown = self.show(&ty);
                    self.error(
                        Diagnostic::error(
                            Code::Immutable,
                            name.loc,
                            format!("a variable of type `{shown}` cannot be mutable"),
                        )
                        .note("tensors and partitions are fixed for the whole kernel")
                        .help("remove the `mut`"),
                    );
                }
                let constant = self.constant(value).filter(|_| !mutable);
                let local = self.declare(name, ty, *mutable);
                self.locals[local.index()].constant = constant;
                if !mutable {
                    self.initial.insert(local, value);
                }
                stmts.push(Stmt::Bind(local, value));
            }
            Pat::Wild(_) => {
                // `let _ = x;` discards the value on purpose.
                let unused = self.new_local("_", ty, false, pat.loc());
                stmts.push(Stmt::Bind(unused, value));
            }
            Pat::At { name, mutable, pat } => {
                let whole = Pat::Name {
                    name: name.clone(),
                    mutable: *mutable,
                };
                self.bind(&whole, value, stmts);
                if let Some(Stmt::Bind(local, _)) = stmts.last() {
                    let local = *local;
                    let read = self.push(ExprKind::Local(local), ty, name.loc);
                    self.bind(pat, read, stmts);
                }
            }
            Pat::Rest(loc) | Pat::Or(_, loc) | Pat::Range { loc, .. } => self.refutable(*loc),
            Pat::Value(value) => self.refutable(value.loc),
            Pat::Tuple(parts, loc) => {
                let rest = expand_rest(parts, &ty);
                let parts: &[Pat] = rest.as_deref().unwrap_or(parts);
                let types = match &ty {
                    Ty::Tuple(types) | Ty::Struct(_, types) if types.len() == parts.len() => {
                        types.clone()
                    }
                    Ty::Error => vec![Ty::Error; parts.len()],
                    _ => {
                        let shown = self.show(&ty);
                        let message = format!(
                            "a pattern of {} parts cannot take `{shown}` apart",
                            parts.len()
                        );
                        let help = match &ty {
                            Ty::Tuple(types) => super::suggest::as_many_parts(parts, types.len()),
                            _ => "write a single name".to_owned(),
                        };
                        self.error(Diagnostic::error(Code::TypeMismatch, *loc, message).help(help));
                        vec![Ty::Error; parts.len()]
                    }
                };
                // `let (a, b) = (x, y)` needs no tuple.
                let direct: Option<Vec<ExprId>> = match &self.exprs[value.index()].kind {
                    ExprKind::Tuple(items) if items.len() == parts.len() => Some(items.clone()),
                    _ => None,
                };
                if let Some(items) = direct {
                    self.bind_parts(parts, &items, stmts);
                    return;
                }
                let whole = self.new_local("", ty, false, *loc);
                stmts.push(Stmt::Bind(whole, value));
                for (index, (part, part_ty)) in parts.iter().zip(types).enumerate() {
                    let field = self.part(whole, index, part_ty, *loc);
                    self.bind(part, field, stmts);
                }
            }
        }
    }

    fn bind_parts(&mut self, parts: &[Pat], items: &[ExprId], stmts: &mut Vec<Stmt>) {
        // All values are evaluated before any name is bound, so `let (a, b) = (b, a)` swaps.
        // Binding the parts one by one is sound, since names in `items` have been resolved already
        // and a `Bind` does not change the value of an earlier variable.
        for (part, &item) in parts.iter().zip(items) {
            self.bind(part, item, stmts);
        }
    }

    pub(super) fn part(&mut self, whole: LocalId, index: usize, ty: Ty, loc: Loc) -> ExprId {
        let whole_ty = self.locals[whole.index()].ty.clone();
        let read = self.push(ExprKind::Local(whole), whole_ty, loc);
        self.push(ExprKind::Field(read, index), ty, loc)
    }
}

/// Returns the parts of a pattern with `..` replaced by a `_` for each value that it covers; `None`
/// without a `..`.
pub(super) fn expand_rest(parts: &[Pat], ty: &Ty) -> Option<Vec<Pat>> {
    let rest = parts.iter().position(|part| matches!(part, Pat::Rest(_)))?;
    let (Ty::Tuple(types) | Ty::Struct(_, types)) = ty else {
        return None;
    };
    let missing = (types.len() + 1).checked_sub(parts.len())?;
    let loc = parts[rest].loc();
    let mut patterns: Vec<Pat> = parts[..rest].to_vec();
    patterns.extend(std::iter::repeat_n(Pat::Wild(loc), missing));
    patterns.extend_from_slice(&parts[rest + 1..]);
    Some(patterns)
}
