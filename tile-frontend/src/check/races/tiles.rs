//! Refuses stores of tiles that differ from those that the grid counts.
//!
//! In: the stores of a kernel, and its grid if that is `y.tiles(..)`, with a block for each tile of
//! `y`. Out: an error for each store to `y` at the block id if the stored tile has another extent,
//! so that elements are left out or blocks are idle; and an error for the only store to `y` if it
//! is at index 0 and stores less than the tile that the grid counts.
//!
//! A store at another index (`2 * block_id(0)`, a loop variable) may be one of several stores for a
//! tile of the grid, so it is accepted.

use super::number::{Atom, Number};
use super::symbolic::{Access, Stored};
use crate::grid_tiles::GridTiles;
use crate::hir::{ExprKind, Kernel};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Returns the errors of a kernel with these stores.
pub(super) fn check(kernel: &Kernel, stores: &[Stored]) -> Vec<Diagnostic> {
    let mut reports = Vec::new();
    for (index, stored) in stores.iter().enumerate() {
        let others = stores
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let is_only = others
            .into_iter()
            .all(|(_, other)| other.param != stored.param);
        let ExprKind::Store(..) = kernel.expr(stored.expr).kind else {
            continue;
        };
        if stored.access != Access::Store {
            continue;
        }
        let mut grid = kernel
            .grid
            .iter()
            .filter(|tiles| tiles.param == stored.param);
        reports.extend(grid.find_map(|tiles| {
            let loc = tiles.tiles?;
            let extent = mismatch(stored, tiles, is_only)?;
            Some(report(kernel, stored, tiles, (loc, extent)))
        }));
    }
    reports
}

/// Returns the extent of the stored tile, if it differs from the extent that the grid counts.
fn mismatch(stored: &Stored, tiles: &GridTiles, is_only: bool) -> Option<i64> {
    let span = stored.place.spans.get(tiles.dim)?;
    let start = span.start.as_ref()?;
    let is_block_tile = *start == Number::atom(Atom::Block(tiles.axis));
    let is_first = is_only && start.value() == Some(0);
    let counted = i64::try_from(tiles.step).ok()?;
    // If the step of a view differs from its tile, the author chose the difference.
    let is_tile = span.step == span.len;
    let differs = if is_block_tile {
        span.len != counted
    } else {
        is_first && span.len < counted
    };
    (is_tile && differs).then_some(span.len)
}

fn report(
    kernel: &Kernel,
    stored: &Stored,
    tiles: &GridTiles,
    (loc, extent): (Loc, i64),
) -> Diagnostic {
    let name = &kernel.local(kernel.params[stored.param]).name;
    let GridTiles {
        dim, step, axis, ..
    } = tiles;
    let is_less = i64::try_from(*step).is_ok_and(|step| extent < step);
    let effect = if is_less {
        format!(
            "all blocks together store {extent} of each {step} elements, and the rest of `{name}` is left out"
        )
    } else {
        format!("blocks along axis {axis} are left that have nothing to store")
    };
    Diagnostic::error(
        Code::GridMismatch,
        kernel.expr(stored.expr).loc,
        format!("the grid has a block for each {step} elements along axis {dim} of `{name}`, and a block stores {extent}"),
    )
    .label(loc, format!("{step} elements for each block"))
    .note(effect)
    .help(format!(
        "write `{extent}` in the grid, or store {step} elements; where it is meant, write how many blocks there are: `{name}.shape()[{dim}].div_ceil({step})`"
    ))
}
