//! Builds the text of helps: names, indices and shapes that compile where the error is.
//!
//! In: an expression of the author, and the types in scope. Out: text for a help. Where no concrete
//! code can be suggested, the help stays general.

use super::Checker;
use super::names::Meaning;
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, LocalId, Ty};
use crate::parse::ast::{self, ExprKind, Pat};

/// A call that states the shape of the tile it creates.
#[derive(Clone)]
pub(super) struct Made {
    /// The call as written.
    text: String,
    /// The shape in the call, as written.
    shape: String,
    /// The number that `full` repeats.
    repeated: Option<String>,
}

impl Made {
    /// Returns the call with another shape.
    fn with_shape(&self, shape: &str) -> String {
        match self.text.rsplit_once(&self.shape) {
            Some((before, after)) => format!("{before}{shape}{after}"),
            None => self.text.clone(),
        }
    }
}

/// Returns the call with the shape that it states; `None` for any other expression.
pub(super) fn made(expr: &ast::Expr) -> Option<Made> {
    let (shape, repeated) = match &expr.kind {
        ExprKind::Method { name, args, .. } => {
            let index = match name.text.as_str() {
                "load" | "load_padded" | "load_at" => 1,
                "reshape" | "broadcast" => 0,
                _ => return None,
            };
            (args.get(index)?, None)
        }
        ExprKind::Call { path, args, .. } => match path.last()?.text.as_str() {
            "zeros" => (args.first()?, None),
            "full" => (args.first()?, args.get(1).map(ast::full_text)),
            _ => return None,
        },
        _ => return None,
    };
    matches!(shape.kind, ExprKind::Array(_)).then(|| Made {
        text: ast::full_text(expr),
        shape: ast::full_text(shape),
        repeated,
    })
}

/// Returns a bracketed list cut or extended to `rank` entries.
pub(super) fn fitted(
    list: &ast::Expr,
    rank: usize,
    missing: impl Fn(usize) -> String,
) -> Option<Vec<String>> {
    let ExprKind::Array(items) = &list.kind else {
        return None;
    };
    let written = items.iter().map(ast::full_text).take(rank);
    Some(written.chain((items.len()..rank).map(missing)).collect())
}

/// Returns the names of a pattern that consists of names and `_`.
pub(super) fn names(parts: &[Pat]) -> Option<Vec<String>> {
    let name = |part: &Pat| match part {
        Pat::Name { name, mutable } => {
            let mutable = if *mutable { "mut " } else { "" };
            Some(format!("{mutable}{}", name.text))
        }
        Pat::Wild(_) => Some("_".to_owned()),
        Pat::Tuple(..)
        | Pat::Rest(_)
        | Pat::Or(..)
        | Pat::Range { .. }
        | Pat::At { .. }
        | Pat::Value(_) => None,
    };
    parts.iter().map(name).collect()
}

/// Returns the help for a tuple pattern with a wrong number of parts.
pub(super) fn as_many_parts(parts: &[Pat], count: usize) -> String {
    match names(parts) {
        Some(mut names) if count > 0 => {
            names.resize(count, "_".to_owned());
            let one = if count == 1 { "," } else { "" };
            format!("write a part for each value: `({}{one})`", names.join(", "))
        }
        _ => format!("write a pattern of {count} parts"),
    }
}

/// Returns a constant of a type.
pub(super) fn sample(scalar: HostScalar) -> &'static str {
    match scalar {
        HostScalar::Bool => "true",
        scalar if scalar.is_float() => "1.0",
        _ => "1",
    }
}

impl Checker<'_> {
    /// Returns a tile index of this rank that compiles at the place of the error.
    pub(super) fn some_index(&self, rank: usize) -> String {
        let axes: Vec<String> = (0..rank).map(|axis| self.some_entry(axis)).collect();
        axes.join(", ")
    }

    /// Returns `i`, `j` or `k` if the author has an integer of that name, otherwise the block id.
    fn some_entry(&self, axis: usize) -> String {
        match self.usual_name(axis) {
            Some(name) => name.to_owned(),
            None if axis < 3 => format!("block_id({axis})"),
            None => "0".to_owned(),
        }
    }

    /// Returns `i`, `j` or `k`, if it is an integer here.
    pub(super) fn usual_name(&self, axis: usize) -> Option<&'static str> {
        let name = *["i", "j", "k"].get(axis)?;
        let Some(Meaning::Local(local)) = self.scopes.value(name) else {
            return None;
        };
        match self.resolve(&self.locals[local.index()].ty) {
            Ty::Scalar(elem) => {
                let is_integer =
                    matches!(self.resolve_elem(elem), Elem::Known(scalar) if scalar.is_integer());
                (is_integer || self.kind_of(elem) == super::types::Kind::Integer).then_some(name)
            }
            _ => None,
        }
    }

    /// Returns the help for a tensor, partition or tuple used as a number.
    pub(super) fn load_help(&self, ty: &Ty, written: &ast::Expr) -> String {
        let text = ast::operand_text(written);
        match ty {
            Ty::Tensor(tensor) => {
                let index = self.some_index(tensor.rank);
                let dims = vec!["64"; tensor.rank].join(", ");
                format!("load a tile first: write `{text}.load([{index}], [{dims}])`")
            }
            Ty::Partition(partition) => {
                let index = self.some_index(partition.tile.len());
                format!("load a tile first: write `{text}.load([{index}])`")
            }
            Ty::Pointer(_) => format!("load it first: write `unsafe {{ {text}.load() }}`"),
            Ty::Tuple(parts) if !parts.is_empty() => {
                format!("use a part of it: write `{text}.0`")
            }
            _ => "use a number or a tile".to_owned(),
        }
    }

    /// Returns the call that created a tile: the operand, or the initial value of its variable.
    fn made_by(&self, operand: &ast::Expr) -> Option<Made> {
        match &operand.kind {
            ExprKind::Path(names) if names.len() == 1 => {
                let Some(Meaning::Local(local)) = self.scopes.value(&names[0].text) else {
                    return None;
                };
                self.made.get(&local).cloned()
            }
            _ => made(operand),
        }
    }

    /// Returns a help that gives one of two operands the shape of the other. If no call states the
    /// shape of a tile, the help contains the shape itself.
    pub(super) fn same_shape(
        &self,
        lhs: (&ast::Expr, &[i64]),
        rhs: (&ast::Expr, &[i64]),
    ) -> Option<String> {
        let calls = (self.made_by(lhs.0), self.made_by(rhs.0));
        let numbers = |side: Option<&Made>, shape: &[i64]| match side {
            Some(call) => call.shape.clone(),
            None => crate::hir::ty::shape_text(shape),
        };
        let (call, shape) = match &calls {
            (left, Some(right)) => (right, numbers(left.as_ref(), lhs.1)),
            (Some(left), None) => (left, numbers(None, rhs.1)),
            (None, None) => return None,
        };
        if let Some(number) = &call.repeated {
            return Some(format!(
                "write `{number}` for `{}`: a number stretches to any shape",
                call.text
            ));
        }
        let new = call.with_shape(&shape);
        (new != call.text).then(|| format!("write `{new}` for `{}`", call.text))
    }

    /// Returns a help that gives an expression a shape.
    pub(super) fn of_shape(&self, written: &ast::Expr, shape: &[i64]) -> Option<String> {
        let call = self.made_by(written)?;
        let new = call.with_shape(&crate::hir::ty::shape_text(shape));
        (new != call.text).then(|| format!("write `{new}` for `{}`", call.text))
    }

    /// Returns a help that declares a variable with a shape.
    pub(super) fn starting_as(&self, local: LocalId, shape: &[i64]) -> Option<String> {
        let call = self.made.get(&local)?;
        let new = call.with_shape(&crate::hir::ty::shape_text(shape));
        (new != call.text).then(|| format!("write `{new}` for `{}`", call.text))
    }
}
