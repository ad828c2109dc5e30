//! Allocations of devices and of the host, and what is known about an address.

use std::ffi::{c_int, c_uint, c_void};

use crate::abi::{
    CUcontext, CUdevice, CUdeviceptr, CUmemLocation, CUmemoryPool, CUstream, In, Out,
};
use crate::because;
use crate::memory::{Allocation, Kind, Request};
use crate::result::CUresult;
use crate::state::{self, Reply, State};

/// `CUmemorytype` of the host and of devices.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
/// The flags of `cuMemHostAlloc` and `cuMemHostRegister`.
const PORTABLE: c_uint = 1;
const DEVICE_MAP: c_uint = 2;
const HOST_ALLOC_FLAGS: c_uint = PORTABLE | DEVICE_MAP | 4;
const REGISTER_FLAGS: c_uint = PORTABLE | DEVICE_MAP | 4 | 8;

impl State {
    /// Describes an allocation of the current context.
    pub(super) fn request(&self, kind: Kind, bytes: usize) -> Reply<Request> {
        let context = self.current()?;
        if bytes == 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(Request {
            kind,
            context,
            device: self.contexts.get(context)?.device,
            bytes,
        })
    }

    pub(super) fn capacity(&self, device: usize) -> u64 {
        self.devices[device].model.memory
    }

    fn allocate(&mut self, bytes: usize) -> Reply<u64> {
        let request = self.request(Kind::Device, bytes)?;
        self.capture_forbids(None)?;
        let capacity = self.capacity(request.device);
        Ok(self.memory.allocate(request, capacity)?.base())
    }
}

/// Frees an allocation that begins at an address, after the work that may use it.
fn free(address: u64, name: &'static str, is_kind: impl Fn(Kind) -> bool) -> Reply {
    let mut state = state::initialized()?;
    let context = state.current()?;
    state.capture_forbids(None)?;
    let found = state
        .memory
        .begins(address)
        .filter(|allocation| is_kind(allocation.kind));
    let found = found.cloned();
    let allocation = found.ok_or_else(|| {
        let reason = state.memory.is_no_base(address);
        because(CUresult::CUDA_ERROR_INVALID_VALUE, reason)
    })?;
    if !matches!(allocation.kind, Kind::Pool(_)) {
        // The call waits for the device, unless the memory is of a pool.
        state = super::context::finish(state, allocation.context);
        state.working(context)?;
    }
    let point = state.host_free(allocation.context, format!("`{name}` by the host"));
    state.free_at(&point, &allocation);
    state.graph_memory.remove(&address);
    state.left_pool(&allocation);
    state.working(context).map(drop)
}

fn host_allocate(pointer: Out<*mut c_void>, bytes: usize, flags: c_uint) -> Reply {
    let mut state = state::initialized()?;
    if flags & !HOST_ALLOC_FLAGS != 0 || pointer.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let request = state.request(Kind::Pinned(flags), bytes)?;
    let address = state.memory.map(request)?.base();
    pointer.set(pointer_of(address))
}

pub(super) fn pointer_of(address: u64) -> *mut c_void {
    // The address was exposed when it was mapped.
    std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap_or(0))
}

fn attribute(
    state: &State,
    attribute: c_uint,
    allocation: &Allocation,
    address: u64,
) -> Reply<Value> {
    let is_host = allocation.is_host();
    let is_managed = allocation.kind == Kind::Managed;
    Ok(match attribute {
        // CONTEXT
        1 => Value::Handle(allocation.context),
        // MEMORY_TYPE
        2 => Value::Number(if is_host { HOST } else { DEVICE }),
        // DEVICE_POINTER
        3 => Value::Address(address),
        // HOST_POINTER
        4 if is_host || is_managed => Value::Address(address),
        // SYNC_MEMOPS
        6 => Value::Flag(false),
        // BUFFER_ID
        7 => Value::Address(allocation.id),
        // IS_MANAGED
        8 => Value::Flag(is_managed),
        // DEVICE_ORDINAL
        9 => Value::Number(c_uint::try_from(allocation.device).unwrap_or(0)),
        // IS_LEGACY_CUDA_IPC_CAPABLE
        10 => Value::Flag(false),
        // RANGE_START_ADDR
        11 => Value::Address(allocation.base()),
        // RANGE_SIZE
        12 => Value::Address(allocation.bytes as u64),
        // MAPPED
        13 => Value::Flag(true),
        // ALLOWED_HANDLE_TYPES
        14 => Value::Address(0),
        // IS_GPU_DIRECT_RDMA_CAPABLE
        15 => Value::Flag(false),
        // ACCESS_FLAGS: READWRITE
        16 => Value::Number(3),
        // MEMPOOL_HANDLE
        17 => {
            let pool = match allocation.kind {
                Kind::Pool(pool) if state.pools.get(pool).is_ok() => pool,
                _ => CUmemoryPool::NULL,
            };
            Value::Address(pool.0 as u64)
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

/// The value of an attribute, with its size.
#[derive(Clone, Copy, Debug)]
enum Value {
    Handle(CUcontext),
    Number(c_uint),
    Address(u64),
    Flag(bool),
}

impl Value {
    fn write(self, to: Out<c_void>) -> Reply {
        match self {
            Self::Handle(context) => to.cast().set(context),
            Self::Number(number) => to.cast().set(number),
            Self::Address(address) => to.cast().set(address),
            Self::Flag(flag) => to.cast().set(flag),
        }
    }
}

/// Checks that a range is managed memory.
fn managed(state: &State, address: u64, bytes: usize) -> Reply {
    let found = state.memory.range(address, bytes as u64);
    let is_managed = found.is_some_and(|allocation| allocation.kind == Kind::Managed);
    if bytes == 0 || !is_managed {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

pub(super) fn advise(address: CUdeviceptr, bytes: usize, advice: c_uint) -> Reply {
    let state = state::initialized()?;
    if !(1..=6).contains(&advice) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    managed(&state, address, bytes)
}

/// Checks a prefetch. It has no effect: memory is not moved.
pub(super) fn prefetch(
    address: CUdeviceptr,
    bytes: usize,
    device: Option<CUdevice>,
    stream: CUstream,
) -> Reply {
    let mut state = state::initialized()?;
    state.stream(stream)?;
    if let Some(device) = device {
        state.device(device)?;
    }
    managed(&state, address, bytes)
}

api! {
    fn cuMemGetInfo_v2[3020](free: Out<usize>, total: Out<usize>) {
        let state = state::initialized()?;
        let context = state.current()?;
        let device = state.contexts.get(context)?.device;
        let capacity = state.capacity(device);
        let left = capacity.saturating_sub(state.memory.used(device));
        free.set(usize::try_from(left).unwrap_or(usize::MAX))?;
        total.set(usize::try_from(capacity).unwrap_or(usize::MAX))
    }

    fn cuMemAlloc_v2[3020](address: Out<CUdeviceptr>, bytes: usize) {
        let mut state = state::initialized()?;
        if address.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        address.set(state.allocate(bytes)?)
    }

    fn cuMemAllocPitch_v2[3020](address: Out<CUdeviceptr>, pitch: Out<usize>, width: usize, height: usize, element: c_uint) {
        let mut state = state::initialized()?;
        if address.is_null() || pitch.is_null() || !matches!(element, 4 | 8 | 16) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let row = width.checked_next_multiple_of(512);
        let bytes = row.and_then(|row| row.checked_mul(height));
        let (Some(row), Some(bytes)) = (row, bytes) else {
            return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        };
        let start = state.allocate(bytes)?;
        pitch.set(row)?;
        address.set(start)
    }

    fn cuMemFree_v2[3020](address: CUdeviceptr) {
        state::not_in_callback()?;
        if address == 0 {
            return state::initialized()?.current().map(drop);
        }
        free(address, "cuMemFree", |kind| matches!(kind, Kind::Device | Kind::Pool(_) | Kind::Managed))
    }

    fn cuMemGetAddressRange_v2[3020](base: Out<CUdeviceptr>, bytes: Out<usize>, address: CUdeviceptr) {
        let state = state::initialized()?;
        state.current()?;
        let allocation = state.memory.at(address).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        base.put(allocation.base());
        bytes.put(allocation.bytes);
        Ok(())
    }

    fn cuMemAllocManaged(address: Out<CUdeviceptr>, bytes: usize, flags: c_uint) {
        let mut state = state::initialized()?;
        if !matches!(flags, 1 | 2) || address.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let request = state.request(Kind::Managed, bytes)?;
        let start = state.memory.map(request)?.base();
        address.set(start)
    }

    fn cuMemAllocHost_v2[3020](pointer: Out<*mut c_void>, bytes: usize) {
        host_allocate(pointer, bytes, 0)
    }

    fn cuMemHostAlloc(pointer: Out<*mut c_void>, bytes: usize, flags: c_uint) {
        host_allocate(pointer, bytes, flags)
    }

    fn cuMemFreeHost(pointer: Out<c_void>) {
        if pointer.is_null() {
            return state::initialized()?.current().map(drop);
        }
        free(pointer.address() as u64, "cuMemFreeHost", |kind| matches!(kind, Kind::Pinned(_)))
    }

    fn cuMemHostGetDevicePointer_v2[3020](address: Out<CUdeviceptr>, pointer: Out<c_void>, flags: c_uint) {
        let state = state::initialized()?;
        state.current()?;
        let found = state.memory.at(pointer.address() as u64);
        let found = found.filter(|allocation| allocation.is_host());
        if flags != 0 || found.is_none() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        address.set(pointer.address() as u64)
    }

    fn cuMemHostGetFlags(flags: Out<c_uint>, pointer: Out<c_void>) {
        let state = state::initialized()?;
        state.current()?;
        let found = state.memory.at(pointer.address() as u64);
        match found.map(|allocation| allocation.kind) {
            // With unified addressing, all of it is mapped.
            Some(Kind::Pinned(own)) => flags.set(own | DEVICE_MAP),
            _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    }

    fn cuMemHostRegister_v2[6050](pointer: Out<c_void>, bytes: usize, flags: c_uint) {
        let mut state = state::initialized()?;
        if pointer.is_null() || flags & !REGISTER_FLAGS != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let request = state.request(Kind::Registered(flags), bytes)?;
        let start = pointer.raw().expose_provenance();
        state.memory.register(request, start).map(drop)
    }

    fn cuMemHostUnregister(pointer: Out<c_void>) {
        if pointer.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let aligned = pointer.address() as u64 & !3;
        let is_registered = |kind| matches!(kind, Kind::Registered(_));
        match free(aligned, "cuMemHostUnregister", is_registered) {
            Err(CUresult::CUDA_ERROR_INVALID_VALUE) => Err(CUresult::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
            result => result,
        }
    }

    fn cuPointerGetAttribute(data: Out<c_void>, number: c_uint, address: CUdeviceptr) {
        let state = state::initialized()?;
        let allocation = state.memory.at(address).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        attribute(&state, number, allocation, address)?.write(data)
    }

    fn cuPointerGetAttributes(count: c_uint, attributes: Out<c_uint>, data: Out<*mut c_void>, address: CUdeviceptr) {
        let state = state::initialized()?;
        let numbers = attributes.as_in().list(count as usize)?;
        let places = data.as_in().cast::<Out<c_void>>();
        for (index, &number) in numbers.iter().enumerate() {
            let place = places.at(index)?;
            match state.memory.at(address) {
                Some(allocation) => match attribute(&state, number, allocation, address) {
                    Ok(value) => value.write(place)?,
                    Err(_) if (1..=17).contains(&number) => Value::Address(0).write(place)?,
                    Err(error) => return Err(error),
                },
                // An address that the driver does not know is no error here.
                None => match number {
                    1 | 3 | 4 | 7 | 11 | 12 | 14 | 17 => Value::Address(0).write(place)?,
                    2 | 16 => Value::Number(0).write(place)?,
                    9 => place.cast::<c_int>().set(-2)?,
                    _ => Value::Flag(false).write(place)?,
                },
            }
        }
        Ok(())
    }

    fn cuPointerSetAttribute(value: In<c_void>, attribute: c_uint, address: CUdeviceptr) {
        let state = state::initialized()?;
        state.memory.at(address).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        // SYNC_MEMOPS, which every copy here satisfies.
        if attribute != 6 || value.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }

    fn cuMemAdvise_v2[12_020](address: CUdeviceptr, bytes: usize, advice: c_uint, _location: CUmemLocation) {
        advise(address, bytes, advice)
    }

    fn cuMemPrefetchAsync_v2[12_020] @ptsz(address: CUdeviceptr, bytes: usize, location: CUmemLocation, flags: c_uint, stream: CUstream) {
        if flags != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        prefetch(address, bytes, (location.r#type == 1).then_some(location.id), stream)
    }
}
