//! What a kernel may use of a multiprocessor: warps, stages of copies ahead, registers.
//!
//! In: an entry, a target, and what the author or the dialect's hints ask for. Out: the warps of a
//! block, and how many blocks share a multiprocessor.
//!
//! - `estimate` says how many registers a thread needs with so many warps: the tiles that are alive
//!   at once, shared out over the threads
//! - [`occupancy`] says how many blocks a multiprocessor runs at once, and what limits them
//! - `choose` takes the fewest warps that have work of their own and fit the registers
//! - [`warpgroup_registers`] says what warps have that do different things
//! - [`DisabledPasses`] names optimizations to disable
//! - `retry` lists what else to try where ptxas spilled all the same
//!
//! What is asked for is done if the target can; nothing here changes what a kernel computes.

pub(crate) mod choose;
mod disabled_passes;
pub(crate) mod estimate;
pub mod occupancy;
pub(crate) mod retry;
mod warpgroups;

#[cfg(test)]
mod tests;

pub use disabled_passes::DisabledPasses;
pub use occupancy::{Limit, Occupancy};
pub use warpgroups::{WarpgroupRegisters, warpgroup_registers};

/// What is asked of the resources of a kernel; `None` leaves it to the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelOptions {
    /// Warps of a block, a power of two up to 32.
    pub num_warps: Option<u32>,
    /// Tiles that a ring of copies ahead holds: 1 copies nothing ahead.
    pub stages: Option<u32>,
    /// Blocks that must fit on a multiprocessor.
    pub occupancy: Option<u32>,
    /// Blocks of a cluster: 1 lets none copy for others, and none take a part of a tile.
    pub cluster: Option<u32>,
    /// Whether whoever launches the kernel passes tensor maps.
    pub maps: HostMaps,
    /// Which blocks whoever launches the kernel starts.
    pub persistence: Persistence,
    /// How many blocks whoever launches the kernel starts for one position of the grid.
    pub cluster_split: ClusterSplit,
    /// What a launch keeps to along each axis of the grid.
    pub grid: [Option<GridTiles>; 3],
    /// Parameters whose memory is reached through them alone.
    pub noalias: NoAliasParams,
    /// What is left out.
    pub disabled: DisabledPasses,
}

/// Pointers among the parameters of an entry that reach memory which no other parameter, variable or integer
/// reaches: those of tensors that the host borrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoAliasParams(u64);

impl NoAliasParams {
    /// Adds parameter number `parameter` to the set. The set holds the first 64 parameters of an entry: it ignores others.
    #[must_use]
    pub fn with(self, parameter: usize) -> Self {
        let bit = u32::try_from(parameter)
            .ok()
            .and_then(|bit_index| 1_u64.checked_shl(bit_index));
        NoAliasParams(self.0 | bit.unwrap_or(0))
    }

    /// Returns whether the set contains parameter number `parameter`.
    #[must_use]
    pub fn contains(self, parameter: usize) -> bool {
        NoAliasParams::default().with(parameter).0 & self.0 != 0
    }
}

/// There are no more blocks along an axis of the grid than tiles of `step` elements cover `extent` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTiles {
    /// The extent of an axis of a tensor.
    pub extent: GridExtent,
    /// Elements of a tile, at least 1.
    pub step: u64,
}

/// An extent that a launch knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridExtent {
    /// A parameter of the entry, by its number.
    Parameter(usize),
    /// A constant that the launch has checked.
    Constant(u64),
}

/// What stands behind the parameters of an entry at a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostMaps {
    /// Nothing.
    #[default]
    None,
    /// The tensor maps that the kernel asks for ([`crate::gpu::Kernel::maps`]), as the host encodes
    /// them; it takes another kernel where it cannot.
    Encoded,
}

/// Which blocks a launch starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Persistence {
    /// One for each position of the grid.
    #[default]
    Off,
    /// Of a kernel that is persistent ([`crate::gpu::Kernel::is_persistent`]) as many as run at once; the size
    /// of the grid is passed behind the maps then. Of another kernel one for each position.
    Auto,
}

/// How many blocks a launch starts for one position of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterSplit {
    /// One.
    #[default]
    Off,
    /// As many as the kernel says ([`crate::gpu::Kernel::blocks_per_tile`]), side by side along the first axis, as a cluster.
    Auto,
}

impl KernelOptions {
    /// What is asked for here, else there.
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
    /// Warps of a block, nothing else.
    fn from(num_warps: Option<u32>) -> Self {
        Self {
            num_warps,
            ..Self::default()
        }
    }
}
