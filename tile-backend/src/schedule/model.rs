//! The model of a target: what a kernel takes of a multiprocessor, and how much of it a schedule may take.

use super::{Occupancy, WarpgroupRegisters, warpgroup_registers};
use crate::gpu::{Kernel, OpId};
use crate::target::Arch;

/// Bytes of shared memory that the system reserves per block.
pub(crate) const RESERVED_BYTES: u32 = 1024;

/// The figures of a kernel whose shared memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Consumer warps of a block.
    pub warps: u32,
    /// Producer warps of a block.
    pub producer_warps: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Bytes of shared memory that a block may have, so that the requested number of blocks fits.
    pub shared_limit: u32,
    /// Blocks that threads and shared memory allow on a multiprocessor.
    pub blocks: u32,
    /// Bytes that the copies of a multiprocessor keep in flight: all stages of circular buffers but the one
    /// that is read, of all blocks.
    pub bytes_in_flight: u64,
    /// Registers per thread, if they move from producer to consumer warps.
    pub registers: Option<WarpgroupRegisters>,
}

impl Figures {
    /// Measures a kernel.
    pub(crate) fn measure(kernel: &Kernel, arch: Arch) -> Self {
        let shared_bytes = kernel.shared.bytes;
        let warps = kernel.threads() / super::occupancy::LANES;
        // Register counts are not known before `ptxas` has run; one register leaves the other three limits.
        let blocks = Occupancy::estimate(arch, warps, 1, shared_bytes).blocks;
        let circular = kernel.shared.buffers.iter().filter(|it| it.stages > 1);
        let ahead = circular.map(|it| u64::from(it.bytes / it.stages) * u64::from(it.stages - 1));
        Self {
            warps: kernel.warps_of_block(),
            producer_warps: kernel.launch.producer_warps,
            shared_bytes,
            shared_limit: shared_limit(kernel, arch),
            blocks,
            bytes_in_flight: ahead.sum::<u64>() * u64::from(blocks),
            registers: warpgroup_registers(kernel, arch),
        }
    }
}

/// Returns the number of stages that an option requests for all circular buffers of the kernel, or that the
/// prefetch distance of a load implies.
pub(super) fn requested_stages(kernel: &Kernel, loads: impl Iterator<Item = OpId>) -> Option<u32> {
    let requests = &kernel.requests;
    let distances = loads.filter_map(|load| requests.prefetch_distances.get(&load));
    let implied = distances.max().map(|distance| distance + 1);
    requests.options.stages.or(implied)
}

/// Returns the bytes that a block may use if the requested number of blocks is to fit a multiprocessor.
pub(super) fn shared_limit(kernel: &Kernel, arch: Arch) -> u32 {
    let share = arch.shared_bytes_per_multiprocessor() / kernel.launch.blocks_per_multiprocessor;
    let share = share.saturating_sub(RESERVED_BYTES);
    arch.shared_bytes_per_block().min(share)
}
