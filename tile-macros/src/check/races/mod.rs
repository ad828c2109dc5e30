//! Two blocks that store to one place of a `&mut Tensor`.
//!
//! In: a checked kernel, the stores that its author vouches for, and what the
//! attribute says of the grid. Out: along which axes of the grid a launch may have
//! more than one block; reports of stores that do not differ along an axis where
//! the kernel uses several.
//!
//! The kernel is followed, with integers as polynomials over what is not known
//! ([`number`], [`known`]). Then every two stores to one tensor are compared
//! ([`apart`]): from what their indices have in common ([`solve`]), and block by block
//! in a small grid ([`each`]).

mod apart;
mod each;
mod follow;
mod grid;
mod known;
mod number;
mod solve;
mod tiles;

pub(crate) use grid::GridAxes;

use super::parallel::outermost;
use crate::hir::walk::each_in_block;
use crate::hir::{ExprId, ExprKind, Kernel, Memory};
use apart::meet;
use follow::{Access, Stored, follow};
use grid::Extent;
use known::Known;
use number::Atom;
use std::collections::BTreeSet;
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// What a launch has to keep to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Axes along which it has one block.
    pub(super) single: [bool; 3],
    /// The most blocks along each axis, where that is less than there may be.
    pub(super) most: [Option<u32>; 3],
}

/// Checks a kernel. Gives what a launch has to keep to.
pub(super) fn check(
    kernel: &Kernel,
    vouched: &BTreeSet<ExprId>,
    grid: GridAxes,
    diagnostics: &mut Diagnostics,
) -> Limits {
    let anywhere = compare(kernel, vouched, grid, [None; 3]);
    let written = grid.written();
    let (single, most, reports) = match anywhere {
        (single, reports) if reports.is_empty() || written == [None; 3] => {
            (single, [None; 3], reports)
        }
        // Right in the grid of the attribute, and then only there.
        _ => {
            let (single, reports) = compare(kernel, vouched, grid, written);
            (single, written, reports)
        }
    };
    let mut reports = reports;
    if kernel.grid.iter().any(|tiles| tiles.tiles.is_some()) {
        let followed = follow(kernel, vouched, Known::new([None; 3]));
        reports.extend(tiles::check(kernel, &followed.stores));
    }
    for report in reports {
        diagnostics.error(report);
    }
    Limits { single, most }
}

/// Compares all stores, with at most so many blocks along each axis.
fn compare(
    kernel: &Kernel,
    vouched: &BTreeSet<ExprId>,
    grid: GridAxes,
    limits: [Option<u32>; 3],
) -> ([bool; 3], Vec<Diagnostic>) {
    let mut used = [false; 3];
    each_in_block(&kernel.exprs, &kernel.body, &mut |_, expr| {
        if let ExprKind::BlockId(axis) = expr.kind {
            used[axis] = true;
        }
    });
    let mut reports = Vec::new();
    let followed = follow(kernel, vouched, Known::new(limits));
    let mut several: Vec<usize> = Vec::new();
    let mut unused: Vec<usize> = Vec::new();
    // A loop that becomes the grid says what is done once, whatever the grid.
    let axes = match outermost(kernel) {
        Some(_) => 0..0,
        None => 0..3,
    };
    for axis in axes {
        match (grid.extent(axis), used[axis]) {
            (Extent::One, _) => unused.push(axis),
            (Extent::Several, _) | (Extent::Unknown, true) => several.push(axis),
            (Extent::Unknown, false) => unused.push(axis),
        }
    }
    let mut single = [false; 3];
    let mut reported: BTreeSet<ExprId> = BTreeSet::new();
    let stores = &followed.stores;
    for (at, first) in stores.iter().enumerate() {
        for second in &stores[at..] {
            if first.param != second.param {
                continue;
            }
            match (first.access, second.access) {
                (Access::Atomic, Access::Atomic) => continue,
                (Access::Store, Access::Store | Access::Atomic)
                | (Access::Atomic, Access::Store) => {}
            }
            let meets =
                |positions: &[Atom]| meet(&first.place, &second.place, positions, &followed.known);
            // Each alone, since what is found of one axis does not depend on the others.
            for &axis in &unused {
                single[axis] |= meets(&[Atom::Block(axis)]).is_some();
            }
            let points = first.place.points.iter().zip(&second.place.points);
            let points = points.take_while(|(one, other)| one == other);
            let blocks = several.iter().map(|&axis| Atom::Block(axis));
            let positions: Vec<Atom> = blocks
                .chain(points.map(|(&point, _)| Atom::Trip(point)))
                .collect();
            let Some(position) = meets(&positions) else {
                continue;
            };
            if reported.contains(&first.expr) || reported.contains(&second.expr) {
                continue;
            }
            reported.insert(first.expr);
            reported.insert(second.expr);
            reports.push(match several.get(position) {
                Some(&axis) => report(kernel, first, second, axis, grid),
                None => report_iterations(kernel, first, second),
            });
        }
    }
    (single, reports)
}

/// Says that an index wraps around, if one does.
fn explain_wrap(diagnostic: Diagnostic, stores: [&Stored; 2]) -> Diagnostic {
    let bits = stores
        .into_iter()
        .flat_map(|stored| &stored.place.spans)
        .find_map(|span| Some(span.start.as_ref()?.as_wrap()?.0));
    match bits {
        Some(bits) => diagnostic.note(format!(
            "the index has {bits} bits and may wrap around, so that it is the same for two blocks"
        )),
        None => diagnostic,
    }
}

fn report(
    kernel: &Kernel,
    first: &Stored,
    second: &Stored,
    axis: usize,
    grid: GridAxes,
) -> Diagnostic {
    let name = &kernel.local(kernel.params[first.param]).name;
    let loc = |stored: &Stored| kernel.expr(stored.expr).loc;
    let several = grid.extent(axis) == Extent::Several;
    let because = if several {
        format!("the grid may have several blocks along axis {axis}")
    } else {
        format!(
            "the kernel uses `block_id({axis})`, so the grid may have several blocks along axis {axis}"
        )
    };
    if first.access != second.access {
        let (store, atomic) = match first.access {
            Access::Store => (first, second),
            Access::Atomic => (second, first),
        };
        return Diagnostic::error(
            Code::StoreRace,
            loc(store),
            format!("one block may store to `{name}` where another updates it atomically"),
        )
        .label(loc(atomic), "the atomic update")
        .note(because)
        .note("an atomic is one step only among atomics")
        .help("use an atomic for both, such as `atomic_xchg`, or store in a launch of its own; what you know to be right goes into `unsafe { .. }`");
    }
    let vouch = "what you know to be right goes into `unsafe { .. }`";
    if first.expr == second.expr {
        let diagnostic = Diagnostic::error(
            Code::StoreRace,
            loc(first),
            format!("blocks that differ along axis {axis} of the grid may store to one place of `{name}`"),
        )
        .note(because);
        return explain_wrap(diagnostic, [first, second])
        .note(format!(
            "the index has to tell blocks apart: two values of `block_id({axis})` must never give one tile"
        ))
        .help(format!(
            "use `block_id({axis})` in the index, combine with `{name}.atomic_add(..)`, or store under `if block_id({axis}) == 0 {{ .. }}`; {vouch}"
        ));
    }
    let diagnostic = Diagnostic::error(
        Code::StoreRace,
        loc(second),
        format!(
            "this may store to the place of `{name}` that another block along axis {axis} stores to"
        ),
    )
    .label(loc(first), "the other store")
    .note(because);
    explain_wrap(diagnostic, [first, second]).help(format!(
        "let all stores of a block stay among tiles of its own, as in `2 * block_id({axis})` and `2 * block_id({axis}) + 1`; {vouch}"
    ))
}

fn report_iterations(kernel: &Kernel, first: &Stored, second: &Stored) -> Diagnostic {
    let name = &kernel.local(kernel.params[first.param]).name;
    let message = format!("two iterations of a parallel loop may store to one place of `{name}`");
    let diagnostic = Diagnostic::error(Code::StoreRace, kernel.expr(second.expr).loc, message);
    let diagnostic = if first.expr == second.expr {
        diagnostic
    } else {
        diagnostic.label(kernel.expr(first.expr).loc, "the other store")
    };
    diagnostic
        .note("iterations run in any order, also at the same time")
        .help(format!(
            "use every loop variable in the index, combine with `{name}.atomic_add(..)`, or with `parallel(..).map(..).reduce(..)`; what you know to be right goes into `unsafe {{ .. }}`"
        ))
}

/// Whether an operation is an atomic on a tensor.
fn is_atomic(memory: &Memory) -> bool {
    matches!(memory, Memory::Atomic { .. } | Memory::AtomicTile { .. })
}
