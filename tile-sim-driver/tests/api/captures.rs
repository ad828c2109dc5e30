use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, nothing, ok, stale};

use CUstreamCaptureMode_enum as M;
use CUstreamCaptureStatus_enum as S;

fn begin(stream: CUstream, mode: M) {
    unsafe { ok(cuStreamBeginCapture_v2(stream, mode)) };
}

fn begun(gpu: &Gpu) -> CUstream {
    let stream = gpu.stream();
    begin(stream, M::CU_STREAM_CAPTURE_MODE_RELAXED);
    stream
}

fn end(stream: CUstream) -> (R, CUgraph) {
    let mut graph = null_mut();
    let result = unsafe { cuStreamEndCapture(stream, &raw mut graph) };
    (result, graph)
}

fn status(stream: CUstream) -> S {
    let mut status = S::CU_STREAM_CAPTURE_STATUS_NONE;
    unsafe { ok(cuStreamIsCapturing(stream, &raw mut status)) };
    status
}

fn fork(gpu: &Gpu, from: CUstream, to: CUstream) -> R {
    let event = gpu.event();
    unsafe {
        ok(cuEventRecord(event, from));
        cuStreamWaitEvent(to, event, 0)
    }
}

cases! {
    refused: {
        the_default_stream_is_not_captured(_gpu): cuStreamBeginCapture_v2(null_mut(), M::CU_STREAM_CAPTURE_MODE_RELAXED) => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_stale_stream_is_not_captured(_gpu): cuStreamBeginCapture_v2(stale(), M::CU_STREAM_CAPTURE_MODE_RELAXED) => CUDA_ERROR_INVALID_HANDLE;
        a_capture_does_not_begin_twice(gpu): { let stream = begun(gpu); let result = cuStreamBeginCapture_v2(stream, M::CU_STREAM_CAPTURE_MODE_RELAXED); end(stream); result } => CUDA_ERROR_ILLEGAL_STATE;
        a_capture_that_did_not_begin_does_not_end(gpu): end(gpu.stream()).0 => CUDA_ERROR_ILLEGAL_STATE;
        a_captured_stream_is_not_waited_for(gpu): { let stream = begun(gpu); let result = cuStreamSynchronize(stream); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_captured_stream_is_not_queried(gpu): { let stream = begun(gpu); let result = cuStreamQuery(stream); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_captured_event_is_not_waited_for(gpu): { let (stream, event) = (begun(gpu), gpu.event()); ok(cuEventRecord(event, stream)); let result = cuEventSynchronize(event); end(stream); result } => CUDA_ERROR_CAPTURED_EVENT;
        a_captured_event_is_not_queried(gpu): { let (stream, event) = (begun(gpu), gpu.event()); ok(cuEventRecord(event, stream)); let result = cuEventQuery(event); end(stream); result } => CUDA_ERROR_CAPTURED_EVENT;
        an_event_of_work_before_the_capture_is_outside(gpu): {
            let (event, other) = (gpu.event(), gpu.stream());
            ok(cuEventRecord(event, other));
            let stream = begun(gpu);
            let result = cuStreamWaitEvent(stream, event, 0);
            end(stream);
            result
        } => CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
        captures_do_not_merge(gpu): { let (one, two) = (begun(gpu), begun(gpu)); let result = fork(gpu, one, two); end(one); end(two); result } => CUDA_ERROR_STREAM_CAPTURE_MERGE;
        the_default_stream_does_not_depend_on_a_capture(gpu): {
            let stream = gpu.stream_with(0);
            begin(stream, M::CU_STREAM_CAPTURE_MODE_RELAXED);
            let result = cuMemsetD32Async(gpu_memory(gpu), 0, 1, null_mut());
            end(stream);
            result
        } => CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        a_capture_ends_where_it_began(gpu): { let (one, two) = (begun(gpu), gpu.stream()); ok(fork(gpu, one, two)); let result = end(two).0; end(one); result } => CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
        forked_work_has_to_be_joined(gpu): { let memory = gpu.alloc(4); let (one, two) = (begun(gpu), gpu.stream()); ok(fork(gpu, one, two)); ok(cuMemsetD32Async(memory, 1, 1, two)); end(one).0 } => CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        an_invalid_capture_takes_no_more_work(gpu): { let memory = gpu.alloc(4); let stream = begun(gpu); let _ = cuStreamSynchronize(stream); let result = cuMemsetD32Async(memory, 1, 1, stream); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        an_invalid_capture_has_no_graph(gpu): { let stream = begun(gpu); let _ = cuStreamSynchronize(stream); end(stream).0 } => CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        a_callback_is_no_node(gpu): { unsafe extern "C" fn nothing(_: CUstream, _: R, _: *mut std::ffi::c_void) {} let stream = begun(gpu); let result = cuStreamAddCallback(stream, Some(nothing), null_mut(), 0); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_thread_local_capture_forbids_allocations(gpu): { let stream = gpu.stream(); begin(stream, M::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL); let result = cuMemAlloc_v2(&mut { 0 }, 4); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_thread_local_capture_forbids_copies_that_wait(gpu): { let (stream, memory) = (gpu.stream(), gpu.alloc(4)); begin(stream, M::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL); let result = cuMemcpyHtoD_v2(memory, [0u32].as_ptr().cast(), 4); end(stream); result } => CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        a_thread_local_capture_ends_on_its_thread(gpu): {
            let stream = gpu.stream();
            begin(stream, M::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
            let address = stream.addr();
            let other = std::thread::spawn(move || end(std::ptr::without_provenance_mut(address)).0);
            let result = other.join().expect("it does not panic");
            end(stream);
            result
        } => CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
        a_mode_needs_a_place(_gpu): cuThreadExchangeStreamCaptureMode(nothing()) => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        captured_work_runs_when_the_graph_is_launched,
        forked_streams_are_captured_and_joined,
        the_status_of_a_capture_is_told,
        a_relaxed_capture_forbids_no_allocations,
        another_mode_of_the_thread_allows_allocations,
        memory_is_allocated_and_freed_in_a_capture,
        a_graph_is_captured_as_a_child,
        a_capture_continues_a_graph,
        an_instance_is_updated_from_a_capture,
    }
}

fn gpu_memory(gpu: &Gpu) -> CUdeviceptr {
    let mut memory = 0;
    unsafe { ok(cuMemAllocAsync(&raw mut memory, 4, gpu.stream())) };
    memory
}

fn launched(gpu: &Gpu, graph: CUgraph) -> CUgraphExec {
    let mut exec = null_mut();
    unsafe {
        ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
        ok(cuGraphLaunch(exec, gpu.stream()));
    }
    ok(gpu.synchronize());
    exec
}

fn nodes(graph: CUgraph) -> usize {
    let mut count = 0;
    unsafe { ok(cuGraphGetNodes(graph, null_mut(), &raw mut count)) };
    count
}

fn captured_work_runs_when_the_graph_is_launched(gpu: &Gpu) {
    let (memory, next, mut host) = (gpu.numbers(&[1; 4]), gpu.kernel("next"), [0u32; 4]);
    let stream = begun(gpu);
    unsafe { ok(cuMemsetD32Async(memory, 5, 4, stream)) };
    gpu.launch(
        next,
        4,
        stream,
        &[Arg::Address(memory), Arg::Address(memory)],
    );
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(
            host.as_mut_ptr().cast(),
            memory,
            16,
            stream,
        ));
    }
    let (result, graph) = end(stream);
    ok(result);
    assert_eq!(
        (gpu.read(memory, 4), host, nodes(graph)),
        (vec![1; 4], [0; 4], 3)
    );
    launched(gpu, graph);
    assert_eq!((gpu.read(memory, 4), host), (vec![6; 4], [6; 4]));
}

fn forked_streams_are_captured_and_joined(gpu: &Gpu) {
    let (memory, next, other) = (gpu.numbers(&[1; 8]), gpu.kernel("next"), gpu.stream());
    let stream = begun(gpu);
    unsafe { ok(cuMemsetD32Async(memory, 5, 8, stream)) };
    ok(fork(gpu, stream, other));
    assert_eq!(status(other), S::CU_STREAM_CAPTURE_STATUS_ACTIVE);
    gpu.launch(
        next,
        4,
        stream,
        &[Arg::Address(memory), Arg::Address(memory)],
    );
    gpu.launch(
        next,
        4,
        other,
        &[Arg::Address(memory + 16), Arg::Address(memory + 16)],
    );
    ok(fork(gpu, other, stream));
    gpu.launch(
        next,
        8,
        stream,
        &[Arg::Address(memory), Arg::Address(memory)],
    );
    let (result, graph) = end(stream);
    ok(result);
    assert_eq!(status(other), S::CU_STREAM_CAPTURE_STATUS_NONE);
    launched(gpu, graph);
    assert_eq!(gpu.read(memory, 8), [7; 8]);
}

fn the_status_of_a_capture_is_told(gpu: &Gpu) {
    let stream = begun(gpu);
    assert_eq!(status(stream), S::CU_STREAM_CAPTURE_STATUS_ACTIVE);
    let (mut found, mut id, mut graph) = (S::CU_STREAM_CAPTURE_STATUS_NONE, 0, null_mut());
    let (mut before, mut count) = (std::ptr::null(), 9);
    unsafe {
        ok(cuStreamGetCaptureInfo_v3(
            stream,
            &raw mut found,
            &raw mut id,
            &raw mut graph,
            &raw mut before,
            null_mut(),
            &raw mut count,
        ));
    }
    assert_eq!(
        (found, count, graph.is_null()),
        (S::CU_STREAM_CAPTURE_STATUS_ACTIVE, 0, false)
    );
    let _refused = unsafe { cuStreamSynchronize(stream) };
    assert_eq!(status(stream), S::CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    end(stream);
    assert_eq!(status(stream), S::CU_STREAM_CAPTURE_STATUS_NONE);
}

fn a_relaxed_capture_forbids_no_allocations(gpu: &Gpu) {
    let stream = begun(gpu);
    gpu.alloc(4);
    ok(end(stream).0);
}

fn another_mode_of_the_thread_allows_allocations(gpu: &Gpu) {
    let stream = gpu.stream();
    begin(stream, M::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    let mut mode = M::CU_STREAM_CAPTURE_MODE_RELAXED;
    unsafe { ok(cuThreadExchangeStreamCaptureMode(&raw mut mode)) };
    gpu.alloc(4);
    unsafe { ok(cuThreadExchangeStreamCaptureMode(&raw mut mode)) };
    assert_eq!(mode, M::CU_STREAM_CAPTURE_MODE_RELAXED);
    ok(end(stream).0);
}

fn memory_is_allocated_and_freed_in_a_capture(gpu: &Gpu) {
    let (result, next, mut memory) = (gpu.alloc(16), gpu.kernel("next"), 0);
    let stream = begun(gpu);
    unsafe {
        ok(cuMemAllocAsync(&raw mut memory, 16, stream));
        ok(cuMemsetD32Async(memory, 5, 4, stream));
        gpu.launch(
            next,
            4,
            stream,
            &[Arg::Address(result), Arg::Address(memory)],
        );
        ok(cuMemFreeAsync(memory, stream));
    }
    let (ended, graph) = end(stream);
    ok(ended);
    let exec = launched(gpu, graph);
    unsafe { ok(cuGraphLaunch(exec, gpu.stream())) };
    ok(gpu.synchronize());
    assert_eq!(gpu.read(result, 4), [6; 4]);
}

fn a_graph_is_captured_as_a_child(gpu: &Gpu) {
    let (memory, next) = (gpu.numbers(&[1; 4]), gpu.kernel("next"));
    let args = [Arg::Address(memory), Arg::Address(memory)];
    let inner = begun(gpu);
    gpu.launch(next, 4, inner, &args);
    let exec = {
        let (result, graph) = end(inner);
        ok(result);
        launched(gpu, graph)
    };
    let stream = begun(gpu);
    gpu.launch(next, 4, stream, &args);
    unsafe { ok(cuGraphLaunch(exec, stream)) };
    let (result, graph) = end(stream);
    ok(result);
    assert_eq!(nodes(graph), 2);
    launched(gpu, graph);
    assert_eq!(gpu.read(memory, 4), [4; 4]);
}

fn a_capture_continues_a_graph(gpu: &Gpu) {
    let (memory, stream) = (gpu.alloc(16), gpu.stream());
    let (mut graph, mut first) = (null_mut(), null_mut());
    unsafe {
        ok(cuGraphCreate(&raw mut graph, 0));
        ok(cuGraphAddEmptyNode(
            &raw mut first,
            graph,
            std::ptr::null(),
            0,
        ));
        ok(cuStreamBeginCaptureToGraph(
            stream,
            graph,
            &raw const first,
            std::ptr::null(),
            1,
            M::CU_STREAM_CAPTURE_MODE_RELAXED,
        ));
        ok(cuMemsetD32Async(memory, 5, 4, stream));
    }
    assert_eq!(end(stream), (R::CUDA_SUCCESS, graph));
    assert_eq!(nodes(graph), 2);
    launched(gpu, graph);
    assert_eq!(gpu.read(memory, 4), [5; 4]);
}

fn an_instance_is_updated_from_a_capture(gpu: &Gpu) {
    let memory = gpu.alloc(16);
    let captured = |value| {
        let stream = begun(gpu);
        unsafe { ok(cuMemsetD32Async(memory, value, 4, stream)) };
        end(stream).1
    };
    let exec = launched(gpu, captured(1));
    unsafe {
        ok(cuGraphExecUpdate_v2(exec, captured(2), null_mut()));
        ok(cuGraphLaunch(exec, gpu.stream()));
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory, 4), [2; 4]);
}
