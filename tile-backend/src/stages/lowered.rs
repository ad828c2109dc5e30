//! Stage 8: lowers a module to the GPU IR of each architecture, runs all passes, verifies the result, and
//! checks the limits of the target.

use super::spilled::Choices;
use super::worker_error::internal;
use crate::gpu::{self, Kernel};
use crate::lower;
use crate::options::{HostMaps, KernelOptions};
use crate::passes;
use crate::remarks::{self, Remarks};
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
    let Request {
        arch,
        kernel_options,
        choices,
    } = request;
    let warps = |entry: &str| choices.warps(arch, entry);
    let mut kernels = lower::lower(module, arch, kernel_options, &warps, remarks, diagnostics)?;
    let limit = arch.shared_bytes_per_block();
    place(&mut kernels, arch, kernel_options);
    if kernel_options.maps == HostMaps::Encoded
        && kernels.iter().any(|kernel| kernel.shared.bytes > limit)
    {
        // TMA stores take more shared memory than any other way to store tiles, so lowering is repeated
        // without them if a kernel exceeds the limit.
        let without = KernelOptions {
            maps: HostMaps::None,
            ..kernel_options
        };
        let remarks = &mut Remarks::default();
        kernels = lower::lower(module, arch, without, &warps, remarks, diagnostics)?;
        place(&mut kernels, arch, kernel_options);
    }
    for kernel in &mut kernels {
        passes::barriers(kernel);
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
            remarks::remark_on_kernel(module, kernel, (arch, kernel_options.persistence), remarks);
        }
    }
    Ok(kernels)
}

/// Runs the passes before `barriers`.
fn place(kernels: &mut [Kernel], arch: Arch, kernel_options: KernelOptions) {
    for kernel in kernels {
        passes::eliminate_dead_code(kernel);
        passes::skip_blocks(kernel);
        passes::order_by_lpt(kernel);
        passes::elide_masks(kernel);
        passes::rescale_lazily(kernel);
        passes::sink_store_waits(kernel);
        passes::choose_cache_hints(kernel);
        // Circular buffers hold whole tiles, so kernels with a cluster split are not pipelined.
        if kernel.launch.blocks_per_tile == 1 {
            passes::pipeline(
                kernel,
                arch,
                kernel_options.maps,
                kernel_options.persistence,
            );
        }
        passes::load_once(kernel);
        passes::allocate_shared(kernel);
    }
}
