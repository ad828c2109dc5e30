//! Parts of tiles, and tiles of parts: `extract`, `cat`, `item`.

use super::Checker;
use super::calls::Callee;
use super::types::{Kind, Operand, load_help};
use crate::hir::ty::shape_text;
use crate::hir::{Const, ExprId, ExprKind, TileOp, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// `x.item()`
    pub(super) fn one_element(&mut self, tile: Operand<'_>, loc: Loc) -> ExprId {
        let Ty::Tile(elem, shape) = self.ty(tile.0) else {
            return self.poison(loc);
        };
        let elements: i64 = shape.iter().product();
        if elements != 1 {
            let text = ast::operand_text(tile.1);
            let slice = vec!["i"; shape.len()].join(", ");
            let ones = vec!["1"; shape.len()].join(", ");
            self.error(
                Diagnostic::error(
                    Code::ShapeMismatch,
                    loc,
                    format!("`item` needs a tile of one element, found {elements}"),
                )
                .label(
                    tile.1.loc,
                    format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                )
                .help(format!(
                    "write `{text}.extract([{slice}], [{ones}]).item()` for one element, or a reduction"
                )),
            );
            return self.poison(loc);
        }
        self.push(ExprKind::Reshape(tile.0), Ty::Scalar(elem), loc)
    }

    /// `x.extract([i, j], [m, n])`
    pub(super) fn extract(
        &mut self,
        tile: Operand<'_>,
        index: &ast::Expr,
        shape: &ast::Expr,
        loc: Loc,
    ) -> ExprId {
        let made = self.slice(tile, index, shape, loc);
        made.unwrap_or_else(|| self.poison(loc))
    }

    fn slice(
        &mut self,
        tile: Operand<'_>,
        index: &ast::Expr,
        shape: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let Ty::Tile(elem, whole) = self.ty(tile.0) else {
            return None;
        };
        let items = self.list(index)?;
        let part = self.shape_argument(shape);
        let ids: Vec<ExprId> = items.iter().map(|item| self.expr(item)).collect();
        let part = part?;
        let shown = format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0));
        for (found, list, what) in [
            (items.len(), index, "an index"),
            (part.len(), shape, "a shape"),
        ] {
            if found != whole.len() {
                let axes = if whole.len() == 1 { "axis" } else { "axes" };
                self.error(
                    Diagnostic::error(
                        Code::RankMismatch,
                        list.loc,
                        format!(
                            "`extract` needs {what} with one entry per axis, found {found} for {} {axes}",
                            whole.len()
                        ),
                    )
                    .label(tile.1.loc, shown)
                    .help("write one entry per axis of the tile"),
                );
                return None;
            }
        }
        if let Some(axis) = (0..whole.len()).find(|&axis| part[axis] > whole[axis]) {
            self.error(
                Diagnostic::error(
                    Code::ShapeMismatch,
                    shape.loc,
                    format!(
                        "a slice of {} is larger than the tile of {}",
                        shape_text(&part),
                        shape_text(&whole)
                    ),
                )
                .label(tile.1.loc, shown)
                .help(format!("write at most {} for axis {axis}", whole[axis])),
            );
            return None;
        }
        let mut fine = true;
        for (axis, (&id, item)) in ids.iter().zip(items).enumerate() {
            let ty = self.ty(id);
            let integer = match &ty {
                Ty::Scalar(elem) => self.kind_of(*elem) == Kind::Integer,
                ty if ty.is_error() => {
                    fine = false;
                    continue;
                }
                _ => false,
            };
            if !integer {
                let found = self.show(&ty);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        item.loc,
                        format!("an index of a slice is an integer, found `{found}`"),
                    )
                    .help("write an integer, such as a literal or a loop variable"),
                );
                fine = false;
                continue;
            }
            let count = whole[axis] / part[axis];
            let known = match (self.constant(id), &self.exprs[id.index()].kind) {
                (Some(Const::Int(value)), _) => Some(value),
                (_, ExprKind::Int(value)) => Some(*value),
                _ => None,
            };
            if let Some(value) = known
                && !(0..i128::from(count)).contains(&value)
            {
                let last = count - 1;
                self.error(
                    Diagnostic::error(
                        Code::OutOfRange,
                        item.loc,
                        format!("there is no slice {value} along axis {axis}"),
                    )
                    .note("an index counts slices of the shape that is taken, not elements")
                    .help(if last == 0 {
                        "write `0`: the slice is as long as the axis".to_owned()
                    } else {
                        format!("write a number from `0` to `{last}`")
                    }),
                );
                fine = false;
            }
        }
        let ty = Ty::Tile(elem, part);
        fine.then(|| self.push(ExprKind::Op(TileOp::Extract(tile.0, ids)), ty, loc))
    }

    /// `cat(a, b, axis)`
    pub(super) fn cat(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let [lhs, rhs, axis] = self.arguments::<3>(callee, args, loc)?;
        let (lhs, rhs) = ((self.expr(lhs), lhs), (self.expr(rhs), rhs));
        let mut parts = Vec::new();
        for (id, written) in [lhs, rhs] {
            match self.ty(id) {
                Ty::Tile(elem, shape) => parts.push((elem, shape)),
                ty => {
                    if !ty.is_error() {
                        let message = format!("`cat` joins tiles, found `{}`", self.show(&ty));
                        self.error(
                            Diagnostic::error(Code::TypeMismatch, written.loc, message)
                                .help(load_help(&ty, written)),
                        );
                    }
                    return None;
                }
            }
        }
        let (rhs_elem, rhs_shape) = parts.pop()?;
        let (elem, shape) = parts.pop()?;
        if !self.unify_elem(elem, rhs_elem) {
            self.differing(callee, lhs, rhs, loc);
            return None;
        }
        let axis = self.axis(axis, shape.len(), "the first tile")?;
        let fits = shape.len() == rhs_shape.len()
            && (0..shape.len()).all(|at| at == axis || shape[at] == rhs_shape[at]);
        if !fits {
            let diagnostic = self.label_operands(
                Diagnostic::error(
                    Code::ShapeMismatch,
                    rhs.1.loc,
                    format!(
                        "`cat` along axis {axis} cannot join {} and {}",
                        shape_text(&shape),
                        shape_text(&rhs_shape)
                    ),
                ),
                &[lhs, rhs],
            );
            self.error(diagnostic.help(format!(
                "give the second tile the extents of the first, but for axis {axis}"
            )));
            return None;
        }
        let sum = shape[axis] + rhs_shape[axis];
        if !sum.unsigned_abs().is_power_of_two() {
            let diagnostic = self.label_operands(
                Diagnostic::error(
                    Code::NotPowerOfTwo,
                    loc,
                    format!(
                        "`cat` would make an axis of {sum} elements, which is not a power of two"
                    ),
                ),
                &[lhs, rhs],
            );
            self.error(
                diagnostic
                    .note("extents are powers of two, so the two parts are equally long")
                    .help(format!("make axis {axis} of both tiles the same")),
            );
            return None;
        }
        let mut joined = shape;
        joined[axis] = sum;
        if let Some(fault) = super::shapes::too_large(&joined) {
            self.error(Diagnostic::error(Code::TooLarge, loc, fault).help("work on smaller tiles"));
            return None;
        }
        let kind = ExprKind::Op(TileOp::Cat(lhs.0, rhs.0, axis));
        Some(self.push(kind, Ty::Tile(elem, joined), loc))
    }
}
