//! Functions of earlier versions of CUDA, which programs may still look up.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::abi::{CUcontext, CUdevice, CUdeviceptr, CUevent, CUstream, CUuuid, In, Out};
use crate::result::CUresult;

exports! {
    fn cuCtxCreate_v2[3020](context: Out<CUcontext>, flags: c_uint, device: CUdevice) {
        super::context::create_into(context, flags, device)
    }

    fn cuCtxCreate_v3[11_040](context: Out<CUcontext>, _affinity: Out<c_void>, _count: c_int, flags: c_uint, device: CUdevice) {
        super::context::create_into(context, flags, device)
    }

    fn cuCtxAttach(context: Out<CUcontext>, flags: c_uint) {
        let state = crate::state::initialized()?;
        if flags != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        context.set(state.current()?)
    }

    fn cuCtxDetach(context: CUcontext) {
        super::context::destroy(context)
    }

    fn cuDeviceGetUuid(uuid: Out<CUuuid>, device: CUdevice) {
        let state = crate::state::initialized()?;
        let device = state.device(device)?;
        uuid.set(super::device::identity(device))
    }

    fn cuEventElapsedTime(milliseconds: Out<f32>, start: CUevent, end: CUevent) {
        super::event::elapsed(milliseconds, start, end)
    }

    fn cuMemAdvise[8000](address: CUdeviceptr, bytes: usize, advice: c_uint, _device: CUdevice) {
        super::memory::advise(address, bytes, advice)
    }

    fn cuMemPrefetchAsync[8000] @ptsz(address: CUdeviceptr, bytes: usize, device: CUdevice, stream: CUstream) {
        // -1 is the host.
        super::memory::prefetch(address, bytes, (device >= 0).then_some(device), stream)
    }

    fn cuGetProcAddress[11_030](symbol: In<c_char>, function: Out<*mut c_void>, version: c_int, flags: u64) {
        super::procs::proc_address(symbol, function, version, flags, Out::of(std::ptr::null_mut()))
    }
}
