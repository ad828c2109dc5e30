//! Occupancy: the part of a device that a kernel can use at the same time.

use std::ffi::{c_int, c_uint};

use crate::abi::{CUfunction, CUlaunchConfig, CUoccupancyB2DSize, In, Out};
use crate::api::launch::{Attributes, cluster, size_of_launch};
use crate::device::RESERVED_SHARED;
use crate::result::CUresult;
use crate::state::{self, Reply, State};

impl State {
    /// Returns the number of blocks that a multiprocessor holds.
    fn blocks(&self, function: CUfunction, threads: c_int, dynamic: usize) -> Reply<c_int> {
        let function = self.functions.get(function)?;
        let device = self.working(function.context)?.device;
        let model = self.devices[device].model;
        if threads <= 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let code = &function.code;
        let shared = c_int::try_from(dynamic).ok();
        let shared = shared.and_then(|shared| shared.checked_add(code.static_shared()));
        match shared {
            Some(shared) if threads <= code.max_threads() && shared <= model.shared_of_block => {
                Ok(model.blocks(threads, code.registers(), shared))
            }
            _ => Ok(0),
        }
    }
}

fn blocks(
    count: Out<c_int>,
    function: CUfunction,
    threads: c_int,
    dynamic: usize,
    flags: c_uint,
) -> Reply {
    let state = state::initialized()?;
    state.current()?;
    if flags > 1 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    count.set(state.blocks(function, threads, dynamic)?)
}

/// Returns the block size with the most threads on a multiprocessor, and the blocks of a grid that fills the device.
fn best(
    grid: Out<c_int>,
    block: Out<c_int>,
    function: CUfunction,
    dynamic_of: CUoccupancyB2DSize,
    dynamic: usize,
    limit: c_int,
    flags: c_uint,
) -> Reply {
    let state = state::initialized()?;
    state.current()?;
    if flags > 1 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let found = state.functions.get(function)?;
    let device = state.working(found.context)?.device;
    let multiprocessors = state.devices[device].model.multiprocessors;
    let max = found.code.max_threads();
    let max = if limit > 0 { limit.min(max) } else { max };
    let mut chosen = (0, 0, 0);
    let mut threads = (max + 31) / 32 * 32;
    while threads > 0 {
        let size = threads.min(max);
        let shared = match dynamic_of {
            // SAFETY: the caller gave the function, to be called with block sizes.
            Some(dynamic_of) => unsafe { dynamic_of(size) },
            None => dynamic,
        };
        let blocks = state.blocks(function, size, shared)?;
        if blocks * size > chosen.0 {
            chosen = (blocks * size, size, blocks);
        }
        threads -= 32;
    }
    let (_, size, blocks) = chosen;
    block.set(size)?;
    grid.set(blocks * multiprocessors)
}

api! {
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(count: Out<c_int>, function: CUfunction, threads: c_int, dynamic: usize) {
        blocks(count, function, threads, dynamic, 0)
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count: Out<c_int>, function: CUfunction, threads: c_int, dynamic: usize, flags: c_uint) {
        blocks(count, function, threads, dynamic, flags)
    }

    fn cuOccupancyMaxPotentialBlockSize(grid: Out<c_int>, block: Out<c_int>, function: CUfunction, dynamic_of: CUoccupancyB2DSize, dynamic: usize, limit: c_int) {
        best(grid, block, function, dynamic_of, dynamic, limit, 0)
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(grid: Out<c_int>, block: Out<c_int>, function: CUfunction, dynamic_of: CUoccupancyB2DSize, dynamic: usize, limit: c_int, flags: c_uint) {
        best(grid, block, function, dynamic_of, dynamic, limit, flags)
    }

    fn cuOccupancyAvailableDynamicSMemPerBlock(bytes: Out<usize>, function: CUfunction, count: c_int, threads: c_int) {
        let state = state::initialized()?;
        state.current()?;
        let found = state.functions.get(function)?;
        let device = state.working(found.context)?.device;
        let model = state.devices[device].model;
        if count <= 0 || threads <= 0 || state.blocks(function, threads, 0)? < count {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let of_block = (model.shared_of_multiprocessor / count - RESERVED_SHARED).min(model.shared_of_block);
        let left = (of_block - found.code.static_shared()).max(0);
        bytes.set(usize::try_from(left).unwrap_or(0))
    }

    fn cuOccupancyMaxPotentialClusterSize(size: Out<c_int>, function: CUfunction, config: In<CUlaunchConfig>) {
        let state = state::initialized()?;
        state.current()?;
        let config = config.get()?;
        let found = state.functions.get(function)?;
        let device = state.working(found.context)?.device;
        let model = state.devices[device].model;
        let threads = config.blockDimX.saturating_mul(config.blockDimY).saturating_mul(config.blockDimZ);
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        let of_one = state.blocks(function, threads, config.sharedMemBytes as usize)?;
        let most = if found.non_portable_cluster { 16 } else { 8 };
        let most = most.min(model.multiprocessors_of_cluster);
        if most == 0 {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let fits = |&blocks: &c_int| model.clusters(blocks, of_one) > 0;
        let found = [16, 8, 4, 2, 1].into_iter().filter(|&blocks| blocks <= most).find(fits);
        size.set(found.unwrap_or(0))
    }

    fn cuOccupancyMaxActiveClusters(count: Out<c_int>, function: CUfunction, config: In<CUlaunchConfig>) {
        let state = state::initialized()?;
        state.current()?;
        let config = config.get()?;
        let attributes = Attributes::read(&config)?;
        let found = state.functions.get(function)?;
        let device = state.working(found.context)?.device;
        let model = state.devices[device].model;
        let cluster = cluster(found, model, attributes.cluster)?.unwrap_or([1; 3]);
        let size = size_of_launch(&config);
        if (0..3).any(|axis| !size.grid[axis].is_multiple_of(cluster[axis])) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let threads = size.block.iter().copied().fold(1, c_uint::saturating_mul);
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        let of_one = state.blocks(function, threads, size.shared as usize)?;
        let blocks = c_int::try_from(cluster.iter().product::<c_uint>()).unwrap_or(c_int::MAX);
        if model.multiprocessors_of_cluster == 0 {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        count.set(model.clusters(blocks, of_one))
    }
}
