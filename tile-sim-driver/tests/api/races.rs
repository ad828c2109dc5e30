//! Races between operations. Each case has the fault, and its corrected twin.

use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, ok, programmatic};

const RACE: R = R::CUDA_ERROR_LAUNCH_FAILED;

/// Orders the next work of a stream behind that of another.
fn order(gpu: &Gpu, first: CUstream, then: CUstream) {
    let event = gpu.event();
    unsafe {
        ok(cuEventRecord(event, first));
        ok(cuStreamWaitEvent(then, event, 0));
    }
}

cases! {
    refused: {}
    facts: {
        launches_on_two_streams_need_an_event,
        reads_on_two_streams_do_not_race,
        launches_on_disjoint_ranges_do_not_race,
        a_copy_needs_to_wait_for_a_launch,
        a_fill_of_the_default_stream_is_not_before_other_streams,
        an_event_that_is_recorded_too_early_does_not_order,
        memory_in_use_is_not_freed_on_another_stream,
        memory_of_a_pool_is_not_freed_by_the_host_while_in_use,
        memory_is_not_used_before_it_is_allocated,
        a_synchronization_orders_what_follows,
        a_query_that_succeeds_orders_what_follows,
        pinned_memory_is_not_freed_under_a_copy,
        a_programmatic_launch_has_to_wait,
        a_programmatic_launch_without_any_wait_races,
        nodes_of_a_graph_need_an_edge,
        order_is_transitive,
    }
}

/// Runs a case in a context of its own without and with its cure.
fn twins(case: impl Fn(&Gpu, bool)) {
    for cured in [true, false] {
        let gpu = Gpu::new(0);
        case(&gpu, cured);
        let expected = if cured { R::CUDA_SUCCESS } else { RACE };
        assert_eq!(gpu.synchronize(), expected, "with the cure: {cured}");
        drop(gpu);
    }
}

fn launches_on_two_streams_need_an_event(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, memory) = (gpu.stream(), gpu.stream(), gpu.alloc(256));
        gpu.fill(memory, 1, 32, one);
        if cured {
            order(gpu, one, two);
        }
        gpu.next(memory + 128, memory, 32, two);
    });
}

fn reads_on_two_streams_do_not_race(gpu: &Gpu) {
    let (one, two, memory, to) = (
        gpu.stream(),
        gpu.stream(),
        gpu.numbers(&[0; 32]),
        gpu.alloc(256),
    );
    gpu.next(to, memory, 32, one);
    gpu.next(to + 128, memory, 32, two);
    ok(gpu.synchronize());
}

fn launches_on_disjoint_ranges_do_not_race(gpu: &Gpu) {
    let (one, two, memory) = (gpu.stream(), gpu.stream(), gpu.alloc(256));
    gpu.fill(memory, 1, 32, one);
    gpu.fill(memory + 128, 1, 32, two);
    ok(gpu.synchronize());
}

fn a_copy_needs_to_wait_for_a_launch(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory) = (gpu.stream(), gpu.alloc(128));
        gpu.fill(memory, 1, 32, stream);
        if cured {
            unsafe { ok(cuStreamSynchronize(stream)) };
        }
        // The copy is on the default stream, which does not wait for others.
        let mut numbers = [0u32; 32];
        let _result = unsafe { cuMemcpyDtoH_v2(numbers.as_mut_ptr().cast(), memory, 128) };
    });
}

fn a_fill_of_the_default_stream_is_not_before_other_streams(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let memory = gpu.alloc(128);
        let stream = gpu.stream_with(u32::from(!cured));
        unsafe { ok(cuMemsetD32_v2(memory, 0, 32)) };
        gpu.next(memory, memory, 32, stream);
    });
}

fn an_event_that_is_recorded_too_early_does_not_order(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, memory, event) = (gpu.stream(), gpu.stream(), gpu.alloc(128), gpu.event());
        unsafe {
            ok(cuEventRecord(event, one));
            gpu.fill(memory, 1, 32, one);
            if cured {
                ok(cuEventRecord(event, one));
            }
            ok(cuStreamWaitEvent(two, event, 0));
        }
        gpu.fill(memory, 2, 32, two);
    });
}

fn memory_in_use_is_not_freed_on_another_stream(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, mut memory) = (gpu.stream(), gpu.stream(), 0);
        unsafe { ok(cuMemAllocAsync(&raw mut memory, 128, one)) };
        gpu.fill(memory, 1, 32, one);
        if cured {
            order(gpu, one, two);
        } else {
            // Otherwise the launch could come second, and find the memory gone. The host learns nothing from it.
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        unsafe { ok(cuMemFreeAsync(memory, two)) };
    });
}

fn memory_of_a_pool_is_not_freed_by_the_host_while_in_use(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, mut memory) = (gpu.stream(), 0);
        unsafe { ok(cuMemAllocAsync(&raw mut memory, 128, stream)) };
        gpu.fill(memory, 1, 32, stream);
        if cured {
            unsafe { ok(cuStreamSynchronize(stream)) };
        } else {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        let _result = unsafe { cuMemFree_v2(memory) };
    });
}

fn memory_is_not_used_before_it_is_allocated(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, mut memory) = (gpu.stream(), gpu.stream(), 0);
        unsafe { ok(cuMemAllocAsync(&raw mut memory, 128, one)) };
        if cured {
            order(gpu, one, two);
        }
        gpu.fill(memory, 1, 32, two);
    });
}

fn a_synchronization_orders_what_follows(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, other, memory) = (gpu.stream(), gpu.stream(), gpu.stream(), gpu.alloc(128));
        gpu.fill(memory, 1, 32, one);
        unsafe { ok(cuStreamSynchronize(if cured { one } else { other })) };
        gpu.fill(memory, 2, 32, two);
    });
}

fn a_query_that_succeeds_orders_what_follows(gpu: &Gpu) {
    let (one, two, memory) = (gpu.stream(), gpu.stream(), gpu.alloc(128));
    gpu.fill(memory, 1, 32, one);
    crate::gpu::until(|| unsafe { cuStreamQuery(one) } == R::CUDA_SUCCESS);
    gpu.fill(memory, 2, 32, two);
    ok(gpu.synchronize());
}

fn pinned_memory_is_not_freed_under_a_copy(gpu: &Gpu) {
    // The call waits for the device, so this is no race.
    let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
        ok(cuMemFreeHost(pinned.cast()));
    }
    ok(gpu.synchronize());
}

fn a_programmatic_launch_has_to_wait(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory) = (gpu.stream(), gpu.alloc(256));
        gpu.fill(memory, 1, 32, stream);
        let name = if cured { "next_waiting" } else { "next_early" };
        let args = [Arg::Address(memory + 128), Arg::Address(memory)];
        ok(gpu.launch_with(
            gpu.kernel_90(name),
            1,
            32,
            stream,
            &args,
            &mut [programmatic()],
        ));
    });
}

fn a_programmatic_launch_without_any_wait_races(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory) = (gpu.stream(), gpu.alloc(256));
        gpu.fill(memory, 1, 32, stream);
        let mut attributes = [programmatic()];
        let attributes = if cured { &mut [] } else { &mut attributes[..] };
        let args = [Arg::Address(memory + 128), Arg::Address(memory)];
        ok(gpu.launch_with(gpu.kernel("next"), 1, 32, stream, &args, attributes));
    });
}

fn nodes_of_a_graph_need_an_edge(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let memory = gpu.alloc(128);
        let (mut graph, mut one, mut two, mut exec) =
            (null_mut(), null_mut(), null_mut(), null_mut());
        let params = CUDA_MEMSET_NODE_PARAMS {
            dst: memory,
            pitch: 0,
            value: 1,
            elementSize: 4,
            width: 32,
            height: 1,
        };
        unsafe {
            ok(cuGraphCreate(&raw mut graph, 0));
            ok(cuGraphAddMemsetNode(
                &raw mut one,
                graph,
                std::ptr::null(),
                0,
                &raw const params,
                gpu.context,
            ));
            let count = usize::from(cured);
            ok(cuGraphAddMemsetNode(
                &raw mut two,
                graph,
                &raw const one,
                count,
                &raw const params,
                gpu.context,
            ));
            ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
            ok(cuGraphLaunch(exec, gpu.stream()));
        }
    });
}

fn order_is_transitive(gpu: &Gpu) {
    let (one, two, three, memory) = (gpu.stream(), gpu.stream(), gpu.stream(), gpu.alloc(128));
    gpu.fill(memory, 1, 32, one);
    order(gpu, one, two);
    order(gpu, two, three);
    gpu.fill(memory, 2, 32, three);
    ok(gpu.synchronize());
}
