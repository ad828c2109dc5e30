//! Streams.

use std::ffi::{c_int, c_uint, c_void};

use crate::abi::{
    CUDA_HOST_NODE_PARAMS, CUcontext, CUdevice, CUdeviceptr, CUevent, CUhostFn, CUstream,
    CUstreamCallback, Out,
};
use crate::queue::{Kind, Start};
use crate::result::CUresult;
use crate::state::{self, Reply};
use crate::work::{Call, Work};

/// The greatest and the least priority of a stream.
pub(super) const PRIORITIES: (c_int, c_int) = (-5, 0);

fn create(stream: Out<CUstream>, flags: c_uint, priority: c_int) -> Reply {
    let mut state = state::initialized()?;
    let context = state.current()?;
    if flags > 1 || stream.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let kind = if flags == 1 {
        Kind::NonBlocking
    } else {
        Kind::Blocking
    };
    let priority = priority.clamp(PRIORITIES.0, PRIORITIES.1);
    stream.set(state.add_stream(context, kind, flags, priority))
}

api! {
    fn cuStreamCreate(stream: Out<CUstream>, flags: c_uint) {
        create(stream, flags, 0)
    }

    fn cuStreamCreateWithPriority(stream: Out<CUstream>, flags: c_uint, priority: c_int) {
        create(stream, flags, priority)
    }

    fn cuStreamDestroy_v2[4000](stream: CUstream) {
        let mut state = state::initialized()?;
        if stream.0 <= 2 {
            return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
        let context = state.streams.get(stream)?.context;
        state.working(context)?;
        state.drop_capture(stream);
        // Its work goes on.
        state.remove_stream(stream)?;
        Ok(())
    }

    fn cuStreamSynchronize @ptsz(stream: CUstream) {
        state::not_in_callback()?;
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.capture_forbids(Some(stream))?;
        let found = state.streams.get(stream)?;
        let context = found.context;
        if let Some(op) = found.last.clone() {
            state = state.wait_for(&op);
        }
        state.working(context).map(drop)
    }

    fn cuStreamQuery @ptsz(stream: CUstream) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.capture_forbids(Some(stream))?;
        let Some(op) = state.streams.get(stream)?.last.clone() else {
            return Ok(());
        };
        if !op.is_done() {
            return Err(CUresult::CUDA_ERROR_NOT_READY);
        }
        state.know(&op);
        Ok(())
    }

    fn cuStreamWaitEvent @ptsz(stream: CUstream, event: CUevent, flags: c_uint) {
        let mut state = state::initialized()?;
        if flags > 1 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let stream = state.stream(stream)?;
        state.events.get(event)?;
        if state.capture_wait(stream, event, flags)? {
            return Ok(());
        }
        // An event that was never recorded is complete.
        let Some(op) = state.events.get(event)?.recorded.clone() else {
            return Ok(());
        };
        state.legacy_may_run(stream)?;
        state.submit(stream, "a wait for an event", Work::Nothing, &[op], Start::AfterPrevious)?;
        Ok(())
    }

    fn cuStreamGetCtx @ptsz(stream: CUstream, context: Out<CUcontext>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        context.set(state.streams.get(stream)?.context)
    }

    fn cuStreamGetDevice @ptsz(stream: CUstream, device: Out<CUdevice>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        let context = state.streams.get(stream)?.context;
        device.set(c_int::try_from(state.contexts.get(context)?.device).unwrap_or(0))
    }

    fn cuStreamGetFlags @ptsz(stream: CUstream, flags: Out<c_uint>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        flags.set(state.streams.get(stream)?.flags)
    }

    fn cuStreamGetPriority @ptsz(stream: CUstream, priority: Out<c_int>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        priority.set(state.streams.get(stream)?.priority)
    }

    fn cuStreamGetId @ptsz(stream: CUstream, id: Out<u64>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        id.set(state.streams.get(stream)?.id)
    }

    fn cuStreamAddCallback @ptsz(stream: CUstream, callback: CUstreamCallback, data: Out<c_void>, flags: c_uint) {
        let mut state = state::initialized()?;
        if flags != 0 || callback.is_none() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let own = state.stream(stream)?;
        state.not_captured(own)?;
        let call = Call::Callback(callback, stream, data.raw().expose_provenance());
        state.legacy_may_run(own)?;
        state.submit(own, "a callback", Work::Call(call), &[], Start::AfterPrevious)?;
        Ok(())
    }

    fn cuLaunchHostFunc @ptsz(stream: CUstream, function: CUhostFn, data: Out<c_void>) {
        let mut state = state::initialized()?;
        if function.is_none() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let stream = state.stream(stream)?;
        let call = Call::Host(function, data.raw().expose_provenance());
        let node = || {
            crate::graph::Kind::Host(CUDA_HOST_NODE_PARAMS {
                r#fn: function,
                userData: data.raw(),
            })
        };
        state.enqueue(stream, "a function of the host", Work::Call(call), Start::AfterPrevious, node)?;
        Ok(())
    }

    fn cuStreamAttachMemAsync @ptsz(stream: CUstream, address: CUdeviceptr, _bytes: usize, flags: c_uint) {
        let mut state = state::initialized()?;
        state.stream(stream)?;
        let managed = state.memory.at(address);
        let is_managed = managed.is_some_and(|allocation| allocation.kind == crate::memory::Kind::Managed);
        if !matches!(flags, 1 | 2 | 4) || !is_managed {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }
}
