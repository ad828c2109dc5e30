//! Checks assignments.

use super::names::Meaning;
use super::{Checker, Frame};
use crate::hir::{Block, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::{self, BinaryOp, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Checks `place = value`.
    pub(super) fn assign(&mut self, place: &ast::Expr, value: &ast::Expr, loc: Loc) -> ExprId {
        let id = match self.place_type(place) {
            Some(ty) => self.expr_as(value, &ty),
            None => self.expr(value),
        };
        let mut stmts = Vec::new();
        self.assign_to(place, id, value, loc, &mut stmts);
        let block = Block { stmts, tail: None };
        self.push(ExprKind::Block(block), Ty::unit(), loc)
    }

    /// Returns the type of the variable that is assigned.
    fn place_type(&self, place: &ast::Expr) -> Option<Ty> {
        let ast::ExprKind::Path(names) = &place.kind else {
            return None;
        };
        let [name] = names.as_slice() else {
            return None;
        };
        match self.scopes.value(&name.text)? {
            Meaning::Local(local) if !self.unset.contains(&local) => {
                Some(self.resolve(&self.locals[local.index()].ty))
            }
            Meaning::Local(_) | Meaning::Const(..) => None,
        }
    }

    fn assign_to(
        &mut self,
        place: &ast::Expr,
        id: ExprId,
        value: &ast::Expr,
        loc: Loc,
        stmts: &mut Vec<Stmt>,
    ) {
        match &place.kind {
            ast::ExprKind::Error => stmts.push(Stmt::Expr(id)),
            ast::ExprKind::Path(names) if names.len() == 1 && names[0].text == "_" => {
                // Assigning to `_` discards the value on purpose.
                let ty = self.ty(id);
                let unused = self.new_local("_", ty, false, place.loc);
                stmts.push(Stmt::Bind(unused, id));
            }
            ast::ExprKind::Field(..) | ast::ExprKind::Member(..) => {
                let Some((local, part)) = self.part_place(place) else {
                    stmts.push(Stmt::Expr(id));
                    return;
                };
                let ty = self.ty(part);
                let fits = self.expect(&ty, (id, value), || {
                    format!("`{}` keeps its type", ast::text(place))
                });
                if !fits {
                    return;
                }
                // A temporary variable makes sure that the value is computed before the other parts
                // are read.
                let temporary = self.new_local("", ty.clone(), false, value.loc);
                stmts.push(Stmt::Bind(temporary, id));
                let new = self.push(ExprKind::Local(temporary), ty, value.loc);
                let whole = self.with_part(part, new, loc);
                let assign = self.push(ExprKind::Assign(local, whole), Ty::unit(), loc);
                stmts.push(Stmt::Expr(assign));
            }
            ast::ExprKind::Path(names) if names.len() == 1 => {
                if let Some(local) = self.place(&names[0], Some(value)) {
                    if self.unset.remove(&local) {
                        self.locals[local.index()].ty = self.ty(id);
                    }
                    self.carry(local, &names[0], id, value);
                    let assign = self.push(ExprKind::Assign(local, id), Ty::unit(), loc);
                    stmts.push(Stmt::Expr(assign));
                }
            }
            ast::ExprKind::Tuple(parts) => {
                let ty = self.ty(id);
                let types = match &ty {
                    Ty::Tuple(types) if types.len() == parts.len() => types.clone(),
                    Ty::Error => vec![Ty::Error; parts.len()],
                    _ => {
                        let shown = self.show(&ty);
                        self.error(
                            Diagnostic::error(
                                Code::TypeMismatch,
                                place.loc,
                                format!("{} places cannot take `{shown}` apart", parts.len()),
                            )
                            .help("write one place per part of the value"),
                        );
                        return;
                    }
                };
                let whole = self.new_local("", ty, false, place.loc);
                stmts.push(Stmt::Bind(whole, id));
                for (i, (part, ty)) in parts.iter().zip(types).enumerate() {
                    let field = self.part(whole, i, ty, part.loc);
                    self.assign_to(part, field, value, loc, stmts);
                }
            }
            ast::ExprKind::Index(tensor, index) => {
                let ty = self.ty(id);
                self.assigned_element(place, tensor, index, (&ty, value));
            }
            _ => self.not_a_place(place),
        }
    }

    /// Checks the target of an assignment to a part of a variable. Returns the variable and an
    /// expression that reads the part; `None` after an error.
    fn part_place(&mut self, place: &ast::Expr) -> Option<(LocalId, ExprId)> {
        let mut root = place;
        while let ast::ExprKind::Field(whole, _) | ast::ExprKind::Member(whole, _) = &root.kind {
            root = whole;
        }
        match &root.kind {
            ast::ExprKind::Path(names) if names.len() == 1 => {
                let local = self.place(&names[0], None)?;
                let part = self.expr(place);
                (!self.ty(part).is_error()).then_some((local, part))
            }
            ast::ExprKind::Error => None,
            _ => {
                self.not_a_place(place);
                None
            }
        }
    }

    fn not_a_place(&mut self, place: &ast::Expr) {
        self.error(
            Diagnostic::error(
                Code::Immutable,
                place.loc,
                format!("`{}` cannot be assigned", ast::text(place)),
            )
            .note("variables, their parts, and tuples of these can be assigned")
            .help("assign a whole variable; write into a tensor with `.store([i], tile)`"),
        );
    }

    /// Returns the variable that a part is read from, with the part replaced by a value.
    fn with_part(&mut self, part: ExprId, value: ExprId, loc: Loc) -> ExprId {
        let ExprKind::Field(whole, index) = self.exprs[part.index()].kind else {
            return value;
        };
        let ty = self.ty(whole);
        let (Ty::Tuple(types) | Ty::Struct(_, types)) = &ty else {
            return value;
        };
        let types = types.clone();
        let parts = types.into_iter().enumerate().map(|(other, ty)| {
            if other == index {
                value
            } else {
                self.push(ExprKind::Field(whole, other), ty, loc)
            }
        });
        let parts = parts.collect();
        let new = self.push(ExprKind::Tuple(parts), ty, loc);
        self.with_part(whole, new, loc)
    }

    /// Returns the variable that is assigned; `None` after an error.
    fn place(&mut self, name: &Name, value: Option<&ast::Expr>) -> Option<LocalId> {
        use super::names::Meaning;
        let text = &name.text;
        let Some(meaning) = self.scopes.value(text) else {
            // Reports the unknown name with the name closest to it.
            self.path(std::slice::from_ref(name), name.loc);
            return None;
        };
        let id = match meaning {
            Meaning::Local(id) => id,
            Meaning::Const(..) => {
                self.error(
                    Diagnostic::error(
                        Code::Immutable,
                        name.loc,
                        format!("the const parameter `{text}` cannot be assigned"),
                    )
                    .help(format!(
                        "copy it first: write `let mut {} = {text};`",
                        text.to_lowercase()
                    )),
                );
                return None;
            }
        };
        let local = &self.locals[id.index()];
        // `flow` checks that a variable declared without a value is assigned once.
        if local.mutable || local.deferred {
            return Some(id);
        }
        let declared = local.loc;
        let ty = local.ty.clone();
        let axes = match &ty {
            Ty::Tensor(tensor) => tensor.rank,
            Ty::Partition(partition) => partition.tile.len(),
            _ => 0,
        };
        let tile = value.map_or_else(
            || "tile".to_owned(),
            |value| match value.kind {
                ast::ExprKind::Int(..) | ast::ExprKind::Float(..) | ast::ExprKind::Bool(_) => {
                    let ones = vec!["1"; axes].join(", ");
                    format!("full([{ones}], {})", ast::text(value))
                }
                _ => ast::full_text(value),
            },
        );
        let diagnostic = match &ty {
            Ty::Tensor(tensor) => {
                let index = self.some_index(tensor.rank);
                Diagnostic::error(
                    Code::Immutable,
                    name.loc,
                    format!("the tensor `{text}` cannot be assigned"),
                )
                .help(format!(
                    "store into it: write `{text}.store([{index}], {tile})`"
                ))
            }
            Ty::Partition(partition) => {
                let index = self.some_index(partition.tile.len());
                Diagnostic::error(
                    Code::Immutable,
                    name.loc,
                    format!("the partition `{text}` cannot be assigned"),
                )
                .help(format!(
                    "store into it: write `{text}.store([{index}], {tile})`"
                ))
            }
            _ => Diagnostic::error(
                Code::Immutable,
                name.loc,
                format!("`{text}` is assigned, but it is not mutable"),
            )
            .label(declared, format!("`{text}` is declared here"))
            .help(format!("declare it as `mut {text}`")),
        };
        self.error(diagnostic);
        None
    }

    /// Checks that a variable keeps its type.
    fn carry(&mut self, local: LocalId, name: &Name, id: ExprId, value: &ast::Expr) {
        let expected = self.resolve(&self.locals[local.index()].ty.clone());
        let value_ty = self.ty(id);
        if self.unify(&expected, &value_ty) {
            return;
        }
        let declared = self.locals[local.index()].loc;
        let depth = self.locals[local.index()].depth;
        let (plain_code, help) = self.mismatch(&expected, &value_ty, Some(value));
        let text = &name.text;
        let (from, to) = (self.show(&expected), self.show(&value_ty));
        let around = self.frames[depth.min(self.frames.len())..].last().copied();
        let (code, message, note) = match around {
            Some(frame) => {
                let place = match frame {
                    Frame::Loop => "loop",
                    Frame::Branch => "branch",
                };
                (
                    Code::CarriedMismatch,
                    format!("`{text}` changes its type in a {place}, from `{from}` to `{to}`"),
                    format!("a variable that a {place} assigns keeps its element type and shape"),
                )
            }
            None => (
                plain_code,
                format!("`{text}` is `{from}`, and `{to}` is assigned to it"),
                "a variable keeps its element type and shape".to_owned(),
            ),
        };
        // If the value is computed from the variable, changing the shape of the variable would also
        // change the shape of the value.
        let mut computed = false;
        crate::hir::walk::each_expr(&self.exprs, id, &mut |_, expr| {
            computed |= matches!(expr.kind, ExprKind::Local(read) if read == local);
        });
        let help = help.unwrap_or_else(|| match (&expected, &value_ty) {
            (Ty::Scalar(_), Ty::Scalar(_)) => format!(
                "bind the new value to a name of its own with `let`, or declare `{text}` as `{to}`"
            ),
            (Ty::Tile(_, from), Ty::Tile(_, to)) if from != to && computed => format!(
                "bind the new value to a name of its own with `let`: a tile keeps its shape {}",
                crate::hir::ty::shape_text(from)
            ),
            (_, Ty::Tile(_, to_shape)) if let Some(start) = self.starting_as(local, to_shape) => {
                format!("bind the new value to a name of its own with `let`, or {start}")
            }
            _ => format!(
                "bind the new value to a name of its own with `let`, or let `{text}` start as `{to}`"
            ),
        });
        self.error(
            Diagnostic::error(code, value.loc, message)
                .label(declared, format!("`{text}` starts as `{from}`"))
                .label(value.loc, format!("`{}` is `{to}`", ast::text(value)))
                .note(note)
                .help(help),
        );
    }

    /// Checks `place op= value`.
    pub(super) fn assign_op(
        &mut self,
        op: BinaryOp,
        op_loc: Loc,
        place: &ast::Expr,
        value: &ast::Expr,
        loc: Loc,
    ) -> ExprId {
        // Rust evaluates the right side first, then reads the variable.
        let rhs = self.expr(value);
        let target = match &place.kind {
            ast::ExprKind::Path(names) if names.len() == 1 => {
                self.place(&names[0], None).map(|local| (local, None))
            }
            ast::ExprKind::Field(..) | ast::ExprKind::Member(..) => self
                .part_place(place)
                .map(|(local, part)| (local, Some(part))),
            ast::ExprKind::Error => None,
            _ => {
                self.not_a_place(place);
                None
            }
        };
        let Some((local, part)) = target else {
            return self.poison(loc);
        };
        let rhs_ty = self.ty(rhs);
        let constant = self.constant(rhs);
        let temporary = self.new_local("", rhs_ty.clone(), false, value.loc);
        self.locals[temporary.index()].constant = constant;
        let right = self.push(ExprKind::Local(temporary), rhs_ty, value.loc);
        let left = if let Some(part) = part {
            part
        } else {
            let ty = self.locals[local.index()].ty.clone();
            self.push(ExprKind::Local(local), ty, place.loc)
        };
        let mut result = self.binary(op, op_loc, (left, place), (right, value), loc);
        if let Some(part) = part {
            let ty = self.ty(part);
            let written = ast::Expr {
                kind: place.kind.clone(),
                loc,
            };
            self.expect(&ty, (result, &written), || {
                format!("`{}` keeps its type", ast::text(place))
            });
            result = self.with_part(part, result, loc);
        }
        if let ast::ExprKind::Path(names) = &place.kind {
            let whole = ast::Expr {
                kind: ast::ExprKind::Path(names.clone()),
                loc,
            };
            self.carry(local, &names[0], result, &whole);
        }
        let assign = self.push(ExprKind::Assign(local, result), Ty::unit(), loc);
        let block = Block {
            stmts: vec![Stmt::Bind(temporary, rhs), Stmt::Expr(assign)],
            tail: None,
        };
        self.push(ExprKind::Block(block), Ty::unit(), loc)
    }
}
