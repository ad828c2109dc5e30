//! The tensors whose tiles the grid of the attribute counts.
//!
//! In: the option `grid`, an expression of the host, and one instance. Out: for each axis of the grid the tensor,
//! its axis and the elements of a tile, where the expression says these:
//!
//! ```text
//!   y.tiles([BM, 64])                        axis k counts tiles of axis k of y
//!   [x.shape()[0], x.shape()[1].div_ceil(N)] axis 0 counts elements, axis 1 tiles of N
//! ```
//!
//! A launch compares its blocks with these numbers before it takes the code that relies on them: what is
//! read here wrongly costs speed, and is never relied on.

use crate::check::evaluate;
use crate::hir::signature::{HostScalar, Instance};
use crate::parse::library::Library;
use crate::parse::{Cx, Item};
use syn::ext::IdentExt;
use tile_core::Diagnostics;

/// There are no more blocks than tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridTiles {
    /// Which axis of the grid.
    pub(crate) axis: usize,
    /// Which parameter is the tensor.
    pub(crate) param: usize,
    /// Which axis of the tensor.
    pub(crate) dim: usize,
    /// Elements of a tile, at least 1.
    pub(crate) step: u64,
}

/// What one instance of a kernel is told of its grid.
pub(crate) fn grid_tiles(
    cx: &mut Cx<'_>,
    library: &Library,
    item: &Item,
    instance: &Instance,
    grid: Option<&syn::Expr>,
) -> Vec<GridTiles> {
    let Some(grid) = grid else {
        return Vec::new();
    };
    let mut axes = Vec::new();
    match plain(grid) {
        syn::Expr::MethodCall(call) if call.method == "tiles" => {
            if let (Some(tensor), Some(syn::Expr::Array(tile))) =
                (name(&call.receiver), call.args.first())
            {
                for (axis, step) in tile.elems.iter().enumerate() {
                    axes.push((axis, tensor.clone(), axis, Some(step)));
                }
            }
        }
        syn::Expr::Array(list) => counts(list.elems.iter(), &mut axes),
        syn::Expr::Tuple(list) => counts(list.elems.iter(), &mut axes),
        one => counts(std::iter::once(one), &mut axes),
    }
    let mut list = Vec::new();
    for (axis, tensor, dim, step) in axes {
        let param = item
            .kernel
            .params
            .iter()
            .position(|param| param.name.text == tensor);
        let step = match step {
            Some(step) => number(cx, library, item, instance, step),
            None => Some(1),
        };
        if let (Some(param), Some(step), 0..3) = (param, step, axis) {
            list.push(GridTiles {
                axis,
                param,
                dim,
                step,
            });
        }
    }
    list
}

/// What is counted along an axis of the grid: the axis, the tensor, its axis and the tile.
type Counted<'e> = (usize, String, usize, Option<&'e syn::Expr>);

/// `x.shape()[1]` or `x.shape()[1].div_ceil(tile)` for each axis of the grid.
fn counts<'e>(entries: impl Iterator<Item = &'e syn::Expr>, into: &mut Vec<Counted<'e>>) {
    for (axis, entry) in entries.enumerate() {
        let (extent, step) = match plain(entry) {
            syn::Expr::MethodCall(call) if call.method == "div_ceil" && call.args.len() == 1 => {
                (plain(&call.receiver), call.args.first())
            }
            extent => (extent, None),
        };
        if let syn::Expr::Index(index) = extent
            && let syn::Expr::MethodCall(shape) = plain(&index.expr)
            && shape.method == "shape"
            && let Some(tensor) = name(&shape.receiver)
            && let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(dim),
                ..
            }) = plain(&index.index)
            && let Ok(dim) = dim.base10_parse()
        {
            into.push((axis, tensor, dim, step));
        }
    }
}

/// An expression without what may stand around it.
fn plain(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => plain(&inner.expr),
        syn::Expr::Group(inner) => plain(&inner.expr),
        syn::Expr::Cast(inner) => plain(&inner.expr),
        expr => expr,
    }
}

fn name(expr: &syn::Expr) -> Option<String> {
    match plain(expr) {
        syn::Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
        _ => None,
    }
}

/// The value of a constant expression of any integer type.
fn number(
    cx: &mut Cx<'_>,
    library: &Library,
    item: &Item,
    instance: &Instance,
    expr: &syn::Expr,
) -> Option<u64> {
    // It is the host's expression: what the language of kernels makes of it is nobody's fault.
    let mut unheard = Diagnostics::new();
    let value = cx.unheard(&mut unheard).constant(plain(expr));
    let is_faulty = !unheard.take().is_empty();
    if is_faulty {
        return None;
    }
    let names = item.kernel.const_params.iter().zip(&instance.consts);
    let known: Vec<_> = names
        .map(|((name, ty), value)| (name, *ty, *value))
        .collect();
    let mut integers = HostScalar::ALL.iter().filter(|ty| ty.is_integer());
    integers.find_map(|&ty| {
        let mut unheard = Diagnostics::new();
        let found = evaluate(library, &known, &value, ty, &mut unheard);
        drop(unheard.take());
        u64::try_from(found?).ok().filter(|&step| step > 0)
    })
}
