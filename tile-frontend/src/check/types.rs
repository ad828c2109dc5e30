//! Infers element types, and checks operators and casts.
//!
//! An element type is known or a variable. A literal without a suffix has a variable that may be
//! bound only to integers, or only to floats. Variables that remain unbound become `i32` or `f64`,
//! as in Rust.

use super::names::Meaning;
use super::{Checker, Operator};
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, ExprKind, StructTy, Ty, Value, VarId};
use crate::parse::ast::{self, BinaryOp, Name, UnaryOp};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The types that a variable may be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Float,
    Any,
}

/// An inference variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Var {
    Free(Kind),
    Is(Elem),
}

/// An operand as typed and as written.
pub(super) type Operand<'e> = (ExprId, &'e ast::Expr);

impl Checker<'_> {
    pub(super) fn fresh(&mut self, kind: Kind) -> Elem {
        let id = u32::try_from(self.vars.len()).expect("few variables");
        self.vars.push(Var::Free(kind));
        Elem::Var(VarId(id))
    }

    pub(super) fn resolve_elem(&self, elem: Elem) -> Elem {
        let mut elem = elem;
        while let Elem::Var(VarId(id)) = elem {
            match self.vars[id as usize] {
                Var::Free(_) => break,
                Var::Is(next) => elem = next,
            }
        }
        elem
    }

    pub(super) fn kind_of(&self, elem: Elem) -> Kind {
        match self.resolve_elem(elem) {
            Elem::Known(scalar) if scalar.is_integer() => Kind::Integer,
            Elem::Known(scalar) if scalar.is_float() => Kind::Float,
            Elem::Known(_) => Kind::Any,
            Elem::Var(VarId(id)) => match self.vars[id as usize] {
                Var::Free(kind) => kind,
                Var::Is(_) => Kind::Any,
            },
        }
    }

    /// Replaces every bound variable in a type.
    pub(super) fn resolve(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Scalar(elem) => Ty::Scalar(self.resolve_elem(*elem)),
            Ty::Tile(elem, shape) => Ty::Tile(self.resolve_elem(*elem), shape.clone()),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.resolve(part)).collect()),
            Ty::Struct(structure, fields) => {
                let arguments = structure.arguments.iter().map(|value| match value {
                    Value::Type(elem) => Value::Type(self.resolve_elem(*elem)),
                    Value::Const(..) => *value,
                });
                let structure = StructTy {
                    index: structure.index,
                    name: structure.name.clone(),
                    arguments: arguments.collect(),
                };
                let fields = fields.iter().map(|field| self.resolve(field)).collect();
                Ty::Struct(structure, fields)
            }
            Ty::Tensor(_) | Ty::Partition(_) | Ty::Pointer(_) | Ty::Never | Ty::Error => ty.clone(),
        }
    }

    pub(super) fn show_elem(&self, elem: Elem) -> String {
        match (self.resolve_elem(elem), self.kind_of(elem)) {
            (Elem::Known(scalar), _) => scalar.name().to_owned(),
            (Elem::Var(_), Kind::Integer) => "{integer}".to_owned(),
            (Elem::Var(_), Kind::Float) => "{float}".to_owned(),
            (Elem::Var(_), Kind::Any) => "_".to_owned(),
        }
    }

    /// Returns the type as messages show it.
    pub(super) fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(elem) => self.show_elem(*elem),
            Ty::Tile(elem, shape) => format!(
                "Tile<{}, {}>",
                self.show_elem(*elem),
                crate::hir::ty::shape_text(shape)
            ),
            Ty::Tuple(parts) => {
                let texts: Vec<String> = parts.iter().map(|part| self.show(part)).collect();
                match texts.as_slice() {
                    [one] => format!("({one},)"),
                    _ => format!("({})", texts.join(", ")),
                }
            }
            Ty::Struct(structure, _) => self.show_struct(structure),
            Ty::Tensor(_) | Ty::Partition(_) | Ty::Pointer(_) | Ty::Never | Ty::Error => {
                ty.to_string()
            }
        }
    }

    pub(super) fn show_expr(&self, id: ExprId) -> String {
        let ty = self.ty(id);
        self.show(&ty)
    }

    /// Unifies two element types; `false` if that is impossible.
    pub(super) fn unify_elem(&mut self, lhs: Elem, rhs: Elem) -> bool {
        let lhs = self.resolve_elem(lhs);
        let rhs = self.resolve_elem(rhs);
        match (lhs, rhs) {
            (Elem::Known(lhs), Elem::Known(rhs)) => lhs == rhs,
            (Elem::Var(VarId(id)), Elem::Known(scalar))
            | (Elem::Known(scalar), Elem::Var(VarId(id))) => {
                let fits = match self.kind_of(Elem::Var(VarId(id))) {
                    Kind::Integer => scalar.is_integer(),
                    Kind::Float => scalar.is_float(),
                    Kind::Any => true,
                };
                if fits {
                    self.vars[id as usize] = Var::Is(Elem::Known(scalar));
                }
                fits
            }
            (Elem::Var(VarId(a)), Elem::Var(VarId(b))) => {
                if a == b {
                    return true;
                }
                match (self.kind_of(lhs), self.kind_of(rhs)) {
                    (_, Kind::Any) => self.vars[b as usize] = Var::Is(lhs),
                    (Kind::Any, _) => self.vars[a as usize] = Var::Is(rhs),
                    (x, y) if x == y => self.vars[a as usize] = Var::Is(rhs),
                    _ => return false,
                }
                true
            }
        }
    }

    /// Unifies two types; `false` if that is impossible.
    pub(super) fn unify(&mut self, lhs: &Ty, rhs: &Ty) -> bool {
        match (lhs, rhs) {
            (Ty::Error | Ty::Never, _) | (_, Ty::Error | Ty::Never) => true,
            (Ty::Scalar(lhs), Ty::Scalar(rhs)) => self.unify_elem(*lhs, *rhs),
            (Ty::Tile(lhs, shape), Ty::Tile(rhs, other)) => {
                shape == other && self.unify_elem(*lhs, *rhs)
            }
            (Ty::Tuple(lhs), Ty::Tuple(rhs)) => {
                lhs.len() == rhs.len() && lhs.iter().zip(rhs).all(|(lhs, rhs)| self.unify(lhs, rhs))
            }
            (Ty::Struct(lhs, lhs_fields), Ty::Struct(rhs, rhs_fields)) => {
                let fields = lhs_fields.iter().zip(rhs_fields);
                lhs.index == rhs.index
                    && self.unify_arguments(&lhs.arguments, &rhs.arguments)
                    && fields.into_iter().all(|(lhs, rhs)| self.unify(lhs, rhs))
            }
            (Ty::Tensor(lhs), Ty::Tensor(rhs)) => lhs == rhs,
            (Ty::Partition(lhs), Ty::Partition(rhs)) => lhs == rhs,
            (Ty::Pointer(lhs), Ty::Pointer(rhs)) => lhs == rhs,
            _ => false,
        }
    }

    /// Returns the error code and the help for a value of type `actual` where `expected` is
    /// required.
    pub(super) fn mismatch(
        &self,
        expected: &Ty,
        actual: &Ty,
        value: Option<&ast::Expr>,
    ) -> (Code, Option<String>) {
        if let (Ty::Tile(_, lhs), Ty::Tile(_, rhs)) = (expected, actual) {
            if lhs.len() != rhs.len() {
                return (Code::RankMismatch, None);
            }
            if lhs != rhs {
                return (Code::ShapeMismatch, None);
            }
        }
        let (Some((want, _)), Some((have, have_shape))) = (expected.number(), actual.number())
        else {
            return (Code::TypeMismatch, None);
        };
        let text = value.map_or_else(|| "the value".to_owned(), ast::text);
        let want = self.resolve_elem(want);
        let Elem::Known(target) = want else {
            let is_float = self.kind_of(want) == Kind::Float;
            let number = match value.map(|value| &value.kind) {
                Some(ast::ExprKind::Int(number, None)) if is_float => Some(number),
                _ => None,
            };
            return (
                Code::TypeMismatch,
                number.map(|number| format!("write `{number}.0`")),
            );
        };
        if expected.number().map(|(_, shape)| shape.is_empty())
            != actual.number().map(|(_, shape)| shape.is_empty())
        {
            return (Code::TypeMismatch, None);
        }
        if let Some(ast::Expr {
            kind: ast::ExprKind::Int(number, None),
            ..
        }) = value
            && target.is_float()
        {
            return (Code::TypeMismatch, Some(format!("write `{number}.0`")));
        }
        if let Some(ast::Expr {
            kind: ast::ExprKind::Float(number, None),
            ..
        }) = value
            && target.is_integer()
        {
            let whole = number.double.trunc();
            return (
                Code::TypeMismatch,
                Some(format!("write an integer, such as `{whole}`")),
            );
        }
        let have_bool = self.resolve_elem(have) == Elem::Known(HostScalar::Bool);
        (
            Code::TypeMismatch,
            Some(convert_help(
                &text,
                value,
                target,
                have_bool,
                have_shape.is_empty(),
            )),
        )
    }

    /// Checks that `value` has the expected type; `false` after an error.
    pub(super) fn expect(
        &mut self,
        expected: &Ty,
        value: Operand<'_>,
        why: impl FnOnce() -> String,
    ) -> bool {
        let (id, written) = value;
        let actual = self.ty(id);
        if self.unify(expected, &actual) {
            return true;
        }
        let expected = self.resolve(expected);
        let (code, help) = self.mismatch(&expected, &actual, Some(written));
        let message = format!(
            "expected `{}`, found `{}`",
            self.show(&expected),
            self.show(&actual)
        );
        let help = help.unwrap_or_else(|| match (&expected, &actual) {
            (Ty::Tile(_, shape), Ty::Tile(..)) => {
                let rule = format!(
                    "give the tile the shape {}",
                    crate::hir::ty::shape_text(shape)
                );
                match self.of_shape(written, shape) {
                    Some(cure) => format!("{rule}: {cure}"),
                    None => rule,
                }
            }
            (Ty::Tile(_, shape), Ty::Scalar(_)) => format!(
                "write `full({}, {})`",
                crate::hir::ty::shape_text(shape),
                ast::text(written)
            ),
            _ => format!("write a value of type `{}`", self.show(&expected)),
        });
        self.error(
            Diagnostic::error(code, written.loc, message)
                .note(why())
                .help(help),
        );
        false
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: &ast::Expr, loc: Loc) -> ExprId {
        // `-128_i8` is one number: 128 alone would not fit.
        if op == UnaryOp::Neg {
            match value.kind {
                ast::ExprKind::Int(..) => {
                    let id = self.expr(value);
                    let ExprKind::Int(number) = self.exprs[id.index()].kind else {
                        return id;
                    };
                    self.exprs[id.index()].kind = ExprKind::Int(-number);
                    self.exprs[id.index()].loc = loc;
                    let text = ast::operand_text(value);
                    self.operators.push(Operator { expr: id, text });
                    return id;
                }
                ast::ExprKind::Float(number, _) => {
                    let id = self.expr(value);
                    self.exprs[id.index()].kind = ExprKind::Float(-number);
                    self.exprs[id.index()].loc = loc;
                    return id;
                }
                _ => {}
            }
        }
        let id = self.expr(value);
        let ty = self.ty(id);
        match &ty {
            Ty::Error => self.poison(loc),
            Ty::Scalar(_) | Ty::Tile(..) => {
                let expr = self.push(ExprKind::Unary(op, id), ty, loc);
                let text = ast::operand_text(value);
                self.operators.push(Operator { expr, text });
                expr
            }
            _ => {
                let result = self.show(&ty);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!(
                            "`{}` needs a number or a tile, found `{result}`",
                            op.symbol()
                        ),
                    )
                    .help(self.load_help(&ty, value)),
                );
                self.poison(loc)
            }
        }
    }

    /// Checks an infix operator on operands that have been checked.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        op_loc: Loc,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
        loc: Loc,
    ) -> ExprId {
        let (lhs_ty, rhs_ty) = (self.ty(lhs.0), self.ty(rhs.0));
        let lazy = matches!(op, BinaryOp::And | BinaryOp::Or);
        // In `more || break`, the right side diverges, but the operator does not diverge if the
        // left side decides the result.
        if lhs_ty.is_error() || rhs_ty.is_error() && !(lazy && rhs_ty == Ty::Never) {
            return self.poison(loc);
        }
        if lazy {
            return self.short_circuit(op, lhs, rhs, loc);
        }
        let (Some((lhs_elem, _)), Some((rhs_elem, _))) = (lhs_ty.number(), rhs_ty.number()) else {
            let (bad, ty) = if lhs_ty.number().is_none() {
                (lhs.1, &lhs_ty)
            } else {
                (rhs.1, &rhs_ty)
            };
            let message = format!(
                "`{}` needs numbers or tiles, found `{}`",
                op.symbol(),
                self.show(ty)
            );
            self.error(
                Diagnostic::error(Code::TypeMismatch, bad.loc, message)
                    .help(self.load_help(ty, bad)),
            );
            return self.poison(loc);
        };
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if !shift && !self.unify_elem(lhs_elem, rhs_elem) {
            self.mixed(op, op_loc, lhs, rhs);
            return self.poison(loc);
        }
        let Some((ids, shape)) = self.stretch_all(&[lhs, rhs], op_loc, op.symbol()) else {
            return self.poison(loc);
        };
        let elem = if op.is_comparison() {
            Elem::Known(HostScalar::Bool)
        } else {
            lhs_elem
        };
        let ty = Ty::from_shape(elem, &shape);
        let expr = self.push(ExprKind::Binary(op, ids[0], ids[1]), ty, loc);
        let text = ast::operand_text(lhs.1);
        self.operators.push(Operator { expr, text });
        expr
    }

    /// Returns the location of the constant and a help, if one of two integers of different types
    /// is a constant. The help gives the constant the type of the other integer. The type of an
    /// argument or counter is fixed, while a constant can have any type.
    pub(super) fn constant_to_convert(
        &self,
        [a, b]: [(&ast::Expr, Elem); 2],
    ) -> Option<(Loc, String)> {
        let integer = |elem: Elem| match self.resolve_elem(elem) {
            Elem::Known(scalar) if scalar.is_integer() => Some(scalar),
            Elem::Known(_) | Elem::Var(_) => None,
        };
        let (a_type, b_type) = (integer(a.1)?, integer(b.1)?);
        let (name, is_generic, to) = match (self.constant_name(a.0), self.constant_name(b.0)) {
            (Some((name, is_generic)), None) => (name, is_generic, b_type),
            (None, Some((name, is_generic))) => (name, is_generic, a_type),
            _ => return None,
        };
        let (text, ty) = (&name.text, to.name());
        let help = if is_generic {
            format!("write `{text} as {ty}`, or declare it as `const {text}: {ty}`")
        } else {
            format!("write `{text} as {ty}`")
        };
        Some((name.loc, help))
    }

    /// Returns the name of a constant, and whether it is a const parameter.
    fn constant_name<'e>(&self, expr: &'e ast::Expr) -> Option<(&'e Name, bool)> {
        let ast::ExprKind::Path(names) = &expr.kind else {
            return None;
        };
        let [name] = names.as_slice() else {
            return None;
        };
        match self.scopes.value(&name.text) {
            Some(Meaning::Const(..)) => Some((name, true)),
            Some(Meaning::Local(_)) => None,
            None => self.is_constant_item(&name.text).then_some((name, false)),
        }
    }

    /// Reports operands of different element types, at the operand that the help converts.
    fn mixed(&mut self, op: BinaryOp, op_loc: Loc, lhs: Operand<'_>, rhs: Operand<'_>) {
        let (lhs_ty, rhs_ty) = (self.ty(lhs.0), self.ty(rhs.0));
        let (lhs_shown, rhs_shown) = (self.show(&lhs_ty), self.show(&rhs_ty));
        let message = format!(
            "`{}` needs operands of one element type, found `{lhs_shown}` and `{rhs_shown}`",
            op.symbol()
        );
        let elem = |ty: &Ty| ty.number().map(|(elem, _)| self.resolve_elem(elem));
        let lhs_is_scalar = matches!(lhs_ty, Ty::Scalar(_));
        let rhs_is_scalar = matches!(rhs_ty, Ty::Scalar(_));
        let bitwise = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        let is_bool = |ty: &Ty| elem(ty) == Some(Elem::Known(HostScalar::Bool));
        // This help converts a `bool` operand to the type of the other.
        let from_bool = |bool_side: Operand<'_>, ty: &Ty, other: &Ty| {
            let target = match elem(other) {
                Some(Elem::Known(scalar)) => scalar,
                _ => HostScalar::I32,
            };
            let scalar = matches!(ty, Ty::Scalar(_));
            Some(convert_help("", Some(bool_side.1), target, true, scalar))
        };
        let (culprit, help) = match (elem(&lhs_ty), elem(&rhs_ty)) {
            _ if bitwise && (is_bool(&lhs_ty) || is_bool(&rhs_ty)) => {
                let help = format!(
                    "put each comparison in parentheses, as in `(a < b) {0} (c < d)`: `{0}` binds tighter",
                    op.symbol()
                );
                (op_loc, Some(help))
            }
            _ if op.is_comparison() && chained(lhs.1).is_some() => {
                let help = chained(lhs.1).map(|(first, middle)| {
                    let second = format!("{middle} {} {}", op.symbol(), ast::operand_text(rhs.1));
                    if lhs_is_scalar && rhs_is_scalar {
                        format!("write `{first} && {second}`")
                    } else {
                        format!("write `({first}) & ({second})`")
                    }
                });
                (op_loc, help)
            }
            _ if is_bool(&lhs_ty) => (lhs.1.loc, from_bool(lhs, &lhs_ty, &rhs_ty)),
            _ if is_bool(&rhs_ty) => (rhs.1.loc, from_bool(rhs, &rhs_ty, &lhs_ty)),
            (Some(Elem::Known(known)), Some(Elem::Var(_))) if known.is_integer() => {
                let help = convert_help("", Some(lhs.1), HostScalar::F32, false, lhs_is_scalar);
                (lhs.1.loc, Some(help))
            }
            (Some(Elem::Var(_)), Some(Elem::Known(known))) if known.is_integer() => {
                let help = convert_help("", Some(rhs.1), HostScalar::F32, false, rhs_is_scalar);
                (rhs.1.loc, Some(help))
            }
            (Some(Elem::Known(to)), Some(Elem::Var(_))) => {
                let (_, help) = self.mismatch(&Ty::scalar(to), &rhs_ty, Some(rhs.1));
                (rhs.1.loc, help)
            }
            (Some(Elem::Var(_)), Some(Elem::Known(to))) => {
                let (_, help) = self.mismatch(&Ty::scalar(to), &lhs_ty, Some(lhs.1));
                (lhs.1.loc, help)
            }
            (Some(Elem::Known(a)), Some(Elem::Known(b))) => {
                let constant = if lhs_is_scalar && rhs_is_scalar {
                    let sides = [(lhs.1, Elem::Known(a)), (rhs.1, Elem::Known(b))];
                    self.constant_to_convert(sides)
                } else {
                    None
                };
                // The help converts to the type that can represent more.
                let (from, from_ty, from_elem, to) = if rank_of_type(a) >= rank_of_type(b) {
                    (rhs.1, &rhs_ty, b, a)
                } else {
                    (lhs.1, &lhs_ty, a, b)
                };
                let scalar = matches!(from_ty, Ty::Scalar(_));
                let is_bool = from_elem == HostScalar::Bool;
                let help = convert_help(&ast::text(from), Some(from), to, is_bool, scalar);
                constant.map_or((from.loc, Some(help)), |(loc, help)| (loc, Some(help)))
            }
            _ => (op_loc, None),
        };
        let mut diagnostic = Diagnostic::error(Code::TypeMismatch, culprit, message)
            .label(
                lhs.1.loc,
                format!("`{}` is `{lhs_shown}`", ast::text(lhs.1)),
            )
            .label(
                rhs.1.loc,
                format!("`{}` is `{rhs_shown}`", ast::text(rhs.1)),
            )
            .note("numbers are never converted silently, as in Rust");
        let help = help.unwrap_or_else(|| {
            "convert one of them: `.cast::<f32>()` for a tile, `as f32` for a number".to_owned()
        });
        diagnostic = diagnostic.help(help);
        self.error(diagnostic);
    }

    fn short_circuit(
        &mut self,
        op: BinaryOp,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
        loc: Loc,
    ) -> ExprId {
        let mut fine = true;
        for (id, written) in [lhs, rhs] {
            let ty = self.ty(id);
            let bool_ty = Ty::scalar(HostScalar::Bool);
            if self.unify(&bool_ty, &ty) {
                continue;
            }
            fine = false;
            let message = format!("`{}` needs `bool`, found `{}`", op.symbol(), self.show(&ty));
            let single = if op == BinaryOp::And { "&" } else { "|" };
            let tiles = matches!(ty, Ty::Tile(..));
            let help = if tiles {
                format!(
                    "write `{} {single} {}`, which works on tiles of `bool` elementwise",
                    ast::operand_text(lhs.1),
                    ast::operand_text(rhs.1)
                )
            } else {
                format!("compare it, as in `{} != 0`", ast::text(written))
            };
            self.error(Diagnostic::error(Code::TypeMismatch, written.loc, message).help(help));
            // The help above covers both sides.
            if tiles {
                break;
            }
        }
        if !fine {
            return self.poison(loc);
        }
        let ty = Ty::scalar(HostScalar::Bool);
        self.push(ExprKind::ShortCircuit(op, lhs.0, rhs.0), ty, loc)
    }

    /// Checks `value as ty`.
    pub(super) fn cast(&mut self, value: &ast::Expr, ty: &ast::Type, loc: Loc) -> ExprId {
        let id = self.expr(value);
        let target = match ty {
            ast::Type::Name(name) => match self.element(name) {
                Some(target) => target,
                None => return self.poison(loc),
            },
            ast::Type::Error => return self.poison(loc),
            ast::Type::Infer => {
                // The type of `x as _` would depend on how the result is used.
                self.error(
                    Diagnostic::error(Code::TypeMismatch, loc, "`as` needs a type")
                        .help("write the type in place of `_`"),
                );
                return self.poison(loc);
            }
            ast::Type::Tile(_, _, type_loc)
            | ast::Type::Tuple(_, type_loc)
            | ast::Type::Generic(_, _, type_loc)
            | ast::Type::Partition(_, _, type_loc)
            | ast::Type::Tensor { loc: type_loc, .. } => {
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        *type_loc,
                        "`as` converts to number types only",
                    )
                    .help("write a number type, such as `f32`"),
                );
                return self.poison(loc);
            }
        };
        let from = self.ty(id);
        match &from {
            Ty::Error => self.poison(loc),
            Ty::Scalar(elem) => {
                // As in Rust, a bare integer literal takes the type of the cast.
                let literal = matches!(self.exprs[id.index()].kind, ExprKind::Int(_));
                if literal && target.is_integer() && matches!(elem, Elem::Var(_)) {
                    self.unify_elem(*elem, Elem::Known(target));
                }
                let expr = self.push(ExprKind::Cast(id), Ty::scalar(target), loc);
                let text = ast::operand_text(value);
                self.operators.push(Operator { expr, text });
                expr
            }
            Ty::Tile(..) => {
                let text = ast::operand_text(value);
                let shown = self.show(&from);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!("`as` converts single numbers, found `{shown}`"),
                    )
                    .help(format!("write `{text}.cast::<{}>()`", target.name())),
                );
                self.poison(loc)
            }
            _ => {
                let shown = self.show(&from);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!("`as` needs a number, found `{shown}`"),
                    )
                    .help(self.load_help(&from, value)),
                );
                self.poison(loc)
            }
        }
    }
}

/// Returns a comparison as written, and the operand that a second comparison is about: `b` of
/// `a < b`, or `a` if `b` is a number.
fn chained(written: &ast::Expr) -> Option<(String, String)> {
    match &written.kind {
        ast::ExprKind::Binary(op, _, left, right) if op.is_comparison() => {
            let is_number = matches!(
                right.kind,
                ast::ExprKind::Int(..) | ast::ExprKind::Float(..)
            );
            let middle = if is_number { left } else { right };
            Some((ast::text(written), ast::operand_text(middle)))
        }
        _ => None,
    }
}

/// Returns the rank of a type; a conversion to a type of higher rank loses less.
fn rank_of_type(scalar: HostScalar) -> u32 {
    match scalar {
        HostScalar::Bool => 0,
        HostScalar::Bf16 => 200,
        HostScalar::F16 => 201,
        HostScalar::F4e2m1 => 190,
        HostScalar::F8e8m0 => 191,
        HostScalar::F8e5m2 => 192,
        HostScalar::F8e4m3 => 193,
        HostScalar::Tf32 => 202,
        HostScalar::F32 => 232,
        HostScalar::F64 => 264,
        integer => integer.bits() * 2 + u32::from(integer.is_signed()),
    }
}

/// Returns the help for a conversion, in the form for scalars or tiles.
pub(super) fn convert_help(
    text: &str,
    written: Option<&ast::Expr>,
    target: HostScalar,
    from_bool: bool,
    scalar: bool,
) -> String {
    let text = written.map_or_else(|| text.to_owned(), ast::operand_text);
    if target == HostScalar::Bool {
        return format!("write a comparison, as in `{text} != 0`");
    }
    if !scalar {
        return format!("write `{text}.cast::<{}>()`", target.name());
    }
    if from_bool && target.is_float() {
        return format!("write `if {text} {{ 1.0 }} else {{ 0.0 }}`");
    }
    format!("write `{text} as {}`", target.name())
}
