//! Checks bindings, assignments and branches.

use super::names::Meaning;
use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::{self, BinaryOp, Name, Pat};
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
        let value_loc = |block: &ast::Block| block.tail.as_ref().map_or(block.loc, |tail| tail.loc);
        let Some((other_block, other_ty)) = other_block else {
            if !self.unify(&Ty::unit(), &then_ty) {
                let shown = self.show(&then_ty);
                let other = match &then_ty {
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
                    None => "add an `else` with a value of the same type, or end the line with `;`"
                        .to_owned(),
                };
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        value_loc(then),
                        format!("an `if` without `else` has no value, found `{shown}`"),
                    )
                    .help(help),
                );
                return self.poison(loc);
            }
            return self.push(ExprKind::If(condition, then_block, None), Ty::unit(), loc);
        };
        // If the condition is not a `bool`, the author may mean `select`.
        if self.ty(condition).is_error() {
            return self.poison(loc);
        }
        if !self.unify(&then_ty, &other_ty) {
            let (then_ty, other_ty) = (self.resolve(&then_ty), self.resolve(&other_ty));
            let (code, help) = self.mismatch(&then_ty, &other_ty, tail_of(other));
            let values = then.tail.as_deref().zip(tail_of(other));
            let help = help
                .or_else(|| self.mismatch(&other_ty, &then_ty, then.tail.as_deref()).1)
                .or_else(|| self.alike((&then_ty, &other_ty), values?));
            let (from, to) = (self.show(&then_ty), self.show(&other_ty));
            let other_loc = tail_of(other).map_or(loc, |tail| tail.loc);
            let mut diagnostic = Diagnostic::error(
                code,
                other_loc,
                format!("the branches of an `if` have different types, `{from}` and `{to}`"),
            )
            .label(value_loc(then), format!("the first branch gives `{from}`"))
            .label(other_loc, format!("this branch gives `{to}`"));
            diagnostic = diagnostic
                .help(help.unwrap_or_else(|| "give both branches one type and shape".to_owned()));
            self.error(diagnostic);
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

/// Returns the expression with the value of an `else` branch.
pub(super) fn tail_of(other: Option<&ast::Expr>) -> Option<&ast::Expr> {
    match &other?.kind {
        ast::ExprKind::Block(block) => block.tail.as_deref(),
        _ => other,
    }
}
