//! Memory in stream order, and its pools.

use std::ffi::{c_uint, c_void};

use std::sync::Arc;

use crate::abi::{
    CUDA_MEM_ALLOC_NODE_PARAMS, CUdevice, CUdeviceptr, CUmemAccessDesc, CUmemLocation,
    CUmemPoolProps, CUmemoryPool, CUstream, In, Out,
};
use crate::because;
use crate::graph;
use crate::memory::{Allocation, Kind, Request};
use crate::pool::Pool;
use crate::queue::Start;
use crate::result::CUresult;
use crate::state::{self, Reply, State};
use crate::work::Work;

/// `CU_MEM_LOCATION_TYPE_DEVICE`.
const DEVICE: c_uint = 1;
/// `CUmemPool_attribute`: those that a program sets.
const SETTABLE: std::ops::RangeInclusive<c_uint> = 1..=4;
const RELEASE_THRESHOLD: c_uint = 4;
const RESERVED: (c_uint, c_uint) = (5, 6);
const USED: (c_uint, c_uint) = (7, 8);

impl State {
    fn add_pool(&mut self, device: usize, is_default: bool, max: u64) -> CUmemoryPool {
        let attributes = [(1, 1), (2, 1), (3, 1), (RELEASE_THRESHOLD, 0)];
        self.pools.add(Pool {
            device,
            is_default,
            attributes: attributes.into(),
            max,
            ..Pool::default()
        })
    }

    pub(super) fn default_pool(&mut self, device: usize) -> CUmemoryPool {
        if let Some(pool) = self.devices[device].default_pool {
            return pool;
        }
        let pool = self.add_pool(device, true, 0);
        self.devices[device].default_pool = Some(pool);
        pool
    }

    fn current_pool(&mut self, device: usize) -> CUmemoryPool {
        match self.devices[device].pool {
            Some(pool) => pool,
            None => self.default_pool(device),
        }
    }

    /// Subtracts an allocation from the use of its pool.
    pub(super) fn left_pool(&mut self, allocation: &Allocation) {
        if let Kind::Pool(pool) = allocation.kind
            && let Ok(pool) = self.pools.get_mut(pool)
        {
            pool.used = pool.used.saturating_sub(allocation.bytes as u64);
        }
    }
}

fn allocate(
    address: Out<CUdeviceptr>,
    bytes: usize,
    pool: Option<CUmemoryPool>,
    stream: CUstream,
) -> Reply {
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    if bytes == 0 || address.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let context = state.streams.get(stream)?.context;
    let device = state.contexts.get(context)?.device;
    let handle = match pool {
        Some(pool) => pool,
        None => state.current_pool(device),
    };
    let pool = state.pools.get(handle)?;
    let request = Request {
        kind: Kind::Pool(handle),
        context,
        device: pool.device,
        bytes,
    };
    if pool.max != 0 && pool.used + bytes as u64 > pool.max {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let capacity = state.capacity(request.device);
    let allocation = state.memory.allocate(request, capacity)?;
    let pool = state.pools.get_mut(handle)?;
    pool.used += bytes as u64;
    pool.high = pool.high.max(pool.used);
    let start = allocation.base();
    let name = format!("the allocation of {bytes} bytes");
    let node = {
        let allocation = Arc::clone(&allocation);
        let params = CUDA_MEM_ALLOC_NODE_PARAMS {
            poolProps: CUmemPoolProps {
                allocType: 1,
                handleTypes: 0,
                location: CUmemLocation {
                    r#type: DEVICE,
                    id: i32::try_from(request.device).unwrap_or(0),
                },
                win32SecurityAttributes: std::ptr::null_mut(),
                maxSize: 0,
                usage: 0,
                reserved: [0; 54],
            },
            accessDescs: std::ptr::null(),
            accessDescCount: 0,
            bytesize: bytes,
            dptr: start,
        };
        move || graph::Kind::Allocate(Box::new(params), Arc::new(graph::GraphMemory(allocation)))
    };
    state.enqueue(
        stream,
        &name,
        Work::Allocate(allocation),
        Start::AfterPrevious,
        node,
    )?;
    address.set(start)
}

/// Returns the pool of a location, which must be a device.
fn pool_of(state: &mut State, location: In<CUmemLocation>) -> Reply<usize> {
    let location = location.get()?;
    if location.r#type != DEVICE {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    state.device(location.id)
}

fn check_type(kind: c_uint) -> Reply {
    // CU_MEM_ALLOCATION_TYPE_PINNED
    if kind != 1 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

api! {
    fn cuMemAllocAsync @ptsz(address: Out<CUdeviceptr>, bytes: usize, stream: CUstream) {
        allocate(address, bytes, None, stream)
    }

    fn cuMemAllocFromPoolAsync @ptsz(address: Out<CUdeviceptr>, bytes: usize, pool: CUmemoryPool, stream: CUstream) {
        allocate(address, bytes, Some(pool), stream)
    }

    fn cuMemFreeAsync @ptsz(address: CUdeviceptr, stream: CUstream) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        if address == 0 {
            return Ok(());
        }
        let found = state.memory.begins(address);
        let found = found.filter(|allocation| matches!(allocation.kind, Kind::Pool(_) | Kind::Device));
        let allocation = found.cloned().ok_or_else(|| {
            because(CUresult::CUDA_ERROR_INVALID_VALUE, state.memory.is_no_base(address))
        })?;
        if state.is_of_graph(address) {
            state.graph_memory.remove(&address);
            // It is freed with the graph. Until then, what uses it still has to be ordered before.
            let node = || graph::Kind::Free(address, None);
            state.enqueue(stream, "`cuMemFreeAsync`", Work::Allocate(allocation), Start::AfterPrevious, node)?;
            return Ok(());
        }
        if state.is_capturing(stream) {
            let node = graph::Kind::Free(address, Some(allocation));
            state.add_captured(stream, node)?;
            return Ok(());
        }
        if !state.will_free(address) {
            let reason = format!("{address:#x} is memory that an earlier operation frees");
            return Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason));
        }
        state.left_pool(&allocation);
        let node = || graph::Kind::Free(address, None);
        state.enqueue(stream, "`cuMemFreeAsync`", Work::Free(allocation), Start::AfterPrevious, node)?;
        Ok(())
    }

    fn cuDeviceGetDefaultMemPool(pool: Out<CUmemoryPool>, device: CUdevice) {
        let mut state = state::initialized()?;
        let device = state.device(device)?;
        pool.set(state.default_pool(device))
    }

    fn cuDeviceGetMemPool(pool: Out<CUmemoryPool>, device: CUdevice) {
        let mut state = state::initialized()?;
        let device = state.device(device)?;
        pool.set(state.current_pool(device))
    }

    fn cuDeviceSetMemPool(device: CUdevice, pool: CUmemoryPool) {
        let mut state = state::initialized()?;
        let device = state.device(device)?;
        if state.pools.get(pool)?.device != device {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.devices[device].pool = Some(pool);
        Ok(())
    }

    fn cuMemPoolCreate(pool: Out<CUmemoryPool>, properties: In<CUmemPoolProps>) {
        let mut state = state::initialized()?;
        let properties = properties.get()?;
        if pool.is_null() || properties.allocType != 1 || properties.handleTypes != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        if properties.location.r#type != DEVICE {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let device = state.device(properties.location.id)?;
        pool.set(state.add_pool(device, false, properties.maxSize as u64))
    }

    fn cuMemPoolDestroy(pool: CUmemoryPool) {
        let mut state = state::initialized()?;
        if state.pools.get(pool)?.is_default {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.pools.remove(pool)?;
        for device in &mut state.devices {
            if device.pool == Some(pool) {
                device.pool = None;
            }
        }
        Ok(())
    }

    fn cuMemPoolTrimTo(pool: CUmemoryPool, _bytes: usize) {
        let state = state::initialized()?;
        state.pools.get(pool).map(drop)
    }

    fn cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: c_uint, value: Out<c_void>) {
        let mut state = state::initialized()?;
        let pool = state.pools.get_mut(pool)?;
        match attribute {
            RELEASE_THRESHOLD => {
                let value = value.cast::<u64>().get()?;
                pool.attributes.insert(attribute, value);
            }
            _ if SETTABLE.contains(&attribute) => {
                let value = value.cast::<u32>().get()?;
                pool.attributes.insert(attribute, value.into());
            }
            // High marks can be reset only.
            _ if attribute == RESERVED.1 || attribute == USED.1 => {
                if value.cast::<u64>().get()? != 0 {
                    return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
                }
                pool.high = pool.used;
            }
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
        Ok(())
    }

    fn cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: c_uint, value: Out<c_void>) {
        let state = state::initialized()?;
        let pool = state.pools.get(pool)?;
        let number = pool.attributes.get(&attribute).copied().unwrap_or(0);
        if attribute == RELEASE_THRESHOLD {
            value.cast::<u64>().set(number)
        } else if SETTABLE.contains(&attribute) {
            value.cast::<u32>().set(u32::try_from(number).unwrap_or(0))
        } else if attribute == RESERVED.0 || attribute == USED.0 {
            value.cast::<u64>().set(pool.used)
        } else if attribute == RESERVED.1 || attribute == USED.1 {
            value.cast::<u64>().set(pool.high)
        } else {
            Err(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
    }

    fn cuMemPoolSetAccess(pool: CUmemoryPool, descriptions: In<CUmemAccessDesc>, count: usize) {
        let mut state = state::initialized()?;
        let own = state.pools.get(pool)?.device;
        for description in descriptions.list(count)? {
            let device = state.device(description.location.id)?;
            if description.location.r#type != DEVICE || !matches!(description.flags, 0 | 1 | 3) {
                return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            if device == own && description.flags != 3 {
                return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            let access = &mut state.pools.get_mut(pool)?.access;
            if description.flags == 0 {
                access.remove(&device);
            } else {
                access.insert(device, description.flags);
            }
        }
        Ok(())
    }

    fn cuMemPoolGetAccess(flags: Out<c_uint>, pool: CUmemoryPool, location: Out<CUmemLocation>) {
        let state = state::initialized()?;
        let pool = state.pools.get(pool)?;
        let location = location.get()?;
        if location.r#type != DEVICE {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let device = state.device(location.id)?;
        let access = if device == pool.device { 3 } else { pool.access.get(&device).copied().unwrap_or(0) };
        flags.set(access)
    }

    fn cuMemGetDefaultMemPool(pool: Out<CUmemoryPool>, location: Out<CUmemLocation>, kind: c_uint) {
        let mut state = state::initialized()?;
        check_type(kind)?;
        let device = pool_of(&mut state, location.as_in())?;
        pool.set(state.default_pool(device))
    }

    fn cuMemGetMemPool(pool: Out<CUmemoryPool>, location: Out<CUmemLocation>, kind: c_uint) {
        let mut state = state::initialized()?;
        check_type(kind)?;
        let device = pool_of(&mut state, location.as_in())?;
        pool.set(state.current_pool(device))
    }

    fn cuMemSetMemPool(location: Out<CUmemLocation>, kind: c_uint, pool: CUmemoryPool) {
        let mut state = state::initialized()?;
        check_type(kind)?;
        let device = pool_of(&mut state, location.as_in())?;
        if state.pools.get(pool)?.device != device {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.devices[device].pool = Some(pool);
        Ok(())
    }
}
