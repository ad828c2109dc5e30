//! Stage 8: GPU IR of each architecture, with passes, verified, within the limits of the target.

use super::fault::internal;
use super::spilled::Choices;
use crate::gpu::{self, Kernel};
use crate::lower;
use crate::passes;
use crate::remarks::{self, Remarks};
use crate::resources::{HostMaps, Wishes};
use crate::target::Arch;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::{Module, Reported};

/// What is asked of stage 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// The target.
    pub(super) arch: Arch,
    /// What the author asks for.
    pub(super) wishes: Wishes,
    /// What was found to be good, where nobody asks.
    pub(super) choices: &'a Choices,
}

/// Stage 8 for one architecture: GPU IR with shared memory and barriers in place,
/// verified, within the limits of the target.
pub fn lower_for(
    module: &Module,
    arch: Arch,
    wishes: impl Into<Wishes>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let remarks = &mut Remarks::default();
    lower_remarked(module, arch, wishes.into(), remarks, diagnostics)
}

/// As [`lower_for`], with remarks on what was made, as far as they do not need ptxas.
pub fn lower_remarked(
    module: &Module,
    arch: Arch,
    wishes: Wishes,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let how = Request {
        arch,
        wishes,
        choices: &Choices::default(),
    };
    lower_with(module, how, remarks, diagnostics)
}

pub(super) fn lower_with(
    module: &Module,
    how: Request<'_>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let Request {
        arch,
        wishes,
        choices,
    } = how;
    let warps = |entry: &str| choices.warps(arch, entry);
    let mut kernels = lower::lower(module, arch, wishes, &warps, remarks, diagnostics)?;
    let limit = arch.shared_bytes_per_block();
    place(&mut kernels, arch, wishes);
    if wishes.maps == HostMaps::Encoded && kernels.iter().any(|kernel| kernel.shared_bytes > limit)
    {
        // Tiles on their way to a tensor take more room than on any other way.
        let without = Wishes {
            maps: HostMaps::None,
            ..wishes
        };
        let remarks = &mut Remarks::default();
        kernels = lower::lower(module, arch, without, &warps, remarks, diagnostics)?;
        place(&mut kernels, arch, wishes);
    }
    for kernel in &mut kernels {
        passes::barriers(kernel);
        let faults = gpu::verify(kernel);
        if !faults.is_empty() {
            return Err(internal(&faults.join("; "), kernel.loc, diagnostics));
        }
        if kernel.shared_bytes > limit {
            diagnostics.error(
                Diagnostic::error(
                    Code::TooLarge,
                    kernel.loc,
                    format!(
                        "the kernel needs {} bytes of shared memory per block",
                        kernel.shared_bytes
                    ),
                )
                .note(format!("`{arch}` has {limit} bytes per block"))
                .help("use smaller tiles"),
            );
        }
    }
    diagnostics.checkpoint()?;
    if remarks.is_wanted() {
        for kernel in &kernels {
            remarks::of_kernel(module, kernel, (arch, wishes.blocks), remarks);
        }
    }
    Ok(kernels)
}

/// The passes before barriers.
fn place(kernels: &mut [Kernel], arch: Arch, wishes: Wishes) {
    for kernel in kernels {
        passes::dead(kernel);
        passes::skips(kernel);
        passes::longest_first(kernel);
        passes::masks(kernel);
        passes::rescale(kernel);
        passes::late_waits(kernel);
        passes::caching(kernel);
        // Rings are of whole tiles.
        if kernel.parts == 1 {
            passes::pipeline(kernel, arch, wishes.maps, wishes.blocks);
        }
        passes::load_once(kernel);
        passes::allocate_shared(kernel);
    }
}
