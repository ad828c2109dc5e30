//! What a GPU runs at once of a loaded function.
//!
//! In: a function of a context that is current, which may use the shared memory of its architecture's code. Out: an
//! [`Occupancy`]. The driver is asked for what the launches of this function depend on alone:
//!
//! - how many clusters of its size fit at the same time. On a slice of a GPU (MIG, MPS), or where the clusters
//!   have much shared memory, it may be none, and a launch of one would be refused. Multiprocessors of a
//!   cluster are of one GPC, so that pairs do not use all of a GPC with an odd number of them.
//! - how many of its blocks fit a multiprocessor, if blocks take positions in turn.

use std::ffi::c_int;

use cudarc::driver::sys;

use super::check;
use super::module::cluster_attribute;
use crate::Result;
use crate::launch_grid::{Occupancy, is_persistent, largest_cluster};
use crate::private::{ArchImage, VariantImage};

pub(super) fn occupancy(
    function: sys::CUfunction,
    variant: &VariantImage,
    arch: &ArchImage,
    multiprocessors: u32,
) -> Result<Occupancy> {
    let mut occupancy = Occupancy::unlimited(multiprocessors);
    if is_persistent(variant, arch) {
        occupancy.blocks = blocks(function, arch)?;
    }
    let cluster = largest_cluster(variant, arch);
    if cluster > 1 {
        occupancy.clusters = clusters(function, arch, cluster)?;
    }
    Ok(occupancy)
}

/// Blocks of a multiprocessor.
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
    // None is what a launch is refused for.
    Ok(u32::try_from(count).unwrap_or(0).max(1))
}

/// Clusters of so many blocks on the whole device.
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
    // SAFETY: writes one int, and reads the configuration and its attribute during the call; `function` is loaded
    // in the current context. The function is there since CUDA 11.8.
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
