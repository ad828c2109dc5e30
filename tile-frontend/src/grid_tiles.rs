//! Finds the tensors whose tiles the grid of the attribute counts.
//!
//! The option `grid` is an expression of the host. For each axis of the grid, the result is the
//! tensor, its axis and the extent of a tile, if the expression shows them. In each instance, the
//! extent is a number of elements:
//!
//! ```text
//!   y.tiles([BM, 64])                        axis k counts tiles of axis k of y
//!   [x.shape()[0], x.shape()[1].div_ceil(N)] axis 0 counts elements, axis 1 tiles of N
//! ```
//!
//! A launch compares its number of blocks with these numbers before it selects code that relies on
//! them. An error here would cost speed, never correctness.

use crate::check::evaluate;
use crate::hir::signature::{HostScalar, Instance};
use crate::parse::library::Library;
use crate::parse::{Cx, ast};
use syn::ext::IdentExt;
use tile_core::{Diagnostics, Loc};

/// A bound on an axis of the grid: the number of blocks is at most the number of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridTiles {
    /// The axis of the grid.
    pub(crate) axis: usize,
    /// The index of the parameter that is the tensor.
    pub(crate) param: usize,
    /// The axis of the tensor.
    pub(crate) dim: usize,
    /// The number of elements of a tile along the axis, at least 1.
    pub(crate) step: u64,
    /// The location of the extent of a tile, if the grid is declared to have a block for each tile:
    /// `y.tiles(..)`.
    pub(crate) tiles: Option<Loc>,
}

/// The quantity that an axis of the grid counts, as written.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    axis: usize,
    tensor: String,
    dim: usize,
    /// The extent of a tile; `None` if elements are counted.
    step: Option<ast::Expr>,
    /// `true` if the axis comes from `tiles(..)`.
    of_tiles: bool,
}

/// Parses the option `grid`.
pub(crate) fn read(cx: &mut Cx<'_>, grid: Option<&syn::Expr>) -> Vec<Counted> {
    let mut list = Vec::new();
    let Some(grid) = grid else {
        return list;
    };
    match plain(grid) {
        syn::Expr::MethodCall(call) if call.method == "tiles" => {
            if let (Some(tensor), Some(syn::Expr::Array(tile))) =
                (name(&call.receiver), call.args.first())
            {
                for (axis, step) in tile.elems.iter().take(3).enumerate() {
                    let Some(step) = constant(cx, step) else {
                        continue;
                    };
                    list.push(Counted {
                        axis,
                        tensor: tensor.clone(),
                        dim: axis,
                        step: Some(step),
                        of_tiles: true,
                    });
                }
            }
        }
        syn::Expr::Array(axes) => extents(cx, axes.elems.iter(), &mut list),
        syn::Expr::Tuple(axes) => extents(cx, axes.elems.iter(), &mut list),
        one => extents(cx, std::iter::once(one), &mut list),
    }
    list
}

/// Returns the grid bounds of one instance of a kernel.
pub(crate) fn find_grid_tiles(
    kernel: &ast::Kernel,
    library: &Library,
    instance: &Instance,
) -> Vec<GridTiles> {
    let counted = kernel.counted.iter().filter_map(|counted| {
        let params = &mut kernel.params.iter();
        let param = params.position(|param| param.name.text == counted.tensor)?;
        let step = match &counted.step {
            Some(step) => number(kernel, library, instance, step)?,
            None => 1,
        };
        let tiles = counted.step.as_ref().map(|step| step.loc);
        Some(GridTiles {
            axis: counted.axis,
            param,
            dim: counted.dim,
            step,
            tiles: tiles.filter(|_| counted.of_tiles),
        })
    });
    counted.collect()
}

/// Parses `x.shape()[1]` or `x.shape()[1].div_ceil(tile)` for each axis of the grid.
fn extents<'e>(
    cx: &mut Cx<'_>,
    entries: impl Iterator<Item = &'e syn::Expr>,
    into: &mut Vec<Counted>,
) {
    for (axis, entry) in entries.take(3).enumerate() {
        let (extent, step) = match plain(entry) {
            syn::Expr::MethodCall(call) if call.method == "div_ceil" && call.args.len() == 1 => {
                let Some(step) = constant(cx, &call.args[0]) else {
                    continue;
                };
                (plain(&call.receiver), Some(step))
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
            into.push(Counted {
                axis,
                tensor,
                dim,
                step,
                of_tiles: false,
            });
        }
    }
}

/// Returns an expression without enclosing parentheses and groups.
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

/// Parses an expression that kernels support too. Other expressions of the host are not errors.
fn constant(cx: &mut Cx<'_>, expr: &syn::Expr) -> Option<ast::Expr> {
    let expr = plain(expr);
    // Other expressions, such as a call of a host function, are not parsed at all.
    let is_simple = matches!(
        expr,
        syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Binary(_)
    );
    if !is_simple {
        return None;
    }
    let mut unheard = Diagnostics::new();
    let value = cx.unheard(&mut unheard).constant(expr);
    unheard.take().is_empty().then_some(value)
}

/// Returns the value of a constant expression of any integer type.
fn number(
    kernel: &ast::Kernel,
    library: &Library,
    instance: &Instance,
    value: &ast::Expr,
) -> Option<u64> {
    let names = kernel.const_params.iter().zip(&instance.consts);
    let constants: Vec<_> = names
        .map(|((name, ty), value)| (name, *ty, *value))
        .collect();
    let mut integers = HostScalar::ALL.iter().filter(|ty| ty.is_integer());
    integers.find_map(|&ty| {
        let mut unheard = Diagnostics::new();
        let evaluated = evaluate(library, &constants, value, ty, &mut unheard);
        drop(unheard.take());
        u64::try_from(evaluated?).ok().filter(|&step| step > 0)
    })
}
