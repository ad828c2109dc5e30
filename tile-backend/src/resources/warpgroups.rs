//! Registers of warpgroups that do different things.
//!
//! A block starts with as many registers per thread as fit; warps that only begin copies give most of
//! theirs back, and the others take them (`setmaxnreg`, PTX ISA: multiples of 8 between 24 and 256).

use super::occupancy::LANES;
use crate::gpu::Kernel;
use crate::target::Arch;

/// What the addresses and barriers of copies need.
const PRODUCER: u32 = 40;

/// What a thread can have at most is 255, and a multiple of 8.
const MAX_REGISTERS: u32 = 248;

/// Warps that move registers together.
const WARPS_PER_WARPGROUP: u32 = 4;

const MULTIPLE: u32 = 8;

/// Registers of a thread, once warps are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpgroupRegisters {
    /// Of all at first.
    pub start: u32,
    /// Of those that begin copies.
    pub producer: u32,
    /// Of the others.
    pub consumer: u32,
}

/// What the warps of a kernel have; `None` if nothing is moved, since there are enough for all, or no
/// warpgroup of producers.
pub fn warpgroup_registers(kernel: &Kernel, arch: Arch) -> Option<WarpgroupRegisters> {
    if kernel.producer_warps < WARPS_PER_WARPGROUP {
        return None;
    }
    let share = arch.registers_per_multiprocessor() / kernel.blocks_per_multiprocessor;
    let start = share / kernel.threads() / MULTIPLE * MULTIPLE;
    let left = start * kernel.threads() - PRODUCER * LANES * kernel.producer_warps;
    let consumer = left / (LANES * kernel.num_warps) / MULTIPLE * MULTIPLE;
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

    fn of(consumers: u32, producers: u32, blocks: u32) -> Option<(u32, u32)> {
        let mut kernel = Kernel::new("k", consumers, Loc::UNKNOWN);
        kernel.producer_warps = producers;
        kernel.blocks_per_multiprocessor = blocks;
        let budget = warpgroup_registers(&kernel, Arch::SM_90A)?;
        let WarpgroupRegisters {
            start,
            producer,
            consumer,
        } = budget;
        // No more than the block has.
        assert!(32 * (consumer * consumers + producer * producers) <= start * kernel.threads());
        Some((producer, consumer))
    }

    #[test]
    fn those_who_compute_have_what_producers_give_back() {
        assert_eq!(of(8, 4, 1), Some((40, 232)));
        assert_eq!(of(4, 4, 2), Some((40, 216)));
        assert_eq!(of(4, 4, 1), None);
        assert_eq!(of(4, 1, 2), None);
        assert_eq!(of(8, 0, 1), None);
    }
}
