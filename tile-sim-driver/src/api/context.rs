//! Contexts, primary contexts, peers.

use std::ffi::{c_int, c_uint};

use crate::abi::{CUcontext, CUctxCreateParams, CUdevice, In, Out};
use crate::result::CUresult;
use crate::state::{self, Locked, Reply};

/// The flags that a context may have: scheduling, `MAP_HOST`, `LMEM_RESIZE_TO_MAX`, dumps, `SYNC_MEMOPS`.
const FLAGS: c_uint = 0xff;

fn create(flags: c_uint, device: CUdevice) -> Reply<CUcontext> {
    let mut state = state::initialized()?;
    if flags & !FLAGS != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = state.device(device)?;
    let context = state.add_context(device, false, flags);
    drop(state);
    state::with_contexts(|contexts| contexts.push(context));
    Ok(context)
}

pub(super) fn create_into(context: Out<CUcontext>, flags: c_uint, device: CUdevice) -> Reply {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    context.set(create(flags, device)?)
}

/// Waits for all work of a context.
pub(super) fn finish(mut state: Locked, context: CUcontext) -> Locked {
    for op in state.last_ops(context) {
        state = state.wait_for(&op);
    }
    state
}

fn release(device: CUdevice) -> Reply {
    let mut state = state::initialized()?;
    let device = state.device(device)?;
    if state.devices[device].retained == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    state.devices[device].retained -= 1;
    if state.devices[device].retained == 0 {
        reset(state, device, false)?;
    }
    Ok(())
}

/// Destroys what belongs to the primary context of a device, and makes it work again.
fn reset(state: Locked, device: usize, stays_active: bool) -> Reply {
    let Some(handle) = state.devices[device].primary else {
        return Ok(());
    };
    let mut state = finish(state, handle);
    state.clear_context(handle);
    let legacy = state.add_stream(handle, crate::queue::Kind::Legacy, 0, 0);
    let context = state.contexts.get_mut(handle)?;
    context.error = None;
    context.is_active = stays_active;
    context.legacy = legacy;
    context.of_threads.clear();
    context.peers.clear();
    context.limits.clear();
    Ok(())
}

fn set_primary_flags(device: CUdevice, flags: c_uint) -> Reply {
    let mut state = state::initialized()?;
    let device = state.device(device)?;
    if flags & !FLAGS != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    state.devices[device].flags = flags;
    if let Some(primary) = state.devices[device].primary {
        state.contexts.get_mut(primary)?.flags = flags;
    }
    Ok(())
}

/// The default of `CUlimit` `limit` in bytes or as a number; `None` if there is no such limit.
fn default_limit(limit: c_uint) -> Option<usize> {
    match limit {
        // STACK_SIZE, PRINTF_FIFO_SIZE, MALLOC_HEAP_SIZE
        0 => Some(1024),
        1 | 2 => Some(8 << 20),
        // DEV_RUNTIME_SYNC_DEPTH, DEV_RUNTIME_PENDING_LAUNCH_COUNT
        3 => Some(2),
        4 => Some(2048),
        // MAX_L2_FETCH_GRANULARITY, PERSISTING_L2_CACHE_SIZE
        5 => Some(64),
        6 => Some(0),
        _ => None,
    }
}

fn enable_peer(peer: CUcontext, flags: c_uint) -> Reply {
    let mut state = state::initialized()?;
    let own = state.current()?;
    if flags != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = state.contexts.get(own)?.device;
    if state.contexts.get(peer)?.device == device {
        return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
    }
    if !state.contexts.get_mut(own)?.peers.insert(peer) {
        return Err(CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    }
    Ok(())
}

pub(super) fn destroy(context: CUcontext) -> Reply {
    let state = state::initialized()?;
    if state.contexts.get(context)?.is_primary {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    let mut state = finish(state, context);
    state.clear_context(context);
    state.contexts.remove(context)?;
    drop(state);
    state::with_contexts(|contexts| {
        if contexts.last() == Some(&context) {
            contexts.pop();
        }
    });
    Ok(())
}

/// Waits for all work of a context; the null handle is that of the current one.
fn synchronize(context: CUcontext) -> Reply {
    state::not_in_callback()?;
    let mut state = state::initialized()?;
    let context = match context {
        CUcontext::NULL => state.current()?,
        context => context,
    };
    state.working(context)?;
    state.capture_forbids(None)?;
    let state = finish(state, context);
    state.working(context).map(drop)
}

fn device_of(device: Out<CUdevice>, context: CUcontext) -> Reply {
    let state = state::initialized()?;
    let index = state.contexts.get(context)?.device;
    device.set(c_int::try_from(index).unwrap_or(0))
}

pub(super) fn priorities(least: Out<c_int>, greatest: Out<c_int>) -> Reply {
    let state = state::initialized()?;
    state.current()?;
    least.put(super::stream::PRIORITIES.1);
    greatest.put(super::stream::PRIORITIES.0);
    Ok(())
}

api! {
    fn cuCtxCreate_v4[12_050](context: Out<CUcontext>, _parameters: Out<CUctxCreateParams>, flags: c_uint, device: CUdevice) {
        create_into(context, flags, device)
    }

    fn cuCtxDestroy_v2[4000](context: CUcontext) {
        destroy(context)
    }

    fn cuCtxPushCurrent_v2[4000](context: CUcontext) {
        let state = state::initialized()?;
        state.contexts.get(context)?;
        state::with_contexts(|contexts| contexts.push(context));
        Ok(())
    }

    fn cuCtxPopCurrent_v2[4000](context: Out<CUcontext>) {
        let _state = state::initialized()?;
        let popped = state::with_contexts(Vec::pop).filter(|&popped| popped != CUcontext::NULL);
        context.put(popped.ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?);
        Ok(())
    }

    fn cuCtxSetCurrent(context: CUcontext) {
        let state = state::initialized()?;
        if context != CUcontext::NULL {
            state.contexts.get(context)?;
        }
        state::with_contexts(|contexts| {
            contexts.pop();
            contexts.push(context);
        });
        Ok(())
    }

    fn cuCtxGetCurrent(context: Out<CUcontext>) {
        let _state = state::initialized()?;
        context.set(state::current_handle())
    }

    fn cuCtxGetDevice(device: Out<CUdevice>) {
        device_of(device, state::current_handle())
    }

    fn cuCtxGetDevice_v2[13_000](device: Out<CUdevice>, context: CUcontext) {
        let context = if context == CUcontext::NULL { state::current_handle() } else { context };
        device_of(device, context)
    }

    fn cuCtxGetFlags(flags: Out<c_uint>) {
        let state = state::initialized()?;
        let context = state.current()?;
        flags.set(state.contexts.get(context)?.flags)
    }

    fn cuCtxSetFlags(flags: c_uint) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        if flags & !FLAGS != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.contexts.get_mut(context)?.flags = flags;
        Ok(())
    }

    fn cuCtxGetId(context: CUcontext, id: Out<u64>) {
        let state = state::initialized()?;
        let context = if context == CUcontext::NULL { state.current()? } else { context };
        state.contexts.get(context)?;
        id.set(context.0 as u64)
    }

    fn cuCtxSynchronize() {
        synchronize(CUcontext::NULL)
    }

    fn cuCtxSynchronize_v2[13_000](context: CUcontext) {
        synchronize(context)
    }

    fn cuCtxGetApiVersion(context: CUcontext, version: Out<c_uint>) {
        let state = state::initialized()?;
        let context = if context == CUcontext::NULL { state.current()? } else { context };
        version.set(state.contexts.get(context)?.version)
    }

    fn cuCtxGetCacheConfig(cache: Out<c_uint>) {
        let state = state::initialized()?;
        let context = state.current()?;
        cache.set(state.contexts.get(context)?.cache)
    }

    fn cuCtxSetCacheConfig(cache: c_uint) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        if cache > 3 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.contexts.get_mut(context)?.cache = cache;
        Ok(())
    }

    fn cuCtxGetSharedMemConfig(config: Out<c_uint>) {
        let state = state::initialized()?;
        state.current()?;
        // FOUR_BYTE_BANK_SIZE
        config.set(1)
    }

    fn cuCtxSetSharedMemConfig(config: c_uint) {
        let state = state::initialized()?;
        state.current()?;
        if config > 2 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: c_uint) {
        let state = state::initialized()?;
        let context = state.current()?;
        let default = default_limit(limit).ok_or(CUresult::CUDA_ERROR_UNSUPPORTED_LIMIT)?;
        let set = state.contexts.get(context)?.limits.get(&limit);
        value.set(set.copied().unwrap_or(default))
    }

    fn cuCtxSetLimit(limit: c_uint, value: usize) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        default_limit(limit).ok_or(CUresult::CUDA_ERROR_UNSUPPORTED_LIMIT)?;
        if limit == 5 && value > 128 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state.contexts.get_mut(context)?.limits.insert(limit, value);
        Ok(())
    }

    fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        priorities(least, greatest)
    }

    fn cuCtxResetPersistingL2Cache() {
        let state = state::initialized()?;
        state.current().map(drop)
    }

    fn cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint) {
        enable_peer(peer, flags)
    }

    fn cuCtxDisablePeerAccess(peer: CUcontext) {
        let mut state = state::initialized()?;
        let own = state.current()?;
        state.contexts.get(peer)?;
        if !state.contexts.get_mut(own)?.peers.remove(&peer) {
            return Err(CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        }
        Ok(())
    }

    fn cuDevicePrimaryCtxRetain(context: Out<CUcontext>, device: CUdevice) {
        let mut state = state::initialized()?;
        let device = state.device(device)?;
        if context.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let handle = state.primary(device);
        state.devices[device].retained += 1;
        state.contexts.get_mut(handle)?.is_active = true;
        context.set(handle)
    }

    fn cuDevicePrimaryCtxRelease_v2[11_000](device: CUdevice) {
        release(device)
    }

    fn cuDevicePrimaryCtxReset_v2[11_000](device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        let stays = state.devices[device].retained > 0;
        reset(state, device, stays)
    }

    fn cuDevicePrimaryCtxSetFlags_v2[11_000](device: CUdevice, flags: c_uint) {
        set_primary_flags(device, flags)
    }

    fn cuDevicePrimaryCtxGetState(device: CUdevice, flags: Out<c_uint>, active: Out<c_int>) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        let device = &state.devices[device];
        let context = device.primary.and_then(|handle| state.contexts.get(handle).ok());
        flags.set(device.flags)?;
        active.set(c_int::from(context.is_some_and(|context| context.is_active)))
    }

    fn cuProfilerStart() {
        state::initialized()?.current().map(drop)
    }

    fn cuProfilerStop() {
        state::initialized()?.current().map(drop)
    }

    fn cuGetExportTable(_table: Out<*const std::ffi::c_void>, _id: In<crate::abi::CUuuid>) {
        // The tables are not documented.
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    }
}
