//! Computes the occupancy: how many blocks a multiprocessor runs simultaneously.
//!
//! In: threads, registers and shared memory of a block. Out: the number of blocks, and which of the four
//! limits determines it. The rules are those of the CUDA programming guide, "Compute Capabilities", and of
//! the occupancy calculator of NVIDIA's toolkit.

use crate::target::Arch;
use std::fmt;

/// Threads of a warp.
pub(crate) const LANES: u32 = 32;

/// Granularity of the register allocation of a warp.
const REGISTERS_AT_ONCE: u32 = 256;

/// Warps that get registers together: one on each of the four partitions of a multiprocessor.
const WARPS_AT_ONCE: u32 = 4;

/// Shared memory that the system reserves for each block.
const RESERVED_BYTES: u32 = 1024;

/// Granularity of the allocation of shared memory, in bytes.
const BYTES_AT_ONCE: u32 = 128;

/// The limit on the number of resident blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The maximum number of blocks of a multiprocessor.
    Blocks,
    /// The maximum number of threads of a multiprocessor.
    Threads,
    /// Registers.
    Registers,
    /// Shared memory.
    SharedMemory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocks => "the blocks that a multiprocessor holds",
            Self::Threads => "the threads that a multiprocessor holds",
            Self::Registers => "registers",
            Self::SharedMemory => "shared memory",
        })
    }
}

/// The resident blocks of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of blocks; 0 if not even one fits.
    pub blocks: u32,
    /// Number of warps of these blocks.
    pub warps: u32,
    /// Maximum number of warps of the multiprocessor.
    pub max_warps: u32,
    /// The limit that determines the number of blocks.
    pub limit: Limit,
}

impl Occupancy {
    /// Computes the occupancy of blocks with `num_warps` warps, `registers` per thread and `shared_bytes`.
    pub fn estimate(arch: Arch, num_warps: u32, registers: u32, shared_bytes: u32) -> Self {
        let per_warp = (registers.max(1) * LANES).next_multiple_of(REGISTERS_AT_ONCE);
        let warps = arch.registers_per_multiprocessor() / per_warp;
        let warps = warps / WARPS_AT_ONCE * WARPS_AT_ONCE;
        let bytes = (shared_bytes + RESERVED_BYTES).next_multiple_of(BYTES_AT_ONCE);
        let max_warps = arch.threads_per_multiprocessor() / LANES;
        let limits = [
            (arch.blocks_per_multiprocessor(), Limit::Blocks),
            (max_warps / num_warps, Limit::Threads),
            (warps / num_warps, Limit::Registers),
            (
                arch.shared_bytes_per_multiprocessor() / bytes,
                Limit::SharedMemory,
            ),
        ];
        let (blocks, limit) = limits
            .into_iter()
            .min_by_key(|(blocks, _)| *blocks)
            .expect("there are four limits");
        Self {
            blocks,
            warps: blocks * num_warps,
            max_warps,
            limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, Occupancy};
    use crate::target::Arch;

    fn blocks_and_limit(
        arch: Arch,
        num_warps: u32,
        registers: u32,
        shared_bytes: u32,
    ) -> (u32, Limit) {
        let occupancy = Occupancy::estimate(arch, num_warps, registers, shared_bytes);
        assert_eq!(occupancy.warps, occupancy.blocks * num_warps);
        (occupancy.blocks, occupancy.limit)
    }

    // The expected figures are those of NVIDIA's occupancy calculator.
    #[test]
    fn each_limit_counts() {
        assert_eq!(blocks_and_limit(Arch::SM_80, 1, 32, 0), (32, Limit::Blocks));
        assert_eq!(blocks_and_limit(Arch::SM_86, 1, 32, 0), (16, Limit::Blocks));
        assert_eq!(blocks_and_limit(Arch::SM_80, 8, 32, 0), (8, Limit::Threads));
        assert_eq!(blocks_and_limit(Arch::SM_89, 8, 32, 0), (6, Limit::Threads));
        assert_eq!(
            blocks_and_limit(Arch::SM_80, 4, 128, 0),
            (4, Limit::Registers)
        );
        assert_eq!(
            blocks_and_limit(Arch::SM_80, 8, 255, 0),
            (1, Limit::Registers)
        );
        assert_eq!(
            blocks_and_limit(Arch::SM_90A, 4, 32, 100 << 10),
            (2, Limit::SharedMemory)
        );
        assert_eq!(
            blocks_and_limit(Arch::SM_80, 4, 32, 100 << 10),
            (1, Limit::SharedMemory)
        );
    }

    #[test]
    fn registers_are_given_in_pieces() {
        // 41 registers round up to 48, with which 42 warps would fit. Registers are allocated to four warps
        // together, so 40 warps remain.
        assert_eq!(
            blocks_and_limit(Arch::SM_80, 8, 41, 0),
            (5, Limit::Registers)
        );
        assert_eq!(
            blocks_and_limit(Arch::SM_80, 8, 40, 0),
            (6, Limit::Registers)
        );
    }

    #[test]
    fn the_largest_block_of_each_architecture_fits_once() {
        for &arch in Arch::ALL {
            let bytes = arch.shared_bytes_per_block();
            let (blocks, limit) = blocks_and_limit(arch, 4, 32, bytes);
            assert_eq!((blocks, limit), (1, Limit::SharedMemory), "{arch}");
        }
    }
}
