//! Evaluates constants: shapes, axes, conditions.
//!
//! Evaluation is exact in 128 bits. A value that does not fit its type is not a constant here;
//! `finish` reports it.

use super::Checker;
use super::shapes::too_large;
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, Elem, ExprId, ExprKind, Ty};
use crate::parse::ast::{self, BinaryOp, UnaryOp};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Maximum number of axes of a tile.
const MAX_RANK: usize = 8;

impl Checker<'_> {
    /// Returns the value of an expression, if it is a constant and fits its type.
    pub(super) fn constant(&self, id: ExprId) -> Option<Const> {
        let expr = &self.exprs[id.index()];
        let value = match &expr.kind {
            ExprKind::Int(value) => Const::Int(*value),
            ExprKind::Bool(value) => Const::Bool(*value),
            ExprKind::Local(local) => self.locals[local.index()].constant?,
            ExprKind::Unary(op, value) => unary(*op, self.constant(*value)?, self.scalar_of(id))?,
            ExprKind::Binary(op, lhs, rhs) => binary(
                *op,
                self.constant(*lhs)?,
                self.constant(*rhs)?,
                self.scalar_of(id),
            )?,
            ExprKind::ShortCircuit(op, lhs, rhs) => {
                match (op, self.constant(*lhs)?, self.constant(*rhs)) {
                    (BinaryOp::And, Const::Bool(false), _) => Const::Bool(false),
                    (BinaryOp::Or, Const::Bool(true), _) => Const::Bool(true),
                    (_, Const::Bool(_), rhs) => rhs?,
                    _ => return None,
                }
            }
            ExprKind::Cast(value) => cast(self.constant(*value)?, self.scalar_of(id)?)?,
            ExprKind::Block(_) | ExprKind::Breakable(..) if self.calls.is_constant(id) => {
                self.compute(id).ok().flatten()?
            }
            ExprKind::Block(Block { stmts, tail }) if stmts.is_empty() => {
                self.constant((*tail)?)?
            }
            _ => return None,
        };
        let fits = match (value, self.scalar_of(id)) {
            (Const::Int(value), Some(scalar)) => scalar.holds(value),
            _ => true,
        };
        fits.then_some(value)
    }

    pub(super) fn scalar_of(&self, id: ExprId) -> Option<HostScalar> {
        match self.ty(id) {
            Ty::Scalar(Elem::Known(scalar)) => Some(scalar),
            _ => None,
        }
    }

    /// Evaluates a nonnegative constant integer of any type; `None` after an error. A literal is a
    /// `usize`.
    pub(super) fn known_usize(&mut self, expr: &ast::Expr, what: &str) -> Option<i64> {
        let id = self.expr(expr);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        if let ExprKind::Int(value) = self.exprs[id.index()].kind
            && value < 0
        {
            let help = if what == "an axis" {
                "count axes from the front, starting at `0`"
            } else {
                "write a positive number"
            };
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    expr.loc,
                    format!("{what} is not negative, found {value}"),
                )
                .help(help),
            );
            self.exprs[id.index()].kind = ExprKind::Error;
            return None;
        }
        // A cast does not make a variable of another type a constant.
        let variable = matches!(
            self.exprs[id.index()].kind,
            ExprKind::Local(local) if self.locals[local.index()].constant.is_none()
        );
        if variable && matches!(ty, Ty::Scalar(_)) {
            self.not_constant(id, expr, what);
            return None;
        }
        let usize_ty = Ty::scalar(HostScalar::Usize);
        let why = || format!("{what} is a `usize`");
        let is_integer = matches!(ty, Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer());
        if !is_integer && !self.expect(&usize_ty, (id, expr), why) {
            return None;
        }
        match self.constant(id) {
            Some(Const::Int(value)) if value < 0 => {
                let message = format!(
                    "`{}` is {value}, and {what} is not negative",
                    ast::text(expr)
                );
                self.error(
                    Diagnostic::error(Code::OutOfRange, expr.loc, message)
                        .help("write constants for which it is not"),
                );
                return None;
            }
            Some(Const::Int(value)) => return Some(i64::try_from(value).unwrap_or(i64::MAX)),
            Some(Const::Bool(_)) | None => {}
        }
        if let Some(value) = self.overflowing(id) {
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    expr.loc,
                    format!("`{}` is {value}, which is not a `usize`", ast::text(expr)),
                )
                .help(format!("write a value for which {what} is not negative")),
            );
            // Otherwise `finish` would report the arithmetic again.
            self.exprs[id.index()].kind = ExprKind::Error;
            return None;
        }
        self.not_constant(id, expr, what);
        None
    }

    pub(super) fn not_constant(&mut self, id: ExprId, expr: &ast::Expr, what: &str) {
        let text = ast::text(expr);
        let mut diagnostic = Diagnostic::error(
            Code::NotConstant,
            expr.loc,
            format!("{what} must be known at compile time, and `{text}` is not"),
        )
        .note("known are literals, const parameters, arithmetic on them and a `let` of these");
        diagnostic = match &self.exprs[id.index()].kind {
            ExprKind::Local(local) if self.locals[local.index()].mutable => {
                let declared = self.locals[local.index()].loc;
                diagnostic = diagnostic.label(declared, format!("`{text}` is mutable"));
                if self.may_change(*local) {
                    diagnostic.help("use a literal or a const parameter: a variable that changes is known only at run time")
                } else {
                    diagnostic.help("remove the `mut`")
                }
            }
            ExprKind::Local(_) => {
                let name = text.to_uppercase();
                // The help can give a complete signature only if there are no generics yet.
                diagnostic.help(if self.is_generic || self.is_inlining() {
                    format!("make it a const parameter of the kernel: `const {name}: usize`")
                } else {
                    let value = if what == "an axis" { "0" } else { "64" };
                    format!(
                        "make it a const parameter: write `fn {}<const {name}: usize>(..)` under `#[tile_kernel(instances(({name} = {value})), ..)]`, and here `{name}`",
                        self.kernel
                    )
                })
            }
            _ => diagnostic.help("use a const parameter, `const N: usize`, or a literal"),
        };
        self.error(diagnostic);
    }

    /// Returns `true` if a variable was assigned, or may be assigned in the rest of an enclosing
    /// loop.
    fn may_change(&self, local: crate::hir::LocalId) -> bool {
        let depth = self.locals[local.index()].depth.min(self.frames.len());
        self.frames[depth..].contains(&super::Frame::Loop)
            || self
                .exprs
                .iter()
                .any(|expr| matches!(expr.kind, ExprKind::Assign(to, _) if to == local))
    }

    /// Returns the exact value of constant arithmetic if it does not fit its type.
    pub(super) fn overflowing(&self, id: ExprId) -> Option<i128> {
        let ExprKind::Binary(op, lhs, rhs) = self.exprs[id.index()].kind else {
            return None;
        };
        let value = binary(op, self.constant(lhs)?, self.constant(rhs)?, None)?;
        match value {
            Const::Int(value) if !self.scalar_of(id)?.holds(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the values of a bracketed list of constants; `None` after an error.
    pub(super) fn constant_list(&mut self, list: &ast::Expr, what: &str) -> Option<Vec<i64>> {
        let items = self.list(list)?;
        let values: Vec<Option<i64>> = items
            .iter()
            .map(|item| self.known_usize(item, what))
            .collect();
        values.into_iter().collect()
    }

    /// Returns the items of a bracketed list; `None` after an error.
    pub(super) fn list<'e>(&mut self, list: &'e ast::Expr) -> Option<&'e [ast::Expr]> {
        match &list.kind {
            ast::ExprKind::Array(items) => Some(items),
            ast::ExprKind::Error => None,
            ast::ExprKind::Tuple(items) => {
                let items: Vec<String> = items.iter().map(ast::text).collect();
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        list.loc,
                        format!("expected a list in brackets, found `{}`", ast::text(list)),
                    )
                    .help(format!("write `[{}]`", items.join(", "))),
                );
                None
            }
            _ => {
                let text = ast::text(list);
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        list.loc,
                        format!("expected a list in brackets, found `{text}`"),
                    )
                    .help(format!("write `[{text}]`, with one entry per axis")),
                );
                None
            }
        }
    }

    /// Returns a tile shape in brackets; `None` after an error.
    pub(super) fn shape_argument(&mut self, list: &ast::Expr) -> Option<Vec<i64>> {
        let items = self.list(list)?;
        self.shape(items, list.loc)
    }

    /// Returns the shape with these dimensions; `None` after an error.
    pub(super) fn shape(&mut self, dims: &[ast::Expr], loc: Loc) -> Option<Vec<i64>> {
        let values: Vec<Option<i64>> = dims.iter().map(|dim| self.tile_dim(dim)).collect();
        let shape: Vec<i64> = values.into_iter().collect::<Option<_>>()?;
        if shape.is_empty() {
            self.error(
                Diagnostic::error(Code::RankMismatch, loc, "a tile has at least one axis").help(
                    "write the extents in the brackets, as in `[64]`; a single number is a scalar",
                ),
            );
            return None;
        }
        if shape.len() > MAX_RANK {
            self.error(
                Diagnostic::error(
                    Code::RankMismatch,
                    loc,
                    format!("a tile has at most {MAX_RANK} axes, found {}", shape.len()),
                )
                .help("merge axes"),
            );
            return None;
        }
        if let Some(error) = too_large(&shape) {
            let written: Vec<String> = dims.iter().map(ast::full_text).collect();
            let mut smaller = shape.clone();
            while too_large(&smaller).is_some() {
                let Some(widest) = smaller.iter_mut().max() else {
                    break;
                };
                *widest /= 2;
            }
            self.error(Diagnostic::error(Code::TooLarge, loc, error).help(format!(
                "write a smaller shape, such as `{}` for `[{}]`",
                crate::hir::ty::shape_text(&smaller),
                written.join(", ")
            )));
            return None;
        }
        Some(shape)
    }

    fn tile_dim(&mut self, dim: &ast::Expr) -> Option<i64> {
        let value = self.known_usize(dim, "a tile dimension")?;
        if value > 0 && value.unsigned_abs().is_power_of_two() {
            return Some(value);
        }
        let text = ast::text(dim);
        let named = if text == value.to_string() {
            format!("the tile dimension {value}")
        } else {
            format!("the tile dimension `{text}`, which is {value},")
        };
        let next = value.max(1).unsigned_abs().next_power_of_two();
        self.error(
            Diagnostic::error(
                Code::NotPowerOfTwo,
                dim.loc,
                format!("{named} is not a power of two"),
            )
            .note("loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers")
            .help(if text == value.to_string() {
                format!("write `{next}` for `{text}`: it is the next power of two")
            } else if matches!(dim.kind, ast::ExprKind::Path(_)) {
                format!("write `{text} = {next}` for `{text} = {value}`: it is the next power of two")
            } else {
                format!("make `{text}` {next}, the next power of two")
            }),
        );
        None
    }

    /// Returns an axis of a value with `rank` axes; `None` after an error.
    pub(super) fn axis(&mut self, axis: &ast::Expr, rank: usize, whose: &str) -> Option<usize> {
        let value = self.known_usize(axis, "an axis")?;
        if let Ok(value) = usize::try_from(value)
            && value < rank
        {
            return Some(value);
        }
        let help = match rank {
            0 => "remove the call: a scalar has no axes".to_owned(),
            1 => "write `0`".to_owned(),
            _ => format!("write an axis from `0` to `{}`", rank - 1),
        };
        let axes = if rank == 1 { "axis" } else { "axes" };
        self.error(
            Diagnostic::error(
                Code::RankMismatch,
                axis.loc,
                format!("there is no axis {value}: {whose} has {rank} {axes}"),
            )
            .help(help),
        );
        None
    }
}

pub(super) fn unary(op: UnaryOp, value: Const, scalar: Option<HostScalar>) -> Option<Const> {
    match (op, value) {
        (UnaryOp::Neg, Const::Int(value)) => Some(Const::Int(-value)),
        (UnaryOp::Not, Const::Bool(value)) => Some(Const::Bool(!value)),
        (UnaryOp::Not, Const::Int(value)) => {
            let scalar = scalar?;
            let (_, greatest) = scalar.range()?;
            Some(Const::Int(if scalar.is_signed() {
                !value
            } else {
                greatest - value
            }))
        }
        (UnaryOp::Neg, Const::Bool(_)) => None,
    }
}

pub(super) fn binary(
    op: BinaryOp,
    lhs: Const,
    rhs: Const,
    scalar: Option<HostScalar>,
) -> Option<Const> {
    use BinaryOp as B;
    let (lhs, rhs) = match (lhs, rhs) {
        (Const::Int(lhs), Const::Int(rhs)) => (lhs, rhs),
        (Const::Bool(lhs), Const::Bool(rhs)) => {
            return Some(Const::Bool(match op {
                B::BitAnd => lhs & rhs,
                B::BitOr => lhs | rhs,
                B::BitXor | B::Ne => lhs ^ rhs,
                B::Eq => lhs == rhs,
                B::Lt => !lhs && rhs,
                B::Le => lhs <= rhs,
                B::Gt => lhs && !rhs,
                B::Ge => lhs >= rhs,
                _ => return None,
            }));
        }
        _ => return None,
    };
    let shift = |rhs: i128| -> Option<u32> {
        let rhs = u32::try_from(rhs).ok()?;
        (rhs < scalar.map_or(64, HostScalar::bits)).then_some(rhs)
    };
    Some(Const::Int(match op {
        B::Add => lhs.checked_add(rhs)?,
        B::Sub => lhs.checked_sub(rhs)?,
        B::Mul => lhs.checked_mul(rhs)?,
        B::Div => lhs.checked_div(rhs)?,
        B::Rem => lhs.checked_rem(rhs)?,
        B::BitAnd => lhs & rhs,
        B::BitOr => lhs | rhs,
        B::BitXor => lhs ^ rhs,
        B::Shl => {
            // Bits that are shifted out are discarded without an error, as in Rust.
            let wide = lhs.checked_shl(shift(rhs)?)?;
            wrap(wide, scalar?)?
        }
        B::Shr => lhs >> shift(rhs)?,
        B::Eq => return Some(Const::Bool(lhs == rhs)),
        B::Ne => return Some(Const::Bool(lhs != rhs)),
        B::Lt => return Some(Const::Bool(lhs < rhs)),
        B::Le => return Some(Const::Bool(lhs <= rhs)),
        B::Gt => return Some(Const::Bool(lhs > rhs)),
        B::Ge => return Some(Const::Bool(lhs >= rhs)),
        B::And | B::Or => return None,
    }))
}

pub(super) fn cast(value: Const, target: HostScalar) -> Option<Const> {
    match value {
        Const::Int(value) if target.is_integer() => wrap(value, target).map(Const::Int),
        Const::Bool(value) if target.is_integer() => Some(Const::Int(i128::from(value))),
        Const::Bool(value) if target == HostScalar::Bool => Some(Const::Bool(value)),
        _ => None,
    }
}

/// Returns the value modulo `2^bits`, in the range of the type.
fn wrap(value: i128, scalar: HostScalar) -> Option<i128> {
    let (least, _) = scalar.range()?;
    let modulus = 1_i128 << scalar.bits();
    // The value is reduced first, so that no intermediate result exceeds 128 bits.
    Some((value.rem_euclid(modulus) - least).rem_euclid(modulus) + least)
}
