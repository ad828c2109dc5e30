//! Remarks on slow compilations: the slowest stage, and the part of the kernel that causes it.
//!
//! In: the CPU time of the stages of one architecture, and the compiled kernels. Out: a remark at the
//! operation with the most elements per thread, if the sum of the times exceeds a limit.
//!
//! An operation on a tile becomes straight-line code, with instructions for each element that a thread holds.
//! The times of LLVM and `ptxas` grow with the number of instructions; the time of `ptxas` grows faster where
//! registers do not suffice.

use super::{Kind, Remark, Remarks};
use crate::gpu::{Kernel, OpId, OpKind, each};
use crate::manifest::{Launch, Manifest};
use crate::stages::Cost;
use std::time::Duration;
use tile_core::Loc;

/// Elements of a tile per thread above which the remark names the tile as the reason.
const MANY_ELEMENTS: usize = 64;

/// Ratio of assembled to emitted instructions above which the remark names inlined library functions or
/// unrolled loops as the reason.
const GROWTH: u64 = 2;

/// Returns the remark on the kernels of one architecture, if their compilation took more than `limit`.
pub(crate) fn of_cost(
    cost: &Cost,
    limit: Duration,
    kernels: &[Kernel],
    manifest: &Manifest,
    remarks: &mut Remarks,
) {
    let total = cost.times.cpu();
    if total <= limit {
        return;
    }
    let work = kernels
        .iter()
        .map(|kernel| (kernel, Work::from_kernel(kernel)));
    let Some((kernel, work)) = work.max_by_key(|(_, work)| work.elements) else {
        return;
    };
    let launch = manifest.launch(cost.arch, &kernel.name);
    remarks.about(&kernel.name, cost.arch);
    remarks.add(|| {
        let (stage, longest) = cost.times.longest().unwrap_or_default();
        let message = format!(
            "compiling took {:.1} s of a processor, {:.1} s of that in the stage `{stage}`",
            total.as_secs_f64(),
            longest.as_secs_f64()
        );
        let mut remark = Remark::new(Kind::Slow, work.loc(kernel), message);
        if let Some((_, most)) = work.largest.filter(|(_, most)| *most >= MANY_ELEMENTS) {
            remark = remark.note(format!(
                "each of {} threads holds {most} elements of this tile, and has instructions for each of them",
                kernel.threads()
            ));
        }
        remark = remark.note(instructions(cost));
        if let [first, others @ ..] = &*cost.warps
            && !others.is_empty()
        {
            let others: Vec<String> = others.iter().map(u32::to_string).collect();
            remark = remark.note(format!(
                "with {first} warps registers are spilled, so it was compiled with {} too",
                others.join(" and with ")
            ));
        }
        let spilled = launch.map_or(0, Launch::spilled_bytes);
        if spilled > 0 {
            remark = remark.note(format!(
                "each thread spills {spilled} bytes of registers, which `ptxas` takes long to place"
            ));
        }
        remark.help(cure(cost, kernel, &work))
    });
}

/// Describes the number of instructions, and their origin if many do not stem from the kernel.
fn instructions(cost: &Cost) -> String {
    let (emitted, assembled) = (cost.emitted, cost.assembled);
    let counts = format!("LLVM was given {emitted} instructions, and `ptxas` {assembled}");
    if assembled > GROWTH * emitted {
        return format!("{counts}: loops are unrolled, or functions of the library put in place");
    }
    counts
}

fn cure(cost: &Cost, kernel: &Kernel, work: &Work) -> String {
    let warps = kernel.warps_of_block();
    if cost.warps.len() > 1 && kernel.requests.options.num_warps.is_none() {
        return format!(
            "write `num_warps = {warps}` to save the time of finding out, or use smaller tiles"
        );
    }
    match work.largest {
        Some((_, most)) if most >= MANY_ELEMENTS => {
            "use smaller tiles, a loop over parts of the tile, or more warps".to_owned()
        }
        _ => "let a loop do what is repeated, or take a part into another kernel".to_owned(),
    }
}

/// The work of a thread.
struct Work {
    /// Elements per thread of the results of all operations.
    elements: usize,
    /// The operation whose result has the most elements per thread, with their number.
    largest: Option<(OpId, usize)>,
}

impl Work {
    fn from_kernel(kernel: &Kernel) -> Self {
        let mut work = Self {
            elements: 0,
            largest: None,
        };
        each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
            let op = kernel.op(id);
            // The result is a single number, whatever the shape of the tile.
            if matches!(op.kind, OpKind::Constant(_) | OpKind::Splat) {
                return;
            }
            for &result in &op.results {
                let Some(layout) = kernel.ty(result).layout() else {
                    continue;
                };
                let held = kernel.layout(layout).num_registers();
                work.elements += held;
                if work.largest.is_none_or(|(_, most)| held > most) {
                    work.largest = Some((id, held));
                }
            }
        });
        work
    }

    /// Returns the location of the remark.
    fn loc(&self, kernel: &Kernel) -> Loc {
        let largest = self.largest.map(|(id, _)| kernel.op(id).loc);
        largest
            .filter(|loc| !loc.is_unknown())
            .unwrap_or(kernel.loc)
    }
}
