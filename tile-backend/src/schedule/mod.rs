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

pub use occupancy::{Limit, Occupancy};
pub use warpgroups::{WarpgroupRegisters, warpgroup_registers};
