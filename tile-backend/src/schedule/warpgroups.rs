//! Distributes registers between producer and consumer warpgroups.
//!
//! A block starts with the maximum number of registers per thread that fits. Producer warps release most of
//! their registers, and consumer warps acquire them (`setmaxnreg`, PTX ISA: multiples of 8 between 24 and
//! 256).

use super::occupancy::LANES;
use crate::gpu::Kernel;
use crate::target::Arch;

/// Registers of a producer thread, for the addresses and barriers of its copies.
const PRODUCER: u32 = 40;

/// The maximum number of registers of a thread, 255, rounded down to a multiple of 8.
const MAX_REGISTERS: u32 = 248;

/// Warps that execute `setmaxnreg` together.
const WARPS_PER_WARPGROUP: u32 = 4;

const MULTIPLE: u32 = 8;

/// Registers per thread before and after `setmaxnreg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpgroupRegisters {
    /// Registers of every thread at the start of the kernel.
    pub start: u32,
    /// Registers of a producer thread after `setmaxnreg`.
    pub producer: u32,
    /// Registers of a consumer thread after `setmaxnreg`.
    pub consumer: u32,
}

/// Returns the registers per thread of a kernel; `None` if no registers move, since they suffice for all
/// warps or the kernel has no producer warpgroup.
pub fn warpgroup_registers(kernel: &Kernel, arch: Arch) -> Option<WarpgroupRegisters> {
    if kernel.launch.producer_warps < WARPS_PER_WARPGROUP {
        return None;
    }
    let share = arch.registers_per_multiprocessor() / kernel.launch.blocks_per_multiprocessor;
    let start = share / kernel.threads() / MULTIPLE * MULTIPLE;
    let limit = kernel.requests.options.max_registers.unwrap_or(u32::MAX);
    let start = start.min(limit);
    let left = start * kernel.threads() - PRODUCER * LANES * kernel.launch.producer_warps;
    let consumer = left / (LANES * kernel.launch.num_warps) / MULTIPLE * MULTIPLE;
    (PRODUCER < start && start < MAX_REGISTERS).then_some(WarpgroupRegisters {
        start,
        producer: PRODUCER,
        consumer: consumer.min(MAX_REGISTERS),
    })
}

#[cfg(test)]
mod tests {
    use super::{WarpgroupRegisters, warpgroup_registers};
    use crate::gpu::Kernel;
    use crate::target::Arch;
    use tile_core::Loc;

    fn producer_and_consumer(consumers: u32, producers: u32, blocks: u32) -> Option<(u32, u32)> {
        let mut kernel = Kernel::new("k", consumers, Loc::UNKNOWN);
        kernel.launch.producer_warps = producers;
        kernel.launch.blocks_per_multiprocessor = blocks;
        let budget = warpgroup_registers(&kernel, Arch::SM_90A)?;
        let WarpgroupRegisters {
            start,
            producer,
            consumer,
        } = budget;
        // The warps hold no more registers than the block was started with.
        assert!(32 * (consumer * consumers + producer * producers) <= start * kernel.threads());
        Some((producer, consumer))
    }

    #[test]
    fn a_requested_maximum_is_that_of_the_start() {
        let mut kernel = Kernel::new("k", 8, Loc::UNKNOWN);
        kernel.launch.producer_warps = 4;
        kernel.requests.options.max_registers = Some(128);
        let budget = warpgroup_registers(&kernel, Arch::SM_90A).expect("registers move");
        assert_eq!(
            (budget.start, budget.producer, budget.consumer),
            (128, 40, 168)
        );
        kernel.requests.options.max_registers = Some(40);
        assert_eq!(warpgroup_registers(&kernel, Arch::SM_90A), None);
    }

    #[test]
    fn those_who_compute_have_what_producers_give_back() {
        assert_eq!(producer_and_consumer(8, 4, 1), Some((40, 232)));
        assert_eq!(producer_and_consumer(4, 4, 2), Some((40, 216)));
        assert_eq!(producer_and_consumer(4, 4, 1), None);
        assert_eq!(producer_and_consumer(4, 1, 2), None);
        assert_eq!(producer_and_consumer(8, 0, 1), None);
    }
}
