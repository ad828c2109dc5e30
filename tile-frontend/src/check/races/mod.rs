//! Checks at compile time that no two blocks store to the same element of a `&mut Tensor`.
//!
//! In: a checked kernel, the stores that its author vouches for, and the grid of the attribute.
//! Out: the axes of the grid along which a launch may have more than one block; the claims about
//! numbers in the kernel that a launch must check; and diagnostics for stores that do not differ
//! along an axis where the kernel uses several blocks.
//!
//! Symbolic execution represents integers as polynomials over unknowns ([`number`], [`known`]).
//! Then every two stores to one tensor are compared ([`disjoint`]): by the equations of their
//! indices ([`solve`]), and block by block in a small grid ([`enumerate`]). If a proof assumes that
//! numbers do not wrap around, each launch checks the assumption ([`needs`]).

mod bound;
mod disjoint;
mod enumerate;
mod grid;
mod known;
mod needs;
mod number;
mod solve;
mod symbolic;
mod tiles;

pub(crate) use grid::GridAxes;

use super::parallel::outermost;
use crate::hir::claims::Claimed;
use crate::hir::walk::each_in_block;
use crate::hir::{ExprId, ExprKind, Kernel, Memory};
use disjoint::{Place, meet};
use grid::Extent;
use known::{Known, Launch};
use needs::claims;
use number::Atom;
use std::collections::{BTreeMap, BTreeSet};
use symbolic::{Access, Followed, Stored, trace_accesses};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};
use tile_core::reach::{Claim, Step};

/// The restrictions on a launch.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Axes along which a launch has only one block.
    pub(super) single: [bool; 3],
    /// The maximum number of blocks along each axis, if it is restricted.
    pub(super) max_blocks: [Option<u32>; 3],
    /// The claims about numbers in the kernel that a launch must check.
    pub(super) claims: Vec<Claimed>,
}

/// Checks a kernel and returns the restrictions on its launches.
pub(super) fn check(
    kernel: &Kernel,
    vouched: &BTreeSet<ExprId>,
    grid: GridAxes,
    diagnostics: &mut Diagnostics,
) -> Limits {
    let anywhere = compare(kernel, vouched, grid, [None; 3]);
    let written = grid.written();
    let (compared, max_blocks) = if anywhere.reports.is_empty() || written == [None; 3] {
        (anywhere, [None; 3])
    } else {
        // The stores are apart in the grid of the attribute, so launches are restricted to that
        // grid.
        (compare(kernel, vouched, grid, written), written)
    };
    let Compared {
        single,
        claims,
        mut reports,
    } = compared;
    if kernel.grid.iter().any(|tiles| tiles.tiles.is_some()) {
        let known = Known::new([None; 3], Launch::Anything);
        let followed = trace_accesses(kernel, vouched, known);
        reports.extend(tiles::check(kernel, &followed.stores));
    }
    for report in reports {
        diagnostics.error(report);
    }
    Limits {
        single,
        max_blocks,
        claims,
    }
}

/// The result of comparing all stores.
#[derive(Default)]
struct Compared {
    single: [bool; 3],
    claims: Vec<Claimed>,
    reports: Vec<Diagnostic>,
}

impl Compared {
    /// Records the claims under which two stores are apart.
    fn claim(&mut self, kernel: &Kernel, stores: [&Stored; 2], claims: Claims) {
        for (claim, program) in claims {
            if self
                .claims
                .iter()
                .any(|claimed| claimed.claim == claim && claimed.program == program)
            {
                continue;
            }
            self.claims.push(Claimed {
                param: stores[0].param,
                line: kernel.expr(stores[0].expr).loc.line(),
                claim,
                program,
            });
        }
    }
}

/// The axes of the grid.
struct Axes {
    /// Axes along which there may be several blocks.
    several: Vec<usize>,
    /// Axes that the kernel does not use.
    unused: Vec<usize>,
}

impl Axes {
    fn for_kernel(kernel: &Kernel, grid: GridAxes) -> Axes {
        let mut used = [false; 3];
        each_in_block(&kernel.exprs, &kernel.body, &mut |_, expr| {
            if let ExprKind::BlockId(axis) = expr.kind {
                used[axis] = true;
            }
        });
        let (mut several, mut unused) = (Vec::new(), Vec::new());
        // If a loop becomes the grid, the launch grid follows from the loop, and no axis of the
        // declared grid needs a check.
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
        Axes { several, unused }
    }

    /// Returns the questions about two stores, each with the block ids that must be equal if the
    /// stores meet.
    fn questions(&self, first: &Stored, second: &Stored) -> Vec<Question> {
        // Each unused axis is a question of its own, since the answers do not depend on each other.
        let unused = self.unused.iter().map(|&axis| Question {
            unused: Some(axis),
            block_ids: vec![Atom::Block(axis)],
        });
        let points = first.place.points.iter().zip(&second.place.points);
        let points = points.take_while(|(one, other)| one == other);
        let blocks = self.several.iter().map(|&axis| Atom::Block(axis));
        let block_ids = blocks.chain(points.map(|(&point, _)| Atom::Trip(point)));
        let together = Question {
            unused: None,
            block_ids: block_ids.collect(),
        };
        unused.chain([together]).collect()
    }
}

struct Question {
    /// The axis, if the question is about an axis that the kernel does not use.
    unused: Option<usize>,
    block_ids: Vec<Atom>,
}

/// Returns the pairs of stores to one tensor that must not meet.
fn pairs(stores: &[Stored]) -> impl Iterator<Item = [&Stored; 2]> {
    stores.iter().enumerate().flat_map(move |(index, first)| {
        let pairs = stores[index..].iter().map(move |second| [first, second]);
        pairs.filter(|[first, second]| {
            let are_atomic = match (first.access, second.access) {
                (Access::Atomic, Access::Atomic) => true,
                (Access::Store, Access::Store | Access::Atomic)
                | (Access::Atomic, Access::Store) => false,
            };
            first.param == second.param && !are_atomic
        })
    })
}

/// Two stores, and the unused axis that the question is about, if any.
type Key = (ExprId, ExprId, Option<usize>);

/// Claims, each with the program that computes the number of the claim.
type Claims = Vec<(Claim, Vec<Step>)>;

/// Returns the claims under which two stores are apart, or the index of the first block id that may
/// differ although they meet.
fn apart(
    [first, second]: [&Stored; 2],
    block_ids: &[Atom],
    followed: &Followed,
) -> Result<Claims, usize> {
    let known = &followed.known;
    let proven = |first: &Place, second: &Place, axes: &[usize]| {
        known.widths.borrow_mut().clear();
        match meet(first, second, block_ids, known) {
            Some(position) => Err(position),
            None => Ok(claims(
                [first, second],
                axes,
                block_ids,
                &followed.decided,
                known,
            )),
        }
    };
    let axes: Vec<usize> = (0..first.place.spans.len()).collect();
    let mut least = proven(&first.place, &second.place, &axes)?;
    // The proof along a single axis may need fewer claims.
    for &axis in &axes {
        if least.is_empty() || axes.len() == 1 {
            break;
        }
        let (one, other) = (first.place.along(axis), second.place.along(axis));
        if let Ok(claims) = proven(&one, &other, &[axis])
            && claims.len() < least.len()
        {
            least = claims;
        }
    }
    Ok(least)
}

/// Compares all stores, with at most `limits` blocks along each axis.
///
/// Proofs without any claims that a launch would have to check are tried first.
fn compare(
    kernel: &Kernel,
    vouched: &BTreeSet<ExprId>,
    grid: GridAxes,
    limits: [Option<u32>; 3],
) -> Compared {
    let axes = Axes::for_kernel(kernel, grid);
    let mut compared = Compared::default();
    let exact = trace_accesses(kernel, vouched, Known::new(limits, Launch::Anything));
    let mut open: BTreeSet<Key> = BTreeSet::new();
    let mut proven: BTreeMap<Key, Vec<([&Stored; 2], Claims)>> = BTreeMap::new();
    for stores in pairs(&exact.stores) {
        for question in axes.questions(stores[0], stores[1]) {
            let key = (stores[0].expr, stores[1].expr, question.unused);
            match apart(stores, &question.block_ids, &exact) {
                Ok(claims) => proven.entry(key).or_default().push((stores, claims)),
                Err(_) => {
                    open.insert(key);
                }
            }
        }
    }
    proven.retain(|key, _| !open.contains(key));
    for (stores, claims) in proven.values().flatten() {
        compared.claim(kernel, *stores, claims.clone());
    }
    if open.is_empty() {
        return compared;
    }
    let small = trace_accesses(kernel, vouched, Known::new(limits, Launch::Small));
    let mut reported: BTreeSet<ExprId> = BTreeSet::new();
    for stores in pairs(&small.stores) {
        let [first, second] = stores;
        for question in axes.questions(first, second) {
            if proven.contains_key(&(first.expr, second.expr, question.unused)) {
                continue;
            }
            let position = match apart(stores, &question.block_ids, &small) {
                Ok(claims) => {
                    compared.claim(kernel, stores, claims);
                    continue;
                }
                Err(position) => position,
            };
            if let Some(axis) = question.unused {
                compared.single[axis] = true;
                continue;
            }
            if reported.contains(&first.expr) || reported.contains(&second.expr) {
                continue;
            }
            reported.extend([first.expr, second.expr]);
            compared.reports.push(match axes.several.get(position) {
                Some(&axis) => report(kernel, first, second, axis, grid),
                None => report_iterations(kernel, first, second),
            });
        }
    }
    compared
}

/// Adds a note if an index wraps around.
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

/// Returns `true` for an atomic on a tensor.
fn is_atomic(memory: &Memory) -> bool {
    matches!(memory, Memory::Atomic { .. } | Memory::AtomicTile { .. })
}
