//! Stage 8: lowers a module to the GPU IR of each architecture, runs all passes, verifies the result, and
//! checks the limits of the target.

use super::spilled::Choices;
use super::worker_error::internal;
use crate::gpu::{self, Kernel};
use crate::lower;
use crate::options::KernelOptions;
use crate::passes::{self, AfterPass};
use crate::remarks::Remarks;
use crate::remarks::kernel::remark_on_kernel;
use crate::schedule::Target;
use crate::schedule::retry::{self, Feedback};
use crate::target::Arch;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::{Module, Reported};

/// The parameters of stage 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// The target.
    pub(super) arch: Arch,
    /// The options of the author.
    pub(super) kernel_options: KernelOptions,
    /// The numbers of warps that earlier attempts chose, used where the author sets none.
    pub(super) choices: &'a Choices,
}

/// Runs stage 8 for one architecture. Returns verified GPU IR with shared memory allocated and barriers
/// inserted, within the limits of the target.
pub fn lower_for(
    module: &Module,
    arch: Arch,
    kernel_options: impl Into<KernelOptions>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let remarks = &mut Remarks::default();
    lower_remarked(module, arch, kernel_options.into(), remarks, diagnostics)
}

/// Does the same as [`lower_for`], and adds the remarks that do not need ptxas.
pub fn lower_remarked(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let request = Request {
        arch,
        kernel_options,
        choices: &Choices::default(),
    };
    lower_with(module, request, remarks, diagnostics)
}

pub(super) fn lower_with(
    module: &Module,
    request: Request<'_>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    lower_observed(module, request, remarks, &mut |_, _, _| {}, diagnostics)
}

/// Runs stage 8, and calls `after` after each pass.
pub(super) fn lower_observed(
    module: &Module,
    request: Request<'_>,
    remarks: &mut Remarks,
    after: &mut AfterPass<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let Request {
        arch,
        kernel_options,
        choices,
    } = request;
    let warps = |entry: &str| choices.warps(arch, entry);
    let feedback = Feedback {
        warps: &warps,
        ..Feedback::default()
    };
    let target = Target::new(arch, kernel_options);
    let mut lower = |feedback, remarks: &mut Remarks, diagnostics: &mut Diagnostics| {
        let lowered = lower::lower(module, arch, kernel_options, feedback, remarks, diagnostics)?;
        let mut kernels = Vec::new();
        for (mut kernel, schedule) in lowered {
            passes::run(
                &mut kernel,
                schedule,
                target,
                &mut remarks.explanation,
                after,
            )
            .map_err(|refusal| internal(&refusal.to_string(), kernel.loc, diagnostics))?;
            kernels.push(kernel);
        }
        Ok(kernels)
    };
    let mut kernels = lower(feedback, remarks, diagnostics)?;
    if retry::needs_other_stores(&kernels, arch, kernel_options.maps) {
        let feedback = Feedback {
            do_tma_stores_fit: false,
            ..feedback
        };
        // The hints have been reported.
        let unread = &mut Remarks::default();
        std::mem::swap(&mut unread.explanation, &mut remarks.explanation);
        kernels = lower(feedback, unread, diagnostics)?;
        std::mem::swap(&mut unread.explanation, &mut remarks.explanation);
    }
    let limit = arch.shared_bytes_per_block();
    for kernel in &kernels {
        let errors = gpu::verify(kernel);
        if !errors.is_empty() {
            return Err(internal(&errors.join("; "), kernel.loc, diagnostics));
        }
        if kernel.shared.bytes > limit {
            diagnostics.error(
                Diagnostic::error(
                    Code::TooLarge,
                    kernel.loc,
                    format!(
                        "the kernel needs {} bytes of shared memory per block",
                        kernel.shared.bytes
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
            remark_on_kernel(module, kernel, target, remarks);
            for remark_on_pass in passes::PIPELINE.iter().filter_map(|pass| pass.remark) {
                remark_on_pass(kernel, target, remarks);
            }
        }
    }
    Ok(kernels)
}
