//! Stretches operands, and checks functions that change a shape.

use super::Checker;
use super::types::Operand;
use crate::hir::ty::shape_text;
use crate::hir::{ExprId, ExprKind, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

const STRETCH_RULE: &str =
    "axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape";

/// Returns where to insert axes of extent 1 so that `low` stretches to `high`.
fn unsqueezes(low: &[i64], high: &[i64]) -> Vec<Vec<usize>> {
    let extra = high.len() - low.len();
    let mut candidates = Vec::new();
    // Ranks are small, so every choice of axes is tried.
    for bits in 0_u32..(1 << high.len()) {
        if bits.count_ones() as usize != extra {
            continue;
        }
        let axes: Vec<usize> = (0..high.len())
            .filter(|axis| bits >> axis & 1 == 1)
            .collect();
        let mut rest = low.iter();
        let fits = high.iter().enumerate().all(|(axis, &dim)| {
            axes.contains(&axis)
                || rest
                    .next()
                    .is_some_and(|&own_dim| own_dim == dim || own_dim == 1 || dim == 1)
        });
        if fits {
            candidates.push(axes);
        }
    }
    candidates
}

impl Checker<'_> {
    /// Stretches numbers and tiles to one shape; `None` after an error. Element types are ignored.
    /// `what` names the operation.
    pub(super) fn stretch_all(
        &mut self,
        operands: &[Operand<'_>],
        result_loc: Loc,
        what: &str,
    ) -> Option<(Vec<ExprId>, Vec<i64>)> {
        let mut shape: Vec<i64> = Vec::new();
        let mut setter: Option<Operand<'_>> = None;
        for &(id, written) in operands {
            let ty = self.ty(id);
            let (_, operand_shape) = ty.number()?;
            if operand_shape.is_empty() {
                continue;
            }
            let Some(first) = setter else {
                shape = operand_shape.to_vec();
                setter = Some((id, written));
                continue;
            };
            if shape.len() != operand_shape.len() {
                self.report_ranks(first, (id, written), &shape, operand_shape, what);
                return None;
            }
            let fits = shape
                .iter()
                .zip(operand_shape)
                .all(|(&a, &b)| a == b || a == 1 || b == 1);
            if !fits {
                self.report_shapes(first, (id, written), &shape, operand_shape, what);
                return None;
            }
            for (dim, &operand_shape) in shape.iter_mut().zip(operand_shape) {
                *dim = (*dim).max(operand_shape);
            }
        }
        if let Some(error) = too_large(&shape) {
            self.error(
                Diagnostic::error(Code::TooLarge, result_loc, error).help("work on smaller tiles"),
            );
            return None;
        }
        let ids = operands
            .iter()
            .map(|&(id, _)| self.stretch(id, &shape))
            .collect();
        Some((ids, shape))
    }

    /// Stretches one operand to `shape`, which it is known to fit.
    pub(super) fn stretch(&mut self, id: ExprId, shape: &[i64]) -> ExprId {
        let ty = self.ty(id);
        match ty.number() {
            Some((elem, operand_shape)) if operand_shape != shape => {
                let loc = self.loc(id);
                self.push(ExprKind::Stretch(id), Ty::from_shape(elem, shape), loc)
            }
            _ => id,
        }
    }

    /// Reports different ranks at the operand of lower rank, to which the help applies.
    fn report_ranks(
        &mut self,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
        lhs_shape: &[i64],
        rhs_shape: &[i64],
        what: &str,
    ) {
        let (low, low_shape, high_shape) = if lhs_shape.len() < rhs_shape.len() {
            (lhs, lhs_shape, rhs_shape)
        } else {
            (rhs, rhs_shape, lhs_shape)
        };
        let text = ast::operand_text(low.1);
        let spell = |axes: &Vec<usize>| {
            let calls: Vec<String> = axes
                .iter()
                .map(|axis| format!(".unsqueeze({axis})"))
                .collect();
            format!("`{text}{}`", calls.concat())
        };
        let choices = unsqueezes(low_shape, high_shape);
        let help = match choices.as_slice() {
            [] => format!(
                "give both the same rank with `unsqueeze` or `reshape`; no `unsqueeze` makes {} fit {}",
                shape_text(low_shape),
                shape_text(high_shape)
            ),
            [one] => format!("write {}", spell(one)),
            [first, second, ..] => format!(
                "write {} to repeat it along axis {}, or {} to repeat it along axis {}",
                spell(first),
                first[0],
                spell(second),
                second[0]
            ),
        };
        let message = format!(
            "`{what}` needs tiles of one rank, found rank {} and rank {}",
            lhs_shape.len(),
            rhs_shape.len()
        );
        let diagnostic = self.label_operands(
            Diagnostic::error(Code::RankMismatch, low.1.loc, message),
            &[lhs, rhs],
        );
        self.error(diagnostic.note("axes are never added silently").help(help));
    }

    /// Reports different shapes at the operand that does not fit the operands before it.
    fn report_shapes(
        &mut self,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
        lhs_shape: &[i64],
        rhs_shape: &[i64],
        what: &str,
    ) {
        let axis = lhs_shape
            .iter()
            .zip(rhs_shape)
            .position(|(&a, &b)| a != b && a != 1 && b != 1)
            .unwrap_or(0);
        let message = format!(
            "`{what}` needs tiles whose shapes match, found {} and {}",
            shape_text(lhs_shape),
            shape_text(rhs_shape)
        );
        let diagnostic = self.label_operands(
            Diagnostic::error(Code::ShapeMismatch, rhs.1.loc, message),
            &[lhs, rhs],
        );
        let cure = self.same_shape((lhs.1, lhs_shape), (rhs.1, rhs_shape));
        let rule = format!("make axis {axis} of both the same");
        self.error(diagnostic.note(STRETCH_RULE).help(match cure {
            Some(cure) => format!("{rule}: {cure}"),
            None => format!("{rule}: {} or {}", lhs_shape[axis], rhs_shape[axis]),
        }));
    }

    pub(super) fn label_operands(
        &self,
        diagnostic: Diagnostic,
        operands: &[Operand<'_>],
    ) -> Diagnostic {
        operands
            .iter()
            .fold(diagnostic, |diagnostic, &(id, written)| {
                let text = format!("`{}` is `{}`", ast::text(written), self.show_expr(id));
                diagnostic.label(written.loc, text)
            })
    }

    /// Builds `x.t()` and `x.permute([..])`.
    pub(super) fn permuted(&mut self, tile: ExprId, permutation: Vec<usize>, loc: Loc) -> ExprId {
        let Ty::Tile(elem, shape) = self.ty(tile) else {
            return self.poison(loc);
        };
        let shape: Vec<i64> = permutation.iter().map(|&axis| shape[axis]).collect();
        self.push(
            ExprKind::Permute(tile, permutation),
            Ty::Tile(elem, shape),
            loc,
        )
    }

    pub(super) fn transpose(&mut self, tile: Operand<'_>, loc: Loc) -> ExprId {
        let Ty::Tile(_, shape) = self.ty(tile.0) else {
            return self.poison(loc);
        };
        if shape.len() != 2 {
            self.error(
                Diagnostic::error(
                    Code::RankMismatch,
                    loc,
                    format!("`t` needs a tile of rank 2, found rank {}", shape.len()),
                )
                .label(
                    tile.1.loc,
                    format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                )
                .help(if shape.len() == 1 {
                    "remove `.t()`: a vector is its own transpose; `.unsqueeze(1)` makes a column of it".to_owned()
                } else {
                    let order: Vec<String> = (0..shape.len()).rev().map(|axis| axis.to_string()).collect();
                    format!("write `.permute([{}])`, with the order of the axes", order.join(", "))
                }),
            );
            return self.poison(loc);
        }
        self.permuted(tile.0, vec![1, 0], loc)
    }

    pub(super) fn permute(&mut self, tile: Operand<'_>, order: &ast::Expr, loc: Loc) -> ExprId {
        let Ty::Tile(_, shape) = self.ty(tile.0) else {
            return self.poison(loc);
        };
        let rank = shape.len();
        let Some(axes) = self.constant_list(order, "an axis") else {
            return self.poison(loc);
        };
        let permutation: Vec<usize> = axes
            .iter()
            .filter_map(|&axis| usize::try_from(axis).ok())
            .collect();
        let mut sorted = permutation.clone();
        sorted.sort_unstable();
        if sorted != (0..rank).collect::<Vec<_>>() {
            let all_axes: Vec<String> = (0..rank).rev().map(|axis| axis.to_string()).collect();
            let message = format!(
                "the order {} does not name each of the {rank} axes once",
                ast::text(order)
            );
            self.error(
                Diagnostic::error(Code::RankMismatch, order.loc, message)
                    .label(
                        tile.1.loc,
                        format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                    )
                    .help(format!(
                        "write each axis once, in the new order, such as `[{}]`",
                        all_axes.join(", ")
                    )),
            );
            return self.poison(loc);
        }
        if rank == 1 {
            return tile.0;
        }
        self.permuted(tile.0, permutation, loc)
    }

    pub(super) fn reshape(&mut self, tile: Operand<'_>, shape: &ast::Expr, loc: Loc) -> ExprId {
        let Some(new) = self.shape_argument(shape) else {
            return self.poison(loc);
        };
        let ty = self.ty(tile.0);
        let Some((elem, old)) = ty.number() else {
            return self.poison(loc);
        };
        let (have, want): (i64, i64) = (old.iter().product(), new.iter().product());
        if have != want {
            let message = format!(
                "`reshape` keeps the number of elements, found {have} elements and the shape {} of {want}",
                shape_text(&new)
            );
            let fitting = of_elements(&new, have);
            self.error(
                Diagnostic::error(Code::ShapeMismatch, shape.loc, message)
                    .label(
                        tile.1.loc,
                        format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                    )
                    .help(format!(
                        "write a shape of {have} elements, such as `{}` for `{}`",
                        shape_text(&fitting),
                        ast::full_text(shape)
                    )),
            );
            return self.poison(loc);
        }
        self.push(ExprKind::Reshape(tile.0), Ty::from_shape(elem, &new), loc)
    }

    pub(super) fn broadcast(&mut self, tile: Operand<'_>, shape: &ast::Expr, loc: Loc) -> ExprId {
        let Some(new) = self.shape_argument(shape) else {
            return self.poison(loc);
        };
        let ty = self.ty(tile.0);
        let Some((_, old)) = ty.number() else {
            return self.poison(loc);
        };
        if old.is_empty() {
            return self.stretch(tile.0, &new);
        }
        let operand_text = format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0));
        if old.len() != new.len() {
            let help = match unsqueezes_if_lower(old, &new).as_deref() {
                Some([axes, ..]) => {
                    let calls: Vec<String> = axes
                        .iter()
                        .map(|axis| format!(".unsqueeze({axis})"))
                        .collect();
                    format!(
                        "write `{}{}.broadcast({})`",
                        ast::operand_text(tile.1),
                        calls.concat(),
                        shape_text(&new)
                    )
                }
                _ => format!("write a shape of rank {}", old.len()),
            };
            let message = format!(
                "`broadcast` keeps the rank, found rank {} and a shape of rank {}",
                old.len(),
                new.len()
            );
            self.error(
                Diagnostic::error(Code::RankMismatch, shape.loc, message)
                    .label(tile.1.loc, operand_text)
                    .help(help),
            );
            return self.poison(loc);
        }
        if old.iter().zip(&new).any(|(&a, &b)| a != b && a != 1) {
            let whole = match (old, new.as_slice()) {
                (&[old], &[new]) if new > old && new % old == 0 => Some((new / old, old)),
                _ => None,
            };
            let help = match whole {
                Some((times, extent)) => format!(
                    "to repeat the whole tile, write `.unsqueeze(0).broadcast([{times}, {extent}]).reshape({})` for `.broadcast({})`",
                    shape_text(&new),
                    ast::full_text(shape)
                ),
                None => {
                    "write the tile's own extent on every axis whose extent is not 1".to_owned()
                }
            };
            let message = format!(
                "{} cannot be repeated over {}",
                shape_text(old),
                shape_text(&new)
            );
            self.error(
                Diagnostic::error(Code::ShapeMismatch, shape.loc, message)
                    .label(tile.1.loc, operand_text)
                    .note("`broadcast` repeats along axes of extent 1 and keeps the others")
                    .help(help),
            );
            return self.poison(loc);
        }
        self.stretch(tile.0, &new)
    }

    pub(super) fn unsqueeze(&mut self, tile: Operand<'_>, axis: &ast::Expr, loc: Loc) -> ExprId {
        let ty = self.ty(tile.0);
        let Some((elem, shape)) = ty.number() else {
            return self.poison(loc);
        };
        let Some(axis) = self.axis(axis, shape.len() + 1, "the result") else {
            return self.poison(loc);
        };
        let mut new = shape.to_vec();
        new.insert(axis, 1);
        self.push(ExprKind::Reshape(tile.0), Ty::from_shape(elem, &new), loc)
    }

    pub(super) fn squeeze(&mut self, tile: Operand<'_>, axis: &ast::Expr, loc: Loc) -> ExprId {
        let ty = self.ty(tile.0);
        let Some((elem, shape)) = ty.number() else {
            return self.poison(loc);
        };
        let Some(axis_index) = self.axis(axis, shape.len(), "the tile") else {
            return self.poison(loc);
        };
        if shape[axis_index] != 1 {
            let message = format!(
                "`squeeze` removes an axis of extent 1, found extent {}",
                shape[axis_index]
            );
            self.error(
                Diagnostic::error(Code::ShapeMismatch, axis.loc, message)
                    .label(
                        tile.1.loc,
                        format!("`{}` is `{}`", ast::text(tile.1), self.show_expr(tile.0)),
                    )
                    .help(format!(
                        "write `.sum({axis_index})` for `.squeeze({})`, or another reduction to combine the axis",
                        ast::full_text(axis)
                    )),
            );
            return self.poison(loc);
        }
        let mut new = shape.to_vec();
        new.remove(axis_index);
        self.push(ExprKind::Reshape(tile.0), Ty::from_shape(elem, &new), loc)
    }
}

/// Returns a shape of the same rank with `count` elements. All extents and `count` are powers of
/// two.
fn of_elements(shape: &[i64], count: i64) -> Vec<i64> {
    let mut fitting = shape.to_vec();
    let element_count = |shape: &[i64]| shape.iter().product::<i64>();
    for dim in &mut fitting {
        *dim = (*dim).max(1);
    }
    while element_count(&fitting) > count {
        let Some(dim) = fitting.iter_mut().find(|dim| **dim > 1) else {
            break;
        };
        *dim /= 2;
    }
    while element_count(&fitting) < count {
        let Some(first) = fitting.first_mut() else {
            break;
        };
        *first *= 2;
    }
    fitting
}

fn unsqueezes_if_lower(low: &[i64], high: &[i64]) -> Option<Vec<Vec<usize>>> {
    (low.len() < high.len()).then(|| unsqueezes(low, high))
}

/// Returns the reason why a tile of this shape is too large, if it is.
pub(super) fn too_large(shape: &[i64]) -> Option<String> {
    const MAX: i64 = tile_core::types::MAX_TILE_ELEMENTS;
    let mut elements = 1_i64;
    for &dim in shape {
        elements = elements
            .checked_mul(dim)
            .filter(|&elements| elements <= MAX)
            .unwrap_or(MAX + 1);
    }
    (elements > MAX).then(|| {
        format!(
            "a tile of shape {} has more than {MAX} elements",
            shape_text(shape)
        )
    })
}
