//! The requested number of stages, and the shared memory that a block may use.

use crate::gpu::{Kernel, OpId};
use crate::target::Arch;

/// Bytes of shared memory that the system reserves per block.
pub(super) const RESERVED_BYTES: u32 = 1024;

/// Returns the number of stages that an option requests for all circular buffers of the kernel, or that the
/// prefetch distance of a load implies.
pub(super) fn asked(kernel: &Kernel, loads: impl Iterator<Item = OpId>) -> Option<u32> {
    let prefetch_distances = loads.filter_map(|load| kernel.requests.prefetch_distances.get(&load));
    kernel
        .requests
        .options
        .stages
        .or(prefetch_distances.max().map(|distance| distance + 1))
}

/// Returns the bytes that a block may use if the requested number of blocks is to fit a multiprocessor.
pub(super) fn bytes(kernel: &Kernel, arch: Arch) -> u32 {
    let share = arch.shared_bytes_per_multiprocessor() / kernel.launch.blocks_per_multiprocessor;
    let share = share.saturating_sub(RESERVED_BYTES);
    arch.shared_bytes_per_block().min(share)
}
