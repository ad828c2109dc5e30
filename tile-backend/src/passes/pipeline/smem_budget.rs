//! How deep rings shall be, and what they may take of shared memory.

use crate::gpu::{Kernel, OpId};
use crate::target::Arch;

/// Bytes of shared memory that the system keeps of each block.
pub(super) const RESERVED_BYTES: u32 = 1024;

/// The slots that are asked for: for all rings of the kernel, or by the distance of one of the loads.
pub(super) fn asked(kernel: &Kernel, loads: impl Iterator<Item = OpId>) -> Option<u32> {
    let prefetch_distances = loads.filter_map(|load| kernel.prefetch_distances.get(&load));
    kernel
        .stages
        .or(prefetch_distances.max().map(|distance| distance + 1))
}

/// What a block may have if as many shall fit a multiprocessor as are asked for.
pub(super) fn bytes(kernel: &Kernel, arch: Arch) -> u32 {
    let multicast = arch.shared_bytes_per_multiprocessor() / kernel.blocks_per_multiprocessor;
    let multicast = multicast.saturating_sub(RESERVED_BYTES);
    arch.shared_bytes_per_block().min(multicast)
}
