//! Accesses of the host to memory that operations use. Most cases have the fault, and its corrected twin.

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, last_fault, ok, until};

const RACE: R = R::CUDA_ERROR_LAUNCH_FAILED;

cases! {
    refused: {}
    facts: {
        pinned_memory_is_not_read_before_a_copy_to_it_has_ended,
        pinned_memory_is_not_written_while_a_copy_reads_it,
        an_access_after_the_copy_has_ended_is_found_too,
        an_event_that_the_host_waits_for_is_enough,
        managed_memory_is_not_read_while_a_launch_writes_it,
        the_host_does_not_write_what_a_fill_writes,
        the_copy_of_a_graph_is_waited_for,
        reads_beside_reads_are_no_race,
        other_bytes_of_a_page_are_no_race,
        a_page_is_watched_again_after_a_call,
        another_allocation_is_no_race,
        a_launch_that_exchanges_values_with_the_host_is_no_race,
        what_a_launch_publishes_for_the_host_is_no_race,
        what_the_host_publishes_for_a_launch_is_no_race,
        a_function_of_the_host_may_use_what_its_stream_has_copied,
        what_a_function_of_the_host_writes_races_with_other_streams,
        a_broken_context_opens_its_memory,
        freed_pinned_memory_is_not_accessed,
        the_text_names_the_host_and_the_copy,
        launches_with_pinned_memory_are_ordered_by_the_host,
        threads_with_streams_of_their_own_do_not_disturb_each_other,
    }
}

/// Runs a case in a context of its own without and with its cure.
fn twins(case: impl Fn(&Gpu, bool)) {
    for cured in [true, false] {
        let gpu = Gpu::new(0);
        case(&gpu, cured);
        let expected = if cured { R::CUDA_SUCCESS } else { RACE };
        assert_eq!(gpu.synchronize(), expected, "with the cure: {cured}");
    }
}

fn managed(bytes: usize) -> *mut u32 {
    let mut address = 0;
    unsafe { ok(cuMemAllocManaged(&raw mut address, bytes, 1)) };
    std::ptr::with_exposed_provenance_mut(usize::try_from(address).expect("64 bits"))
}

fn pinned_memory_is_not_read_before_a_copy_to_it_has_ended(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
        unsafe {
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            if cured {
                ok(cuStreamSynchronize(stream));
                assert_eq!(pinned.add(31).read_volatile(), 3);
            }
            let _early = pinned.add(5).read_volatile();
        }
    });
}

fn pinned_memory_is_not_written_while_a_copy_reads_it(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.alloc(128), gpu.pinned(32));
        unsafe {
            pinned.write_bytes(1, 32);
            ok(cuMemcpyHtoDAsync_v2(memory, pinned.cast(), 128, stream));
            if cured {
                ok(cuStreamSynchronize(stream));
            }
            pinned.add(31).write_volatile(2);
        }
    });
}

fn an_access_after_the_copy_has_ended_is_found_too(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
        unsafe {
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            std::thread::sleep(std::time::Duration::from_millis(100));
            if cured {
                until(|| cuStreamQuery(stream) == R::CUDA_SUCCESS);
            }
            assert_eq!(pinned.read_volatile(), 3);
        }
    });
}

fn an_event_that_the_host_waits_for_is_enough(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
        let (before, after) = (gpu.event(), gpu.event());
        unsafe {
            ok(cuEventRecord(before, stream));
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            ok(cuEventRecord(after, stream));
            ok(cuEventSynchronize(if cured { after } else { before }));
            let _value = pinned.read_volatile();
        }
    });
}

fn managed_memory_is_not_read_while_a_launch_writes_it(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory) = (gpu.stream(), managed(128));
        gpu.fill(memory as u64, 7, 32, stream);
        unsafe {
            if cured {
                ok(cuStreamSynchronize(stream));
                assert_eq!(memory.add(31).read_volatile(), 7);
            }
            let _early = memory.read_volatile();
        }
    });
}

fn the_host_does_not_write_what_a_fill_writes(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, pinned) = (gpu.stream(), gpu.pinned(32));
        unsafe {
            ok(cuMemsetD32Async(pinned as u64, 1, 32, stream));
            if cured {
                ok(cuStreamSynchronize(stream));
            }
            pinned.write_volatile(2);
        }
    });
}

fn the_copy_of_a_graph_is_waited_for(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
        let (mut graph, mut exec) = (null_mut(), null_mut());
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        unsafe {
            ok(cuStreamBeginCapture_v2(stream, mode));
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            ok(cuStreamEndCapture(stream, &raw mut graph));
            ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
            ok(cuGraphLaunch(exec, stream));
            if cured {
                ok(cuStreamSynchronize(stream));
            }
            let _value = pinned.read_volatile();
        }
    });
}

fn reads_beside_reads_are_no_race(gpu: &Gpu) {
    let (stream, memory, pinned) = (gpu.stream(), gpu.alloc(128), gpu.pinned(32));
    unsafe {
        pinned.write_bytes(1, 32);
        ok(cuMemcpyHtoDAsync_v2(memory, pinned.cast(), 128, stream));
        assert_eq!(pinned.read_volatile(), 0x0101_0101);
        gpu.next(memory, pinned as u64, 32, stream);
        assert_eq!(pinned.add(7).read_volatile(), 0x0101_0101);
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory, 32), [0x0101_0102; 32]);
}

fn other_bytes_of_a_page_are_no_race(gpu: &Gpu) {
    let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(64));
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
        pinned.add(32).write_volatile(9);
        assert_eq!(pinned.add(32).read_volatile(), 9);
        gpu.fill(pinned as u64, 5, 32, stream);
        pinned.add(63).write_volatile(8);
    }
    ok(gpu.synchronize());
    unsafe {
        assert_eq!(pinned.read_volatile(), 5);
        assert_eq!(pinned.add(63).read_volatile(), 8);
    }
}

fn a_page_is_watched_again_after_a_call(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(64));
        unsafe {
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            let _other_bytes = pinned.add(32).read_volatile();
            let _other_stream = gpu.stream();
            if cured {
                ok(cuStreamSynchronize(stream));
            }
            let _value = pinned.add(31).read_volatile();
        }
    });
}

fn another_allocation_is_no_race(gpu: &Gpu) {
    let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
    let other = gpu.pinned(32);
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
        other.write_volatile(9);
        assert_eq!(other.read_volatile(), 9);
    }
    ok(gpu.synchronize());
}

fn a_launch_that_exchanges_values_with_the_host_is_no_race(gpu: &Gpu) {
    let (stream, pinned) = (gpu.stream(), gpu.pinned(2));
    unsafe { pinned.write_bytes(0, 2) };
    let flag = pinned as u64;
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
    gpu.launch(gpu.kernel("signal"), 1, stream, &[Arg::Address(flag + 4)]);
    unsafe {
        pinned.write_volatile(1);
        until(|| pinned.add(1).read_volatile() == 1);
    }
    ok(gpu.synchronize());
}

fn what_a_launch_publishes_for_the_host_is_no_race(gpu: &Gpu) {
    let (stream, data, flag) = (gpu.stream(), gpu.pinned(1), gpu.pinned(1));
    unsafe {
        data.write(0);
        flag.write(0);
        let args = [Arg::Address(data as u64), Arg::Address(flag as u64)];
        gpu.launch(gpu.kernel("publish"), 1, stream, &args);
        until(|| flag.read_volatile() == 1);
        assert_eq!(data.read_volatile(), 7);
    }
    ok(gpu.synchronize());
}

fn what_the_host_publishes_for_a_launch_is_no_race(gpu: &Gpu) {
    let (stream, data, flag) = (gpu.stream(), gpu.pinned(1), gpu.pinned(1));
    unsafe {
        flag.write(0);
        let args = [Arg::Address(data as u64), Arg::Address(flag as u64)];
        gpu.launch(gpu.kernel("consume"), 1, stream, &args);
        data.write_volatile(4);
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        flag.write_volatile(1);
        ok(cuStreamSynchronize(stream));
        assert_eq!(data.read_volatile(), 5);
    }
}

/// Adds 1 to the number.
unsafe extern "C" fn raise(number: *mut c_void) {
    let number = number.cast::<u32>();
    unsafe { number.write_volatile(number.read_volatile() + 1) };
}

fn a_function_of_the_host_may_use_what_its_stream_has_copied(gpu: &Gpu) {
    let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
        ok(cuLaunchHostFunc(stream, Some(raise), pinned.cast()));
        ok(cuMemcpyHtoDAsync_v2(memory, pinned.cast(), 128, stream));
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory, 2), [4, 3]);
}

fn what_a_function_of_the_host_writes_races_with_other_streams(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (one, two, event) = (gpu.stream(), gpu.stream(), gpu.event());
        let (memory, pinned) = (gpu.alloc(128), gpu.pinned(32));
        unsafe {
            pinned.write_bytes(1, 32);
            ok(cuMemcpyHtoDAsync_v2(memory, pinned.cast(), 128, two));
            if cured {
                ok(cuEventRecord(event, two));
                ok(cuStreamWaitEvent(one, event, 0));
            }
            ok(cuLaunchHostFunc(one, Some(raise), pinned.cast()));
        }
    });
}

fn a_broken_context_opens_its_memory(gpu: &Gpu) {
    let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
    unsafe {
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
        gpu.fill(0, 1, 1, gpu.stream());
        until(|| cuStreamQuery(stream) == R::CUDA_ERROR_ILLEGAL_ADDRESS);
        let _value = pinned.read_volatile();
    }
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn freed_pinned_memory_is_not_accessed(gpu: &Gpu) {
    let pinned = gpu.pinned(32);
    unsafe {
        pinned.write_volatile(1);
        ok(cuMemFreeHost(pinned.cast()));
        assert_eq!(pinned.read_volatile(), 0);
    }
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn the_text_names_the_host_and_the_copy(gpu: &Gpu) {
    // Other cases have faults at the same time.
    for _ in 0..20 {
        let gpu = Gpu::new(0);
        let (stream, memory, pinned) = (gpu.stream(), gpu.numbers(&[3; 32]), gpu.pinned(32));
        unsafe {
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 128, stream));
            let _early = pinned.add(5).read_volatile();
        }
        assert_eq!(gpu.synchronize(), RACE);
        let text = last_fault();
        let stream = format!("stream {:#x}", stream as usize);
        let names = [
            "the host",
            "reads",
            "`cuMemcpyDtoHAsync`",
            "writes",
            &stream,
            "byte 20 of its allocation",
            "a synchronization with its stream",
        ];
        if names.iter().all(|name| text.contains(name)) {
            return;
        }
    }
    gpu.enter();
    panic!("the text is not there: {}", last_fault());
}

fn launches_with_pinned_memory_are_ordered_by_the_host(gpu: &Gpu) {
    let (stream, pinned) = (gpu.stream(), gpu.pinned(64));
    for round in 0..20 {
        gpu.fill(pinned as u64, round, 64, stream);
        unsafe {
            ok(cuStreamSynchronize(stream));
            assert_eq!(pinned.add(63).read_volatile(), round);
            pinned.write_volatile(0);
        }
    }
}

fn threads_with_streams_of_their_own_do_not_disturb_each_other(gpu: &Gpu) {
    let context = gpu.context as usize;
    let work = |thread: u32| unsafe {
        ok(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(
            context,
        )));
        let gpu = std::mem::ManuallyDrop::new(Gpu {
            context: std::ptr::with_exposed_provenance_mut(context),
        });
        let (stream, memory, pinned) = (gpu.stream(), gpu.alloc(8192), gpu.pinned(2048));
        for round in 0..100 {
            let value = thread * 1000 + round;
            (0..2048).for_each(|index| pinned.add(index).write_volatile(value));
            ok(cuMemcpyHtoDAsync_v2(memory, pinned.cast(), 8192, stream));
            assert_eq!(pinned.read_volatile(), value);
            ok(cuMemsetD32Async(memory, value + 1, 1024, stream));
            ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 8192, stream));
            ok(cuStreamSynchronize(stream));
            assert_eq!(pinned.read_volatile(), value + 1);
            assert_eq!(pinned.add(2047).read_volatile(), value);
        }
        ok(cuMemFreeHost(pinned.cast()));
    };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || work(thread));
        }
    });
    ok(gpu.synchronize());
}
