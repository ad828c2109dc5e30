//! Reports `x[i]`, which the language does not have, and suggests what to write instead.
//!
//! In: a value followed by brackets. Out: one error, whose help follows from the type of the value:
//! `at` and `load` of a tensor, `extract` of a tile, `store` in an assignment.

use super::Checker;
use crate::hir::{Const, ExprId, Ty};
use crate::parse::ast::{self, Subscript};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Returns the entries of an index: `i`, or `i, j` of a tuple.
fn entries(index: &ast::Expr) -> Vec<String> {
    match &index.kind {
        ast::ExprKind::Tuple(parts) => parts.iter().map(ast::text).collect(),
        _ => vec![ast::text(index)],
    }
}

impl Checker<'_> {
    /// Reports `x[i]`.
    pub(super) fn subscript(&mut self, value: &ast::Expr, index: &Subscript, loc: Loc) -> ExprId {
        if let Some(help) = self.extent(value, index) {
            self.no_brackets(loc, help);
            return self.poison(loc);
        }
        let id = self.expr(value);
        let ty = self.ty(id);
        if ty.is_error() {
            return self.poison(loc);
        }
        let help = self.instead(&ty, value, index);
        self.no_brackets(loc, help);
        self.poison(loc)
    }

    /// Reports `x[i] = value`, and returns the type of the value.
    pub(super) fn assigned_element(
        &mut self,
        place: &ast::Expr,
        tensor: &ast::Expr,
        index: &Subscript,
        value: (&Ty, &ast::Expr),
    ) {
        let id = self.expr(tensor);
        let ty = self.ty(id);
        if ty.is_error() || value.0.is_error() {
            return;
        }
        let text = ast::operand_text(tensor);
        let written = ast::text(value.1);
        let help = match (&ty, index) {
            (Ty::Tensor(to), Subscript::At(subscript)) => {
                let subscript = entries(subscript);
                let ones = vec!["1"; subscript.len()].join(", ");
                let tile = match value.0 {
                    Ty::Tile(..) => written,
                    _ => format!("full([{ones}], {written})"),
                };
                if subscript.len() == to.rank {
                    format!(
                        "store a tile: write `{text}.store([{}], {tile})`",
                        subscript.join(", ")
                    )
                } else {
                    let index = vec!["i"; to.rank].join(", ");
                    format!("store a tile: write `{text}.store([{index}], tile)`")
                }
            }
            (Ty::Tensor(to), Subscript::Range(..)) => {
                let index = vec!["i"; to.rank].join(", ");
                format!("store a tile: write `{text}.store([{index}], tile)`")
            }
            (Ty::Partition(to), _) => {
                let index = vec!["i"; to.tile.len()].join(", ");
                format!("store a tile: write `{text}.store([{index}], tile)`")
            }
            (Ty::Tile(..), _) => {
                "make a new tile with `select`: the elements of a tile are not assigned one by one"
                    .to_owned()
            }
            _ => "assign the whole variable".to_owned(),
        };
        self.no_brackets(place.loc, help);
    }

    fn no_brackets(&mut self, loc: Loc, help: String) {
        self.error(
            Diagnostic::error(
                Code::UnsupportedSyntax,
                loc,
                "indexing with `[..]` cannot be used in a kernel",
            )
            .help(help),
        );
    }

    /// Returns the help for `x.shape()[0]`, which is an extent.
    fn extent(&mut self, value: &ast::Expr, index: &Subscript) -> Option<String> {
        let (owner, name) = match &value.kind {
            ast::ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if args.is_empty() => (receiver, name),
            ast::ExprKind::Member(owner, name) => (owner, name),
            _ => return None,
        };
        if !["shape", "size", "dims", "len"].contains(&name.text.as_str()) {
            return None;
        }
        let Subscript::At(subscript) = index else {
            return None;
        };
        let id = self.expr(owner);
        let axis = self.number(subscript);
        match self.ty(id) {
            Ty::Tensor(_) => Some(format!(
                "write `{}.dim({})`",
                ast::operand_text(owner),
                ast::text(subscript)
            )),
            Ty::Tile(_, shape) => {
                let extent = axis.and_then(|axis| shape.get(usize::try_from(axis).ok()?).copied());
                Some(match extent {
                    Some(extent) => format!("write `{extent}`: the shape of a tile is known"),
                    None => "write the number: the shape of a tile is known".to_owned(),
                })
            }
            _ => None,
        }
    }

    /// Returns the value of an integer expression, if it is constant.
    fn number(&mut self, written: &ast::Expr) -> Option<i128> {
        let id = self.expr(written);
        match (self.constant(id), &self.exprs[id.index()].kind) {
            (Some(Const::Int(value)), _) => Some(value),
            (_, crate::hir::ExprKind::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the tile index and the length of a range with constant ends, if the range is exactly
    /// one tile of that length.
    fn whole_part(&mut self, index: &Subscript, whole: Option<i64>) -> Option<(i128, i128)> {
        let Subscript::Range(low, high) = index else {
            return None;
        };
        let low = match low {
            Some(low) => self.number(low)?,
            None => 0,
        };
        let high = match (high, whole) {
            (Some(high), _) => self.number(high)?,
            (None, Some(whole)) => i128::from(whole),
            (None, None) => return None,
        };
        let length = high.checked_sub(low)?;
        let is_part = length > 0 && length & (length - 1) == 0 && low >= 0 && low % length == 0;
        is_part.then(|| (low / length, length))
    }

    fn instead(&mut self, ty: &Ty, value: &ast::Expr, index: &Subscript) -> String {
        let text = ast::operand_text(value);
        let list = |entry: &str, rank: usize| vec![entry; rank].join(", ");
        match (ty, index) {
            (Ty::Tensor(tensor), Subscript::At(subscript)) => {
                let subscript = entries(subscript);
                if subscript.len() == tensor.rank {
                    format!(
                        "write `{text}.at([{0}])` for one element, or `{text}.load([{0}], [{1}])` for a tile",
                        subscript.join(", "),
                        list("64", tensor.rank)
                    )
                } else {
                    format!(
                        "write `{text}.at([{0}])` for one element, or `{text}.load([{0}], [{1}])` for a tile",
                        list("i", tensor.rank),
                        list("64", tensor.rank)
                    )
                }
            }
            (Ty::Tensor(tensor), Subscript::Range(..)) if tensor.rank == 1 => {
                match self.whole_part(index, None) {
                    Some((subscript, length)) => {
                        format!("write `{text}.load([{subscript}], [{length}])`")
                    }
                    None => format!(
                        "write `{text}.load([i], [64])`, which loads tile `i` of 64 elements"
                    ),
                }
            }
            (Ty::Tensor(tensor), Subscript::Range(..)) => format!(
                "write `{text}.load([{}], [{}])`, where the index counts tiles",
                list("i", tensor.rank),
                list("64", tensor.rank)
            ),
            (Ty::Partition(partition), _) => {
                format!("write `{text}.load([{}])`", list("i", partition.tile.len()))
            }
            (Ty::Tile(_, shape), Subscript::At(subscript))
                if entries(subscript).len() == shape.len() =>
            {
                format!(
                    "write `{text}.extract([{}], [{}]).item()`",
                    entries(subscript).join(", "),
                    list("1", shape.len())
                )
            }
            (Ty::Tile(_, shape), Subscript::Range(..)) if shape.len() == 1 => {
                match self.whole_part(index, shape.first().copied()) {
                    Some((subscript, length)) => {
                        format!("write `{text}.extract([{subscript}], [{length}])`")
                    }
                    None => format!(
                        "write `{text}.extract([i], [n])`, which takes part `i` of `n` elements"
                    ),
                }
            }
            (Ty::Tile(_, shape), _) => format!(
                "write `{text}.extract([{}], [{}])`, where the index counts parts of that shape",
                list("i", shape.len()),
                list("n", shape.len())
            ),
            (Ty::Tuple(_), Subscript::At(subscript)) => {
                format!(
                    "write a part by its number: `{text}.{}`",
                    ast::text(subscript)
                )
            }
            _ => format!("write `{text}` itself: it is one value"),
        }
    }
}
