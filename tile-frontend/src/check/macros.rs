//! Checks `tile_print!`, `assert!` and `assume!`.

use super::Checker;
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, Elem, ExprId, ExprKind, LocalId, Stmt, TileOp, Ty};
use crate::parse::ast::{
    self, BinaryOp, FormatArg, FormatKind, FormatSpec, MacroCall, Name, Piece,
};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::ir::AssumePredicate;

/// A `tile_print!` whose values have types that are not known yet.
pub(super) struct OpenPrint {
    expr: ExprId,
    pieces: Vec<Piece>,
}

/// An assumption about one variable.
struct Promise<'e> {
    value: &'e ast::Expr,
    predicate: AssumePredicate,
}

/// Adds a promise about `value`. Returns `false` if there is none, after an error.
fn promise<'e>(
    value: &'e ast::Expr,
    predicate: Option<AssumePredicate>,
    into: &mut Vec<Promise<'e>>,
) -> bool {
    let is_known = predicate.is_some();
    into.extend(predicate.map(|predicate| Promise { value, predicate }));
    is_known
}

impl Checker<'_> {
    pub(super) fn macro_call(&mut self, call: &MacroCall, loc: Loc) -> ExprId {
        match call {
            MacroCall::Print { pieces, args } => self.print(pieces, args, loc),
            MacroCall::Assert { cond, message } => self.assertion(cond, message, loc),
            MacroCall::Assume(cond) => self.assume(cond, loc),
            MacroCall::Ptx(call) => self.inline_ptx(call, loc),
        }
    }

    fn print(&mut self, pieces: &[Piece], args: &[ast::Expr], loc: Loc) -> ExprId {
        let ids: Vec<ExprId> = args.iter().map(|arg| self.expr(arg)).collect();
        let mut fine = true;
        for (&id, arg) in ids.iter().zip(args) {
            let ty = self.ty(id);
            if ty.is_error() {
                fine = false;
            } else if ty.number().is_none() {
                let shown = self.show(&ty);
                let help = match ty {
                    Ty::Tuple(_) => "print its parts, as in `x.0`".to_owned(),
                    ref ty => self.load_help(ty, arg),
                };
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        arg.loc,
                        format!("numbers and tiles can be printed, found `{shown}`"),
                    )
                    .help(help),
                );
                fine = false;
            }
        }
        if !fine {
            return self.poison(loc);
        }
        // Each pair of braces is an argument, in their order.
        let order: Vec<ExprId> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Value {
                    arg: FormatArg::Number(number),
                    ..
                } => ids.get(*number).copied(),
                Piece::Value { .. } | Piece::Text(_) => None,
            })
            .collect();
        let kind = ExprKind::Op(TileOp::Print(String::new(), order));
        let expr = self.push(kind, Ty::unit(), loc);
        self.prints.push(OpenPrint {
            expr,
            pieces: pieces.to_vec(),
        });
        expr
    }

    /// Writes the format strings, once the types are known.
    pub(super) fn finish_prints(&mut self) {
        for OpenPrint { expr, pieces } in std::mem::take(&mut self.prints) {
            let ExprKind::Op(TileOp::Print(_, args)) = &self.exprs[expr.index()].kind else {
                continue;
            };
            let args = args.clone();
            let mut scalars = args.iter().map(|&arg| self.element_of(arg));
            let mut format = String::new();
            let mut errors = Vec::new();
            for piece in &pieces {
                match piece {
                    Piece::Text(text) => format.push_str(&text.replace('%', "%%")),
                    Piece::Value { spec, .. } => {
                        let Some(scalar) = scalars.next().flatten() else {
                            continue;
                        };
                        match conversion(spec, scalar) {
                            Ok(text) => format.push_str(&text),
                            Err(error) => errors.push(error),
                        }
                    }
                }
            }
            for (message, help) in errors {
                let loc = self.loc(expr);
                self.error(Diagnostic::error(Code::BadArguments, loc, message).help(help));
            }
            self.exprs[expr.index()].kind = ExprKind::Op(TileOp::Print(format, args));
        }
    }

    fn assertion(&mut self, cond: &ast::Expr, message: &str, loc: Loc) -> ExprId {
        let id = self.expr(cond);
        let ty = self.ty(id);
        if ty.is_error() {
            return self.poison(loc);
        }
        let is_bool = ty
            .number()
            .is_some_and(|(elem, _)| self.unify_elem(elem, Elem::Known(HostScalar::Bool)));
        if !is_bool {
            let shown = self.show(&ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    cond.loc,
                    format!("an assertion takes a `bool` or a tile of them, found `{shown}`"),
                )
                .help(format!(
                    "compare it, as in `{} != 0`",
                    ast::operand_text(cond)
                )),
            );
            return self.poison(loc);
        }
        if message.contains('\0') {
            self.error(
                Diagnostic::error(Code::BadArguments, loc, "a message has no zero characters")
                    .help("leave the `\\0` out"),
            );
            return self.poison(loc);
        }
        let kind = ExprKind::Op(TileOp::Assert(id, message.to_owned()));
        self.push(kind, Ty::unit(), loc)
    }

    /// Checks `assume!(n % 8 == 0 && n < 100)`. A promise about a variable holds from here on.
    fn assume(&mut self, cond: &ast::Expr, loc: Loc) -> ExprId {
        let name = Name {
            text: "assume!".to_owned(),
            loc,
        };
        self.needs_unsafe(
            &name,
            "`assume!`",
            "where the condition does not hold, the behaviour is undefined; `assume(..)` at the head of a kernel needs no `unsafe`: \
             every launch checks it",
        );
        let mut promises = Vec::new();
        if !self.promises(cond, &mut promises) {
            return self.poison(loc);
        }
        let mut stmts = Vec::new();
        for Promise { value, predicate } in merged(promises) {
            let Some(local) = self.promised(value, &predicate) else {
                return self.poison(loc);
            };
            let ty = self.locals[local.index()].ty.clone();
            let read = self.push(ExprKind::Local(local), ty.clone(), value.loc);
            let kind = ExprKind::Op(TileOp::Assume(read, predicate));
            let assumed = self.push(kind, ty, loc);
            let assign = self.push(ExprKind::Assign(local, assumed), Ty::unit(), loc);
            stmts.push(Stmt::Expr(assign));
        }
        let block = Block { stmts, tail: None };
        self.push(ExprKind::Block(block), Ty::unit(), loc)
    }

    /// Returns the variable that a promise is about; `None` after an error.
    fn promised(&mut self, value: &ast::Expr, predicate: &AssumePredicate) -> Option<LocalId> {
        let id = self.expr(value);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        let ExprKind::Local(local) = self.exprs[id.index()].kind else {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    value.loc,
                    format!(
                        "`assume!` speaks of a variable, found `{}`",
                        ast::text(value)
                    ),
                )
                .help(format!(
                    "bind it first: write `let n = {};`, and use `n` from there on",
                    ast::text(value)
                )),
            );
            return None;
        };
        let integers = ty
            .number()
            .is_some_and(|(elem, _)| self.kind_of(elem) == super::types::Kind::Integer);
        if !integers {
            let shown = self.show(&ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    value.loc,
                    format!("`assume!` speaks of integers, found `{shown}`"),
                )
                .help("leave the assumption out"),
            );
            return None;
        }
        let fits = match predicate {
            AssumePredicate::Bounded { lower, upper } => {
                self.bounds_fit(value, &ty, *lower, *upper)
            }
            AssumePredicate::SameElements(extents) => self.blocks_fit(value, &ty, extents),
            AssumePredicate::DivBy { .. } => true,
        };
        fits.then_some(local)
    }

    /// Checks the bounds of a promise about a value of type `ty`.
    fn bounds_fit(
        &mut self,
        value: &ast::Expr,
        ty: &Ty,
        lower: Option<i64>,
        upper: Option<i64>,
    ) -> bool {
        let signed = match ty.number().map(|(elem, _)| self.resolve_elem(elem)) {
            Some(Elem::Known(scalar)) => scalar.is_signed(),
            _ => true,
        };
        if !signed && (lower.is_none_or(|lower| lower < 0) || upper.is_none()) {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    value.loc,
                    "an assumption about an unsigned number needs an upper bound",
                )
                .help(format!(
                    "write both bounds, as in `{0} >= 1 && {0} <= 100`",
                    ast::text(value)
                )),
            );
            return false;
        }
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    value.loc,
                    format!("no number is at least {lower} and at most {upper}"),
                )
                .help("exchange the bounds"),
            );
            return false;
        }
        true
    }

    /// Checks that a tile of type `ty` has blocks of these extents.
    fn blocks_fit(&mut self, value: &ast::Expr, ty: &Ty, extents: &[i64]) -> bool {
        let shape = ty
            .number()
            .map_or_else(Vec::new, |(_, shape)| shape.to_vec());
        let fits = shape.len() == extents.len()
            && shape.iter().zip(extents).all(|(dim, extent)| extent <= dim);
        if fits && !shape.is_empty() {
            return true;
        }
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(
                Code::ShapeMismatch,
                value.loc,
                format!(
                    "`{shown}` has no blocks of {}",
                    crate::hir::ty::shape_text(extents)
                ),
            )
            .help("write an extent per axis of the tile, each at most its own"),
        );
        false
    }

    /// Collects the promises of a condition; `false` after an error.
    fn promises<'e>(&mut self, cond: &'e ast::Expr, into: &mut Vec<Promise<'e>>) -> bool {
        use ast::ExprKind as K;
        match &cond.kind {
            K::Error => return false,
            K::Binary(BinaryOp::And, _, lhs, rhs) => {
                return self.promises(lhs, into) && self.promises(rhs, into);
            }
            K::Binary(BinaryOp::Eq, _, lhs, rhs) => {
                if let K::Binary(BinaryOp::Rem, _, value, divisor) = &lhs.kind
                    && matches!(rhs.kind, K::Int(0, _))
                {
                    let predicate = self.divisible(value, divisor, cond.loc);
                    return promise(value, predicate, into);
                }
            }
            K::Binary(
                op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge),
                _,
                lhs,
                rhs,
            ) => {
                // The promise is about the side that is a variable.
                let literal = |side: &ast::Expr| {
                    matches!(
                        side.kind,
                        K::Int(..) | K::Unary(..) | K::Binary(..) | K::Cast(..)
                    ) || matches!(&side.kind, K::Path(names) if names.len() > 1)
                };
                let (value, bound, op) = if literal(lhs) {
                    let turned = match op {
                        BinaryOp::Lt => BinaryOp::Gt,
                        BinaryOp::Le => BinaryOp::Ge,
                        BinaryOp::Gt => BinaryOp::Lt,
                        _ => BinaryOp::Le,
                    };
                    (rhs, lhs, turned)
                } else {
                    (lhs, rhs, *op)
                };
                let predicate = self.bounded(value, op, bound, cond.loc);
                return promise(value, predicate, into);
            }
            K::Method {
                receiver,
                name,
                args,
                ..
            } if name.text == "same_elements" && args.len() == 1 => {
                let extents = self.constant_list(&args[0], "an extent");
                return promise(receiver, extents.map(AssumePredicate::SameElements), into);
            }
            _ => {}
        }
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                cond.loc,
                format!("`assume!` cannot use `{}`", ast::text(cond)),
            )
            .note("it knows divisibility, bounds, and blocks of equal elements, joined by `&&`")
            .help("write it as `n % 8 == 0`, `n >= 0`, `n < 100` or `t.same_elements([1, 16])`"),
        );
        false
    }

    /// Returns the promise of `value % divisor == 0`; `None` after an error.
    fn divisible(
        &mut self,
        value: &ast::Expr,
        divisor: &ast::Expr,
        loc: Loc,
    ) -> Option<AssumePredicate> {
        let divisor = self.known_bound(value, divisor)?;
        let power = u64::try_from(divisor)
            .ok()
            .filter(|divisor| divisor.is_power_of_two() && *divisor <= 1 << 62);
        if power.is_none() {
            self.error(
                Diagnostic::error(
                    Code::NotPowerOfTwo,
                    loc,
                    format!("`assume!` knows divisors that are powers of two, found {divisor}"),
                )
                .help("write the greatest power of two that divides it"),
            );
        }
        Some(AssumePredicate::DivBy {
            divisor: power?,
            every: None,
            along: None,
        })
    }

    /// Returns the promise of a comparison with a bound on the right; `None` after an error.
    fn bounded(
        &mut self,
        value: &ast::Expr,
        op: BinaryOp,
        bound: &ast::Expr,
        loc: Loc,
    ) -> Option<AssumePredicate> {
        let bound = self.known_bound(value, bound)?;
        let (lower, upper) = match op {
            BinaryOp::Lt => (None, Some(bound - 1)),
            BinaryOp::Le => (None, Some(bound)),
            BinaryOp::Gt => (Some(bound + 1), None),
            _ => (Some(bound), None),
        };
        let narrow = |bound: Option<i128>| bound.map(i64::try_from).transpose();
        let (Ok(lower), Ok(upper)) = (narrow(lower), narrow(upper)) else {
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    loc,
                    "a bound of `assume!` fits into `i64`",
                )
                .help("leave this bound out"),
            );
            return None;
        };
        Some(AssumePredicate::Bounded { lower, upper })
    }

    /// Evaluates a constant that a variable is compared with.
    fn known_bound(&mut self, value: &ast::Expr, written: &ast::Expr) -> Option<i128> {
        let id = self.expr(written);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        // As in a comparison, a literal has the type of the other side.
        let other = self.expr(value);
        if self.ty(other).is_error() {
            return None;
        }
        if let (Some((lhs, _)), Some((rhs, _))) = (ty.number(), self.ty(other).number())
            && !self.unify_elem(lhs, rhs)
        {
            let expected = self.ty(other);
            let expected = expected
                .number()
                .map_or(Ty::Error, |(elem, _)| Ty::Scalar(elem));
            self.expect(&expected, (id, written), || {
                "both sides of a comparison have one type".to_owned()
            });
            return None;
        }
        let bound = match (self.constant(id), &self.exprs[id.index()].kind) {
            (Some(Const::Int(bound)), _) => Some(bound),
            (_, ExprKind::Int(bound)) => Some(*bound),
            _ => None,
        };
        if bound.is_none() {
            self.error(
                Diagnostic::error(
                    Code::NotConstant,
                    written.loc,
                    format!(
                        "a bound of `assume!` must be known at compile time, and `{}` is not",
                        ast::text(written)
                    ),
                )
                .note(
                    "known are literals, const parameters, arithmetic on them and a `let` of these",
                )
                .help("use a literal or a const parameter"),
            );
        }
        bound
    }
}

/// Merges consecutive bounds of one variable into one promise.
fn merged(promises: Vec<Promise<'_>>) -> Vec<Promise<'_>> {
    let mut merged: Vec<Promise<'_>> = Vec::new();
    for promise in promises {
        if let Some(last) = merged.last_mut()
            && ast::text(last.value) == ast::text(promise.value)
            && let AssumePredicate::Bounded { lower, upper } = &mut last.predicate
            && let AssumePredicate::Bounded {
                lower: more,
                upper: less,
            } = promise.predicate
        {
            *lower = (*lower).max(more);
            *upper = match (*upper, less) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            continue;
        }
        merged.push(promise);
    }
    merged
}

/// Returns the `printf` conversion specification for one value, or an error message and its help.
fn conversion(spec: &FormatSpec, scalar: HostScalar) -> Result<String, (String, String)> {
    let FormatSpec {
        flags,
        size,
        has_precision,
        kind,
    } = spec;
    let error = |what: &str, help: &str| {
        Err((
            format!("`{}` cannot be printed {what}", scalar.name()),
            help.to_owned(),
        ))
    };
    let letter = if scalar.is_float() {
        match kind {
            FormatKind::Display if *has_precision => "f",
            FormatKind::Display => "g",
            FormatKind::LowerExp => "e",
            FormatKind::UpperExp => "E",
            FormatKind::LowerHex | FormatKind::UpperHex | FormatKind::Octal => {
                return error("in this notation", "print `.bitcast::<u32>()` of it");
            }
        }
    } else {
        if *has_precision {
            return error("with a precision", "leave the precision out");
        }
        match kind {
            FormatKind::Display if scalar.is_signed() => "d",
            FormatKind::Display => "u",
            FormatKind::LowerHex => "x",
            FormatKind::UpperHex => "X",
            FormatKind::Octal => "o",
            FormatKind::LowerExp | FormatKind::UpperExp => {
                return error("in this notation", "convert it to a float first");
            }
        }
    };
    let wide = if !scalar.is_float() && scalar.bits() == 64 {
        "ll"
    } else {
        ""
    };
    Ok(format!("%{flags}{size}{wide}{letter}"))
}
