//! Checks matmuls: `mma`, `dot`, `mma_scaled`.

use super::calls::Callee;
use super::legal::accumulator;
use super::types::Operand;
use super::{Checker, Operator};
use crate::hir::ty::shape_text;
use crate::hir::{Elem, ExprId, ExprKind, TileOp, Ty};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A matrix, or a batch of matrices.
#[derive(Clone, Copy)]
struct Matrix {
    batch: Option<i64>,
    rows: i64,
    columns: i64,
}

impl Matrix {
    fn from_shape(shape: &[i64]) -> Option<Self> {
        match *shape {
            [rows, columns] => Some(Self {
                batch: None,
                rows,
                columns,
            }),
            [batch, rows, columns] => Some(Self {
                batch: Some(batch),
                rows,
                columns,
            }),
            _ => None,
        }
    }

    fn shape(self) -> Vec<i64> {
        self.batch
            .into_iter()
            .chain([self.rows, self.columns])
            .collect()
    }
}

impl Checker<'_> {
    /// Returns the element type and extents of a matrix or a batch of matrices; `None` after an
    /// error.
    fn matrix(&mut self, name: &str, (id, arg): Operand<'_>) -> Option<(Elem, Matrix)> {
        let ty = self.ty(id);
        let (elem, shape) = match &ty {
            Ty::Tile(elem, shape) => (*elem, shape),
            ty if ty.is_error() => return None,
            ty => {
                let message = format!("`{name}` multiplies tiles, found `{}`", self.show(ty));
                self.error(
                    Diagnostic::error(Code::TypeMismatch, arg.loc, message)
                        .help(self.load_help(ty, arg)),
                );
                return None;
            }
        };
        if let Some(matrix) = Matrix::from_shape(shape) {
            return Some((elem, matrix));
        }
        let message = format!(
            "`{name}` multiplies tiles of rank 2, or batches of rank 3, found rank {}",
            shape.len()
        );
        self.error(
            Diagnostic::error(Code::RankMismatch, arg.loc, message)
                .label(
                    arg.loc,
                    format!("`{}` is `{}`", ast::text(arg), self.show(&ty)),
                )
                .help(
                    "write `.unsqueeze(0)`, `.unsqueeze(1)` or `.reshape([..])` to make it a matrix",
                ),
        );
        None
    }

    /// Checks that the extents of matrices agree; `false` after an error.
    fn multiplies(
        &mut self,
        name: &str,
        (lhs, rhs, acc): (Matrix, Matrix, Matrix),
        operands: &[Operand<'_>],
        loc: Loc,
    ) -> bool {
        let batches = lhs.batch == rhs.batch && lhs.batch == acc.batch;
        if batches && lhs.columns == rhs.rows && lhs.rows == acc.rows && rhs.columns == acc.columns
        {
            return true;
        }
        let message = format!(
            "`{name}` cannot multiply {} by {} onto {}",
            shape_text(&lhs.shape()),
            shape_text(&rhs.shape()),
            shape_text(&acc.shape())
        );
        let ranks = lhs.batch.is_some() != rhs.batch.is_some()
            || lhs.batch.is_some() != acc.batch.is_some();
        let help = if ranks {
            "give all of them one rank: write `.unsqueeze(0)` for a batch of one".to_owned()
        } else if !batches {
            "give all of them one number of matrices".to_owned()
        } else if lhs.columns != rhs.rows
            && lhs.columns == rhs.columns
            && rhs.rows == acc.columns
            && lhs.rows == acc.rows
        {
            let turned = if lhs.batch.is_some() {
                ".permute([0, 2, 1])"
            } else {
                ".t()"
            };
            format!(
                "transpose the second: write `{}{turned}`",
                ast::operand_text(operands[1].1)
            )
        } else if lhs.columns != rhs.rows {
            "make the second extent of the first tile equal the first extent of the second"
                .to_owned()
        } else {
            let shape = Matrix {
                columns: rhs.columns,
                ..lhs
            };
            format!(
                "accumulate into a tile of shape {}",
                shape_text(&shape.shape())
            )
        };
        let code = if ranks {
            Code::RankMismatch
        } else {
            Code::ShapeMismatch
        };
        let diagnostic = self.label_operands(Diagnostic::error(code, loc, message), operands);
        let note = if lhs.batch.is_some() {
            "[B, M, K] times [B, K, N] is added to [B, M, N]"
        } else {
            "[M, K] times [K, N] is added to [M, N]"
        };
        self.error(diagnostic.note(note).help(help));
        false
    }

    /// Checks `mma(a, b, acc)`.
    pub(super) fn mma(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let args = self.arguments::<3>(callee, args, loc)?;
        let operands = args.each_ref().map(|arg| (self.expr(arg), arg));
        let [lhs, rhs, acc] = operands.map(|operand| self.matrix("mma", operand));
        let ((_, lhs), (_, rhs), (_, acc)) = (lhs?, rhs?, acc?);
        if !self.multiplies("mma", (lhs, rhs, acc), &operands, loc) {
            return None;
        }
        let ty = self.ty(operands[2].0);
        let kind = ExprKind::Mma(operands[0].0, operands[1].0, operands[2].0);
        let expr = self.push(kind, ty, loc);
        let text = ast::operand_text(&args[2]);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    /// Checks `dot(a, b)`: `mma` with an accumulator of zeros.
    pub(super) fn dot(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let args = self.arguments::<2>(callee, args, loc)?;
        let operands = args.each_ref().map(|arg| (self.expr(arg), arg));
        let [lhs, rhs] = operands.map(|operand| self.matrix("dot", operand));
        let ((lhs_elem, lhs), (rhs_elem, rhs)) = (lhs?, rhs?);
        let sum = Matrix {
            columns: rhs.columns,
            ..lhs
        };
        if !self.multiplies("dot", (lhs, rhs, sum), &operands, loc) {
            return None;
        }
        if let (Elem::Var(_), _) | (_, Elem::Var(_)) =
            (self.resolve_elem(lhs_elem), self.resolve_elem(rhs_elem))
        {
            self.unify_elem(lhs_elem, rhs_elem);
        }
        let Elem::Known(input) = self.resolve_elem(lhs_elem) else {
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    loc,
                    "the element type of `dot` is not known here",
                )
                .note("it decides the type in which products are summed")
                .help("write it where the tile is made, as in `zeros::<f16>([..])`"),
            );
            return None;
        };
        // Unsupported element types are reported by the check of `mma`.
        let acc = accumulator(input).unwrap_or(input);
        let zero = self.push(ExprKind::Int(0), Ty::scalar(acc), loc);
        let zeros = self.stretch(zero, &sum.shape());
        let ty = self.ty(zeros);
        let expr = self.push(ExprKind::Mma(operands[0].0, operands[1].0, zeros), ty, loc);
        let text = ast::operand_text(&args[0]);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    /// Checks `mma_scaled(a, a_scale, b, b_scale, acc)`.
    pub(super) fn mma_scaled(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let args = self.arguments::<5>(callee, args, loc)?;
        let operands = args.each_ref().map(|arg| (self.expr(arg), arg));
        let [lhs, lhs_scale, rhs, rhs_scale, acc] =
            operands.map(|operand| self.matrix("mma_scaled", operand));
        let (lhs, lhs_scale, rhs, rhs_scale, acc) =
            (lhs?.1, lhs_scale?.1, rhs?.1, rhs_scale?.1, acc?.1);
        let scales = [operands[0], operands[2], operands[4]];
        if !self.multiplies("mma_scaled", (lhs, rhs, acc), &scales, loc) {
            return None;
        }
        let fits = lhs_scale.batch == lhs.batch
            && rhs_scale.batch == rhs.batch
            && lhs_scale.rows == lhs.rows
            && rhs_scale.columns == rhs.columns
            && lhs_scale.columns == rhs_scale.rows
            && [16, 32].contains(&(lhs.columns / lhs_scale.columns));
        if !fits {
            let diagnostic = self.label_operands(
                Diagnostic::error(
                    Code::ShapeMismatch,
                    loc,
                    format!(
                        "`mma_scaled` cannot scale {} by {} and {} by {}",
                        shape_text(&lhs.shape()),
                        shape_text(&lhs_scale.shape()),
                        shape_text(&rhs.shape()),
                        shape_text(&rhs_scale.shape())
                    ),
                ),
                &operands,
            );
            let (left, right) = (
                Matrix {
                    columns: lhs.columns / 32,
                    ..lhs
                },
                Matrix {
                    rows: rhs.rows / 32,
                    ..rhs
                },
            );
            self.error(
                diagnostic
                    .note("there is a scale for every 32 elements along K, of `f4e2m1` also for every 16")
                    .help(format!(
                        "give the scales the shapes {} and {}",
                        shape_text(&left.shape()),
                        shape_text(&right.shape())
                    )),
            );
            return None;
        }
        let ty = self.ty(operands[4].0);
        let ids = operands.map(|(id, _)| id);
        let expr = self.push(ExprKind::Op(TileOp::MmaScaled(ids)), ty, loc);
        let text = ast::operand_text(&args[4]);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }
}
