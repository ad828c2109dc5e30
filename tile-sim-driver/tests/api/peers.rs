use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, ok, stale};

cases! {
    refused: {
        a_stale_peer_is_refused(_gpu): cuCtxEnablePeerAccess(stale(), 0) => CUDA_ERROR_INVALID_CONTEXT;
        a_peer_is_on_another_device(gpu): cuCtxEnablePeerAccess(gpu.context, 0) => CUDA_ERROR_INVALID_DEVICE;
        flags_of_a_peer_are_zero(gpu): { let other = Gpu::new(1); gpu.enter(); let result = cuCtxEnablePeerAccess(other.context, 1); drop(other); result } => CUDA_ERROR_INVALID_VALUE;
        a_peer_is_not_enabled_twice(gpu): { let other = Gpu::new(1); gpu.enter(); ok(cuCtxEnablePeerAccess(other.context, 0)); let result = cuCtxEnablePeerAccess(other.context, 0); drop(other); result } => CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
        a_peer_that_is_not_enabled_is_not_disabled(gpu): { let other = Gpu::new(1); gpu.enter(); let result = cuCtxDisablePeerAccess(other.context); drop(other); result } => CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    }
    facts: {
        devices_can_access_each_other,
        memory_of_a_peer_is_accessible_once_enabled,
        copies_between_devices_need_no_access,
        kernels_of_two_devices_exchange_values,
    }
}

fn devices_can_access_each_other(_gpu: &Gpu) {
    let can = |device, peer| {
        let mut can = -1;
        unsafe { ok(cuDeviceCanAccessPeer(&raw mut can, device, peer)) };
        can
    };
    assert_eq!([can(0, 1), can(1, 2), can(0, 0)], [1, 1, 0]);
}

fn memory_of_a_peer_is_accessible_once_enabled(gpu: &Gpu) {
    let memory = gpu.numbers(&[7; 4]);
    for enabled in [true, false] {
        let other = Gpu::new(1);
        if enabled {
            unsafe { ok(cuCtxEnablePeerAccess(gpu.context, 0)) };
        }
        let own = other.alloc(16);
        other.next(own, memory, 4, null_mut());
        if enabled {
            assert_eq!(other.read(own, 4), [8; 4]);
        } else {
            assert_eq!(other.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        drop(other);
    }
}

fn copies_between_devices_need_no_access(gpu: &Gpu) {
    let memory = gpu.numbers(&[7; 4]);
    let other = Gpu::new(1);
    let own = other.alloc(16);
    unsafe {
        ok(cuMemcpyPeer(own, other.context, memory, gpu.context, 16));
        ok(cuMemcpyPeerAsync(
            own,
            other.context,
            memory,
            gpu.context,
            8,
            other.stream_with(0),
        ));
    }
    assert_eq!(other.read(own, 4), [7; 4]);
    drop(other);
}

/// As in a reduction over all devices: each waits for a flag of the other.
fn kernels_of_two_devices_exchange_values(gpu: &Gpu) {
    let flag = gpu.numbers(&[0]);
    let stream = gpu.stream();
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
    let other = Gpu::new(1);
    let theirs = other.numbers(&[0]);
    let stream = other.stream();
    unsafe { ok(cuCtxEnablePeerAccess(gpu.context, 0)) };
    other.launch(other.kernel("signal"), 1, stream, &[Arg::Address(flag)]);
    other.launch(other.kernel("spin"), 1, stream, &[Arg::Address(theirs)]);
    gpu.enter();
    unsafe { ok(cuCtxEnablePeerAccess(other.context, 0)) };
    gpu.launch(
        gpu.kernel("signal"),
        1,
        gpu.stream(),
        &[Arg::Address(theirs)],
    );
    ok(gpu.synchronize());
    other.enter();
    ok(other.synchronize());
    drop(other);
}
