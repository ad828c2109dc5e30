//! Emits the ordering of dependent launches, and of accesses to aliased memory.

use super::Emitter;
use super::code::AsmEffect;
use crate::gpu::{Dependents, Kernel, MmaKind, OpKind};
use crate::target::{Feature, PtxVersion};

/// Returns the lowest PTX version that has all instructions that are emitted for `kernel` as inline assembly.
pub fn min_ptx(kernel: &Kernel) -> Option<PtxVersion> {
    let kinds = kernel.op_ids().map(|id| &kernel.op(id).kind);
    let needed = kinds.filter_map(|kind| match kind {
        OpKind::AliasFence => Some(PtxVersion::new(7, 5)),
        OpKind::Wgmma(mma) => Some(match mma.kind {
            MmaKind::I8 {
                lhs_signed,
                rhs_signed,
            } if lhs_signed != rhs_signed => PtxVersion::new(8, 4),
            _ => PtxVersion::new(8, 0),
        }),
        _ => None,
    });
    needed.max()
}

impl Emitter<'_, '_> {
    /// Emits `griddepcontrol` in every thread. Before `sm_90`, the kernels of a stream do not overlap, so no
    /// instruction is needed.
    ///
    /// The instruction is inline assembly, because LLVM's intrinsics do not keep loads from moving before the
    /// wait.
    pub(super) fn dependents(&self, kind: Dependents) {
        if !self.arch.has(Feature::DependentLaunch) {
            return;
        }
        let text = match kind {
            Dependents::Wait => "griddepcontrol.wait;",
            Dependents::Launch => "griddepcontrol.launch_dependents;",
        };
        self.code.asm(text, "", &[], &[], AsmEffect::Memory);
    }

    /// Orders accesses to the same memory through different addresses (PTX ISA, "fence.proxy.alias").
    pub(super) fn alias_fence(&self) {
        let text = "fence.proxy.alias;";
        self.code.asm(text, "", &[], &[], AsmEffect::Memory);
    }
}
