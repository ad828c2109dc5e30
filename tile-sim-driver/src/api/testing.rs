//! Functions that a real driver does not have, for tests of programs.

use std::ffi::{c_char, c_int, c_uint};

use crate::abi::{In, Out};
use crate::result::CUresult;
use crate::{inject, memory, queue, state};

exports! {
    /// It is none: it makes the `nth` call of the function `name` from now return `result`, without any effect.
    fn tileSimFailNext(name: In<c_char>, result: CUresult, nth: c_uint) {
        inject::fail(name.text()?, result, nth, inject::Context::Works);
        Ok(())
    }

    /// It is none: it is `tileSimFailNext`, and breaks the current context: every later call returns `result` too.
    /// If the thread that makes the call has no context, all contexts are broken.
    fn tileSimBreakNext(name: In<c_char>, result: CUresult, nth: c_uint) {
        inject::fail(name.text()?, result, nth, inject::Context::Breaks);
        Ok(())
    }

    /// It is none: it forgets the failures that were asked for and have not happened, and writes their number.
    fn tileSimForgetFailures(count: Out<usize>) {
        count.set(inject::forget())
    }

    /// It is none: it begins a list of the calls of all threads.
    fn tileSimBeginCalls() {
        inject::begin_list();
        Ok(())
    }

    /// It is none: it ends the list of calls, and writes their names, each with a line break: at most `length` bytes
    /// with a NUL.
    fn tileSimEndCalls(text: Out<c_char>, length: c_int) {
        let calls = inject::end_list();
        let lines: String = calls.iter().flat_map(|call| [call, "\n"]).collect();
        super::device::write_text(text, length, &lines)
    }

    /// It is none: it sets why the clocks of a device are reduced, as bits of
    /// `nvmlDeviceGetCurrentClocksThrottleReasons`; 0 for none.
    fn tileSimSetThrottle(device: c_int, reasons: u64) {
        let mut state = state::initialized()?;
        let device = state.device(device)?;
        state.devices[device].throttled = reasons;
        Ok(())
    }

    /// It is none: it writes the number of objects of a kind that were not destroyed: `context`, `stream`, `event`,
    /// `module`, `memory`, `pool`, `graph`, `exec`, `capture`, `retained` (the number of times that primary contexts
    /// are retained) or `operation`. Primary contexts, default streams, default pools and variables of modules do not
    /// count.
    fn tileSimLiveObjects(kind: In<c_char>, count: Out<usize>) {
        let state = state::lock();
        let number = match kind.text()?.as_str() {
            "context" => state.contexts.iter().filter(|(_, context)| !context.is_primary).count(),
            "stream" => {
                let own = |kind| matches!(kind, queue::Kind::Blocking | queue::Kind::NonBlocking);
                state.streams.iter().filter(|(_, stream)| own(stream.kind)).count()
            }
            "event" => state.events.len(),
            "module" => state.modules.len(),
            "memory" => {
                let own = |kind| kind != memory::Kind::Variable;
                state.memory.all().filter(|allocation| own(allocation.kind)).count()
            }
            "pool" => state.pools.iter().filter(|(_, pool)| !pool.is_default).count(),
            "graph" => state.graphs.len(),
            "exec" => state.execs.len(),
            "capture" => state.captures.len(),
            "retained" => state.devices.iter().map(|device| device.retained as usize).sum(),
            "operation" => state.pending,
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        };
        count.set(number)
    }

    /// It is none: it writes the text of the last fault or race, at most `length` bytes with a NUL. It is empty if
    /// there was none.
    fn tileSimLastFault(text: Out<c_char>, length: c_int) {
        let fault = state::lock().last_fault.clone();
        super::device::write_text(text, length, &fault)
    }
}
