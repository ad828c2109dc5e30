//! Chooses the resources of a kernel on a multiprocessor: warps, pipeline stages, registers.
//!
//! In: an entry, a target, and the options of the author or the hints of the module. Out: the number of warps
//! of a block, and the number of blocks that share a multiprocessor.
//!
//! - `estimate` computes the registers of a thread for a number of warps, from the tiles that are live
//!   simultaneously
//! - [`occupancy`] computes how many blocks a multiprocessor runs simultaneously, and what limits their
//!   number
//! - `choose` picks the smallest number of warps that all have work and whose tiles fit the registers
//! - [`warpgroup_registers`] distributes registers between producer and consumer warps
//! - [`DisabledPasses`] names optimizations to disable
//! - `retry` lists alternatives to try if ptxas spills nevertheless
//!
//! Options are followed if the target supports them. None of these choices changes what a kernel computes.

pub(crate) mod choose;
pub(crate) mod estimate;
pub mod occupancy;
pub(crate) mod retry;
mod warpgroups;

#[cfg(test)]
mod tests;

pub use crate::disabled_passes::DisabledPasses;
pub use occupancy::{Limit, Occupancy};
pub use warpgroups::{WarpgroupRegisters, warpgroup_registers};

/// Options for the resources of a kernel; `None` leaves the choice to the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelOptions {
    /// Warps of a block, a power of two up to 32.
    pub num_warps: Option<u32>,
    /// Stages of a circular buffer: 1 disables software pipelining.
    pub stages: Option<u32>,
    /// Blocks that must fit a multiprocessor.
    pub occupancy: Option<u32>,
    /// Blocks of a cluster: 1 disables TMA multicast and cluster split.
    pub cluster: Option<u32>,
    /// The tensor maps that the launch passes.
    pub maps: HostMaps,
    /// The blocks that the launch starts for a persistent kernel.
    pub persistence: Persistence,
    /// The blocks that the launch starts for one work tile.
    pub cluster_split: ClusterSplit,
    /// A bound on each axis of the grid that the launch guarantees.
    pub grid: [Option<GridTiles>; 3],
    /// The noalias parameters.
    pub noalias: NoAliasParams,
    /// The disabled optimizations.
    pub disabled: DisabledPasses,
}

/// The noalias parameters of an entry: pointers to memory that no other parameter, variable or integer
/// reaches, such as those of tensors that the host borrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoAliasParams(u64);

impl NoAliasParams {
    /// Adds parameter number `parameter` to the set, which ignores all but the first 64 parameters of an entry.
    #[must_use]
    pub fn with(self, parameter: usize) -> Self {
        let bit = u32::try_from(parameter)
            .ok()
            .and_then(|bit_index| 1_u64.checked_shl(bit_index));
        NoAliasParams(self.0 | bit.unwrap_or(0))
    }

    /// Returns `true` if the set contains parameter number `parameter`.
    #[must_use]
    pub fn contains(self, parameter: usize) -> bool {
        NoAliasParams::default().with(parameter).0 & self.0 != 0
    }
}

/// A bound on one axis of the grid: the number of blocks is at most the number of tiles of `step` elements in
/// `extent` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTiles {
    /// The extent of an axis of a tensor.
    pub extent: GridExtent,
    /// Elements of a tile, at least 1.
    pub step: u64,
}

/// An extent that is known at launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridExtent {
    /// A parameter of the entry, by its number.
    Parameter(usize),
    /// A constant that the launch has checked.
    Constant(u64),
}

/// The tensor maps that the host passes in addition to the parameters of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostMaps {
    /// No tensor maps.
    #[default]
    None,
    /// The tensor maps that the kernel lists in [`crate::gpu::Kernel::maps`], encoded by the host. A host
    /// that cannot encode one of them launches another kernel.
    Encoded,
}

/// The blocks that a launch starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Persistence {
    /// One block per work tile.
    #[default]
    Off,
    /// If the kernel is persistent ([`crate::gpu::Kernel::is_persistent`]), at most the number of blocks that
    /// the device holds; the grid is then passed after the tensor maps. Otherwise one block per work tile.
    Auto,
}

/// The number of blocks that a launch starts for one work tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterSplit {
    /// One block.
    #[default]
    Off,
    /// [`crate::gpu::Kernel::blocks_per_tile`] blocks, which are adjacent along the first axis and form a
    /// cluster.
    Auto,
}

impl KernelOptions {
    /// Takes each option from `self`, or from `other` where `self` does not set it.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            num_warps: self.num_warps.or(other.num_warps),
            stages: self.stages.or(other.stages),
            occupancy: self.occupancy.or(other.occupancy),
            cluster: self.cluster.or(other.cluster),
            maps: self.maps,
            persistence: self.persistence,
            cluster_split: self.cluster_split,
            grid: self.grid,
            noalias: self.noalias,
            disabled: self.disabled,
        }
    }
}

impl From<Option<u32>> for KernelOptions {
    /// Sets the warps of a block, and no other option.
    fn from(num_warps: Option<u32>) -> Self {
        Self {
            num_warps,
            ..Self::default()
        }
    }
}
