//! Schedules of kernels: the decisions that shape a kernel, made once, before any pass applies them.
//!
//! In: an entry or its kernel, a target, and the options of the author or the hints of the module. Out: a
//! [`Schedule`].
//!
//! - [`lowering`] decides what lowering applies, since layouts depend on it: [`cluster_split`], [`warps`],
//!   [`grouped_raster`] and [`tma_stores`]
//! - [`estimate`] computes the registers of a thread for a number of warps, from the tiles that are live
//!   simultaneously
//! - [`masks`] lists the rewrites of masks
//! - [`search`] tries the other decisions on the lowered kernel: masks, order of work tiles, persistence, roles
//!   of warps, stages, epilogue, clusters
//! - [`model`] gives the figures by which candidates are judged, and [`occupancy`] how many blocks a
//!   multiprocessor runs simultaneously
//! - [`memory_bound`] sizes the circular buffers of loops without an MMA, and [`tile_order`] chooses the order
//!   of work tiles
//! - [`warpgroup_registers`] distributes registers between producer and consumer warps
//! - [`explain`] collects all candidates for `tilec build --explain-schedule`
//! - [`retry`] decides what to try if a kernel exceeds shared memory, or ptxas spills nevertheless
//!
//! Options are followed if the target supports them. None of these choices changes what a kernel computes.
//! Lowering and passes apply a schedule and decide nothing.

pub(crate) mod cluster_split;
pub(crate) mod estimate;
pub mod explain;
mod grouped_raster;
pub(crate) mod lowering;
pub mod masks;
mod memory_bound;
pub(crate) mod model;
pub mod occupancy;
pub(crate) mod retry;
pub(crate) mod search;
mod tile_order;
pub(crate) mod tma_stores;
pub(crate) mod uneven_work;
mod warpgroups;
pub(crate) mod warps;

#[cfg(test)]
mod tests;

pub use explain::Explanation;
pub use lowering::LoweringSchedule;
pub use masks::MaskSchedule;
pub use model::Figures;
pub use occupancy::{Limit, Occupancy};
pub use tma_stores::{TmaStorePlan, TmaStoreWrite};
pub use warpgroups::{WarpgroupRegisters, warpgroup_registers};

use crate::gpu::{Clusters, Kernel, OpId, RasterOrder};
use crate::options::{HostMaps, KernelOptions, Persistence};
use crate::target::{Arch, Feature};

/// The target of a schedule: the architecture, and the abilities of the program that launches.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The architecture.
    pub arch: Arch,
    /// The tensor maps that the launch passes.
    pub maps: HostMaps,
    /// The blocks that the launch starts for a persistent kernel.
    pub persistence: Persistence,
}

impl Target {
    /// Returns the target of a compilation.
    pub fn new(arch: Arch, options: KernelOptions) -> Self {
        Self {
            arch,
            maps: options.maps,
            persistence: options.persistence,
        }
    }

    /// Returns the copies that fill circular buffers.
    pub(crate) fn copies(self) -> CopyMethods {
        let has_tma = self.arch.has(Feature::Tma);
        CopyMethods {
            tma: has_tma && self.maps == HostMaps::Encoded,
            bulk: has_tma,
        }
    }
}

/// The schedule of a kernel: the decisions that shape it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The decisions that lowering has applied.
    pub lowering: LoweringSchedule,
    /// The rewrites of masks.
    pub masks: MaskSchedule,
    /// The order in which blocks take work tiles.
    pub raster_order: RasterOrder,
    /// `true` if each block loops over work tiles.
    pub is_persistent: bool,
    /// The number of blocks that a multiprocessor must be able to hold at the same time.
    pub blocks_per_multiprocessor: u32,
    /// The clusters in which a launch starts blocks, which multicast tiles to each other.
    pub clusters: Clusters,
    /// The loops whose tiles a producer warp loads.
    pub specialized: Vec<LoopSchedule>,
    /// `true` if specialized loops that match are rotated.
    pub rotates: bool,
    /// `true` if two warpgroups of a rotated loop take turns at issuing MMAs, where that pays.
    pub ping_pong: bool,
    /// The parts in which the tiles of a persistent kernel are stored.
    pub epilogue: Epilogue,
    /// The loops whose own warps prefetch tiles.
    pub pipelined: Vec<LoopSchedule>,
}

impl Schedule {
    /// Returns the schedule that leaves a kernel as it was lowered.
    pub fn unchanged(kernel: &Kernel, lowering: LoweringSchedule) -> Self {
        Self {
            lowering,
            masks: MaskSchedule::default(),
            raster_order: kernel.launch.raster_order,
            is_persistent: kernel.launch.is_persistent,
            blocks_per_multiprocessor: kernel.launch.blocks_per_multiprocessor,
            clusters: kernel.launch.clusters,
            specialized: Vec::new(),
            rotates: false,
            ping_pong: false,
            epilogue: Epilogue::Whole,
            pipelined: Vec::new(),
        }
    }
}

/// The schedule of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopSchedule {
    /// The loop.
    pub id: OpId,
    /// Number of stages of each circular buffer.
    pub stages: u32,
    /// Number of MMAs that stay in flight across the back edge.
    pub in_flight_mmas: u32,
    /// `true` if tiles that are needed in registers get circular buffers of their own.
    pub has_own_buffers: bool,
    /// The copies that fill the buffers.
    pub copies: CopyMethods,
}

/// The copies that may fill circular buffers, besides the `cp.async` of every thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyMethods {
    /// One thread issues TMA loads where the host knows the tensor.
    pub tma: bool,
    /// One warp issues bulk copies where tiles have few rows, or more boxes than rows.
    pub bulk: bool,
}

impl CopyMethods {
    /// Only TMA loads.
    pub(crate) const TMA: Self = Self {
        tma: true,
        bulk: false,
    };
}

/// The parts in which a persistent kernel stores its tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Epilogue {
    /// Whole tiles.
    #[default]
    Whole,
    /// Subtiles, whose buffers take half of the bytes.
    Halves,
    /// Subtiles, whose buffers take a quarter of the bytes, or half where a quarter is not possible.
    Quarters,
}

/// The reason why a kernel cannot have a schedule, or should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A reason in words.
    Because(&'static str),
    /// In this loop, an MMA that stays in flight would read stages that copies overwrite.
    OverwritesOperands(OpId),
}
