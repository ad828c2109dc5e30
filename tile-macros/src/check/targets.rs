//! What has no code for GPUs yet, by the name that the author knows.

use crate::hir::walk::each_in_block;
use crate::hir::{ExprKind, Kernel, Ty, ViewLayout};
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc};

/// Reports accesses to memory that only the CPU device has.
pub(crate) fn check_for_gpus(kernel: &Kernel, diagnostics: &mut Diagnostics) {
    let mut found: Vec<(Loc, &str)> = Vec::new();
    each_in_block(&kernel.exprs, &kernel.body, &mut |_, expr| {
        let what = match &expr.kind {
            ExprKind::Memory(memory) => memory.for_cpus_alone(),
            ExprKind::Load(view, _) | ExprKind::Store(view, ..) | ExprKind::NumTiles(view, _) => {
                match &kernel.expr(*view).ty {
                    Ty::Partition(view) => match view.layout {
                        ViewLayout::Partition => None,
                        ViewLayout::Strided(_) => Some("access through a strided view"),
                        ViewLayout::Gather(_) => Some("access through a gather view"),
                    },
                    _ => None,
                }
            }
            _ => None,
        };
        found.extend(what.map(|what| (expr.loc, what)));
    });
    for (loc, what) in found {
        diagnostics.error(
            Diagnostic::error(
                Code::UnsupportedByTarget,
                loc,
                format!("{what} cannot be compiled for GPUs yet"),
            )
            .help("write `arch(\"cpu\")` in the attribute to compile for the CPU device alone"),
        );
    }
}
