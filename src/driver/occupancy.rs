//! Queries the driver for the number of blocks and clusters that run concurrently.
//!
//! The input is a function that is loaded in the current context and may use the shared memory that
//! its architecture's code requires. The result is an [`Occupancy`]. Only the values that launches
//! of this function depend on are queried:
//!
//! - the number of clusters that run concurrently, for a function with clusters. On a slice of a
//!   GPU (MIG, MPS), or for clusters with much shared memory, this number can be 0, and a launch
//!   would fail. The multiprocessors of a cluster belong to one GPC, so clusters of two cannot fill
//!   a GPC with an odd number of multiprocessors.
//! - the number of blocks per multiprocessor, for a persistent kernel.

use std::ffi::c_int;

use super::sys;

use super::check;
use crate::Result;
use crate::image::ArchImage;
use crate::launch_grid::{Occupancy, largest_cluster};

pub(super) fn occupancy(
    function: sys::CUfunction,
    arch: &ArchImage,
    multiprocessors: u32,
) -> Result<Occupancy> {
    let mut occupancy = Occupancy::unlimited(multiprocessors);
    if arch.persistent_blocks_per_sm.is_some() {
        occupancy.blocks = blocks(function, arch)?;
    }
    let cluster = largest_cluster(arch);
    if cluster > 1 {
        occupancy.clusters = clusters(function, arch, cluster)?;
    }
    Ok(occupancy)
}

/// Returns the number of blocks that a multiprocessor holds, at least 1.
fn blocks(function: sys::CUfunction, arch: &ArchImage) -> Result<u32> {
    let threads = c_int::try_from(arch.threads).unwrap_or(c_int::MAX);
    let mut count = 0;
    // SAFETY: writes one int; `function` is loaded in the current context.
    check("cuOccupancyMaxActiveBlocksPerMultiprocessor", unsafe {
        sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &raw mut count,
            function,
            threads,
            arch.shared_bytes as usize,
        )
    })?;
    // If the driver returns 0, the launch reports the error.
    Ok(u32::try_from(count).unwrap_or(0).max(1))
}

/// Returns the number of clusters of `cluster` blocks that the whole device runs concurrently.
fn clusters(function: sys::CUfunction, arch: &ArchImage, cluster: u32) -> Result<u32> {
    let mut attributes = [cluster_attribute(cluster)];
    let config = sys::CUlaunchConfig {
        gridDimX: cluster,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: arch.threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: arch.shared_bytes,
        hStream: std::ptr::null_mut(),
        attrs: attributes.as_mut_ptr(),
        numAttrs: 1,
    };
    let mut count = 0;
    // SAFETY: writes one int, and reads the configuration and its attribute during the call;
    // `function` is loaded in the current context. The driver exports this function since CUDA
    // 11.8.
    let result =
        unsafe { sys::cuOccupancyMaxActiveClusters(&raw mut count, function, &raw const config) };
    match result {
        sys::CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE
        | sys::CUresult::CUDA_ERROR_NOT_SUPPORTED => Ok(0),
        result => {
            check("cuOccupancyMaxActiveClusters", result)?;
            Ok(u32::try_from(count).unwrap_or(0))
        }
    }
}

/// Returns the launch attribute for clusters of `cluster` blocks along the first axis.
pub(super) fn cluster_attribute(cluster: u32) -> sys::CUlaunchAttribute {
    // SAFETY: the attribute consists of numbers and bytes, for which zeros are valid.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = cluster;
    attribute.value.clusterDim.y = 1;
    attribute.value.clusterDim.z = 1;
    attribute
}
