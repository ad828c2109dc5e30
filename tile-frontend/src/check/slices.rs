//! Checks slices and concatenations of tiles: `extract`, `cat`, `item`.

use super::Checker;
use super::calls::Callee;
use super::math::MethodCall;
use super::types::{Kind, Operand};
use crate::hir::ty::shape_text;
use crate::hir::{Block, Const, ExprId, ExprKind, Stmt, TileOp, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Maximum number of axes of a tile.
const MAX_RANK: usize = 8;

impl Checker<'_> {
    /// Checks `x.item()`.
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

    /// Checks `x.extract([0, 1], [16, 16])`.
    pub(super) fn extract_method(&mut self, ty: &Ty, call: &MethodCall<'_>) -> Option<ExprId> {
        let is_vector = ty.number().is_some_and(|(_, shape)| shape.len() == 1);
        let usage = if is_vector {
            "x.extract([0], [16])"
        } else {
            call.usage
        };
        let [index, shape] = self.method_arguments::<2>(&MethodCall { usage, ..*call })?;
        Some(self.extract(call.receiver, index, shape, call.loc))
    }

    /// Checks `x.extract([i, j], [m, n])`.
    pub(super) fn extract(
        &mut self,
        tile: Operand<'_>,
        index: &ast::Expr,
        shape: &ast::Expr,
        loc: Loc,
    ) -> ExprId {
        let slice = self.slice(tile, index, shape, loc);
        slice.unwrap_or_else(|| self.poison(loc))
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
        for (actual, list, what) in [
            (items.len(), index, "an index"),
            (part.len(), shape, "a shape"),
        ] {
            if actual != whole.len() {
                let axes = if whole.len() == 1 { "axis" } else { "axes" };
                self.error(
                    Diagnostic::error(
                        Code::RankMismatch,
                        list.loc,
                        format!(
                            "`extract` needs {what} with one entry per axis, found {actual} for {} {axes}",
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
            fine &= self.slice_index((id, item), axis, whole[axis] / part[axis]);
        }
        let ty = Ty::Tile(elem, part);
        fine.then(|| self.push(ExprKind::Op(TileOp::Extract(tile.0, ids)), ty, loc))
    }

    /// Checks the index of a slice along an axis, which has `count` slices.
    fn slice_index(&mut self, (id, item): Operand<'_>, axis: usize, count: i64) -> bool {
        let ty = self.ty(id);
        let integer = match &ty {
            Ty::Scalar(elem) => self.kind_of(*elem) == Kind::Integer,
            ty if ty.is_error() => return false,
            _ => false,
        };
        if !integer {
            let actual = self.show(&ty);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    item.loc,
                    format!("an index of a slice is an integer, found `{actual}`"),
                )
                .help("write an integer, such as a literal or a loop variable"),
            );
            return false;
        }
        let index_value = match (self.constant(id), &self.exprs[id.index()].kind) {
            (Some(Const::Int(value)), _) => Some(value),
            (_, ExprKind::Int(value)) => Some(*value),
            _ => None,
        };
        let Some(value) = index_value.filter(|value| !(0..i128::from(count)).contains(value))
        else {
            return true;
        };
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
        false
    }

    /// Checks `cat(a, b, axis)`.
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
                                .help(self.load_help(&ty, written)),
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
            && (0..shape.len()).all(|index| index == axis || shape[index] == rhs_shape[index]);
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
        if let Some(error) = super::shapes::too_large(&joined) {
            self.error(Diagnostic::error(Code::TooLarge, loc, error).help("work on smaller tiles"));
            return None;
        }
        let kind = ExprKind::Op(TileOp::Cat(lhs.0, rhs.0, axis));
        Some(self.push(kind, Ty::Tile(elem, joined), loc))
    }

    /// Checks `join(a, b)`, which pairs elements along a new last axis, and `interleave(a, b)`,
    /// which alternates elements along the last axis.
    pub(super) fn join(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
        interleaves: bool,
    ) -> Option<ExprId> {
        let [lhs, rhs] = self.arguments::<2>(callee, args, loc)?;
        let operands = [(self.expr(lhs), lhs), (self.expr(rhs), rhs)];
        let types = operands.map(|(id, _)| self.ty(id));
        for (ty, (_, written)) in types.iter().zip(operands) {
            if ty.is_error() {
                return None;
            }
            if ty.number().is_none() {
                self.not_a_number(callee, ty, written);
                return None;
            }
        }
        let [(elem, _), (other, _)] = [types[0].number()?, types[1].number()?];
        if !self.unify_elem(elem, other) {
            self.differing(callee, operands[0], operands[1], loc);
            return None;
        }
        let what = callee.name.text.as_str();
        let (ids, shape) = self.stretch_all(&operands, callee.name.loc, what)?;
        let Some((&last, rest)) = shape.split_last() else {
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    loc,
                    format!("`{what}` needs a tile, found two numbers"),
                )
                .help("make a tile of one of them, as in `full([1], x)`"),
            );
            return None;
        };
        let mut pairs = shape.clone();
        pairs.push(2);
        let merged: Vec<i64> = rest.iter().copied().chain([2 * last]).collect();
        if pairs.len() > MAX_RANK {
            self.error(
                Diagnostic::error(
                    Code::RankMismatch,
                    loc,
                    format!("`{what}` adds an axis, and a tile has at most {MAX_RANK}"),
                )
                .help("merge axes of both tiles with `.reshape([..])`"),
            );
            return None;
        }
        if let Some(error) = super::shapes::too_large(&pairs) {
            self.error(Diagnostic::error(Code::TooLarge, loc, error).help("work on smaller tiles"));
            return None;
        }
        let mut single = shape.clone();
        single.push(1);
        let parts = [ids[0], ids[1]]
            .map(|id| self.push(ExprKind::Reshape(id), Ty::Tile(elem, single.clone()), loc));
        let cat = ExprKind::Op(TileOp::Cat(parts[0], parts[1], shape.len()));
        let pairs = self.push(cat, Ty::Tile(elem, pairs), loc);
        if !interleaves {
            return Some(pairs);
        }
        Some(self.push(ExprKind::Reshape(pairs), Ty::Tile(elem, merged), loc))
    }

    /// Checks `x.split()`, which separates the pairs along the last axis into two tiles without
    /// that axis.
    pub(super) fn split(&mut self, tile: Operand<'_>, loc: Loc) -> Option<ExprId> {
        let Ty::Tile(elem, shape) = self.ty(tile.0) else {
            return None;
        };
        let (&last, rest) = shape.split_last()?;
        if last != 2 {
            let text = ast::operand_text(tile.1);
            let mut halves: Vec<String> = rest.iter().map(i64::to_string).collect();
            halves.extend(["2".to_owned(), (last / 2).to_string()]);
            self.error(
                Diagnostic::error(
                    Code::ShapeMismatch,
                    loc,
                    format!("`split` needs a last axis of 2 elements, found {last}"),
                )
                .label(
                    tile.1.loc,
                    format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                )
                .help(format!(
                    "write `{text}.extract(..)` for a part, or `.reshape([..])` so that the last axis has the pairs"
                )),
            );
            return None;
        }
        let whole = Ty::Tile(elem, shape.clone());
        // A variable holds the operand, so that it is evaluated once.
        let local = self.new_local("", whole.clone(), false, loc);
        let mut single = rest.to_vec();
        single.push(1);
        let part = Ty::from_shape(elem, rest);
        let mut halves = Vec::new();
        for i in 0..2 {
            let source = self.push(ExprKind::Local(local), whole.clone(), loc);
            let index = (0..shape.len())
                .map(|axis| {
                    let place = if axis + 1 == shape.len() { i } else { 0 };
                    let ty = Ty::scalar(crate::hir::signature::HostScalar::I32);
                    self.push(ExprKind::Int(place), ty, loc)
                })
                .collect();
            let half = ExprKind::Op(TileOp::Extract(source, index));
            let half = self.push(half, Ty::Tile(elem, single.clone()), loc);
            halves.push(self.push(ExprKind::Reshape(half), part.clone(), loc));
        }
        let ty = Ty::Tuple(vec![part.clone(), part]);
        let tuple = self.push(ExprKind::Tuple(halves), ty.clone(), loc);
        let block = Block {
            stmts: vec![Stmt::Bind(local, tile.0)],
            tail: Some(tuple),
        };
        Some(self.push(ExprKind::Block(block), ty, loc))
    }

    /// Checks `x.gather(0, index)`.
    pub(super) fn take(
        &mut self,
        tile: Operand<'_>,
        axis: &ast::Expr,
        written: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let Ty::Tile(elem, whole) = self.ty(tile.0) else {
            return None;
        };
        let axis = self.axis(axis, whole.len(), "the tile");
        let index = self.expr(written);
        let ty = self.ty(index);
        if ty.is_error() {
            return None;
        }
        let axis = axis?;
        let integers = matches!(&ty, Ty::Tile(elem, _) if self.kind_of(*elem) == Kind::Integer);
        let (_, index_shape) = ty.number().unwrap_or((elem, &[]));
        if !integers {
            let message = format!(
                "the indices of `gather` are a tile of integers, found `{}`",
                self.show(&ty)
            );
            let help = match &ty {
                Ty::Scalar(_) => format!(
                    "write `{}.extract(..)` for one part, or a tile of indices",
                    ast::operand_text(tile.1)
                ),
                _ => "write a tile of integers, such as one that was loaded".to_owned(),
            };
            self.error(Diagnostic::error(Code::TypeMismatch, written.loc, message).help(help));
            return None;
        }
        let fits = index_shape.len() == whole.len()
            && index_shape
                .iter()
                .zip(&whole)
                .enumerate()
                .all(|(i, (&index_shape, &whole))| {
                    i == axis || index_shape == whole || index_shape == 1
                });
        if !fits {
            let mut wanted: Vec<String> = whole.iter().map(i64::to_string).collect();
            "n".clone_into(&mut wanted[axis]);
            let wanted = wanted.join(", ");
            let operands = [tile, (index, written)];
            let code = if index_shape.len() == whole.len() {
                Code::ShapeMismatch
            } else {
                Code::RankMismatch
            };
            let diagnostic = self.label_operands(
                Diagnostic::error(
                    code,
                    written.loc,
                    format!(
                        "`gather` along axis {axis} of {} cannot take indices of shape {}",
                        shape_text(&whole),
                        shape_text(index_shape)
                    ),
                ),
                &operands,
            );
            self.error(
                diagnostic
                    .note("there is an index for each element of the result; along the other axes they are those of the tile, or 1")
                    .help(format!("write indices of shape [{wanted}]")),
            );
            return None;
        }
        let mut shape = whole;
        shape[axis] = index_shape[axis];
        let index = self.stretch(index, &shape);
        let kind = ExprKind::Op(TileOp::Take(tile.0, index, axis));
        let expr = self.push(kind, Ty::Tile(elem, shape), loc);
        let text = ast::operand_text(tile.1);
        self.operators.push(super::Operator { expr, text });
        Some(expr)
    }
}
