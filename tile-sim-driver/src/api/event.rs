//! Events.

use std::ffi::c_uint;
use std::sync::Arc;

use crate::abi::{CUevent, CUstream, Out};
use crate::queue::Start;
use crate::result::CUresult;
use crate::state::{self, Event, Reply};
use crate::work::Work;
use crate::{because, clock, config};

/// The flag of an event that cannot measure times.
const DISABLE_TIMING: c_uint = 2;
/// The flag of an event for other processes, of which there are none.
const INTERPROCESS: c_uint = 4;

fn record(event: CUevent, stream: CUstream, flags: c_uint) -> Reply {
    let mut state = state::initialized()?;
    if flags > 1 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let stream = state.stream(stream)?;
    let context = state.streams.get(stream)?.context;
    let of_event = state.events.get(event)?.context;
    if of_event != context {
        let reason = format!(
            "the event is of context {:#x}, and the stream of context {:#x}",
            of_event.0, context.0
        );
        return Err(because(CUresult::CUDA_ERROR_INVALID_HANDLE, reason));
    }
    if state.capture_record(stream, event, flags)? {
        return Ok(());
    }
    let op = state.submit(
        stream,
        "the record of an event",
        Work::Nothing,
        &[],
        Start::AfterPrevious,
    )?;
    state.set_recorded(event, op)
}

pub(super) fn elapsed(milliseconds: Out<f32>, start: CUevent, end: CUevent) -> Reply {
    let mut state = state::initialized()?;
    let (first, last) = (state.events.get(start)?, state.events.get(end)?);
    state.working(first.context)?;
    let timed = |event: &Event| event.flags & DISABLE_TIMING == 0 && event.captured.is_none();
    let (true, true, Some(from), Some(to)) =
        (timed(first), timed(last), &first.recorded, &last.recorded)
    else {
        let untimed = [first, last]
            .iter()
            .any(|event| event.flags & DISABLE_TIMING != 0);
        let reason = if untimed {
            "an event was created with `CU_EVENT_DISABLE_TIMING`"
        } else {
            "an event was not recorded on a stream"
        };
        return Err(because(
            CUresult::CUDA_ERROR_INVALID_HANDLE,
            reason.to_owned(),
        ));
    };
    let ops = [Arc::clone(from), Arc::clone(to)];
    let (Some(from), Some(to)) = (from.ended(), to.ended()) else {
        return Err(CUresult::CUDA_ERROR_NOT_READY);
    };
    for op in ops {
        state.know(&op);
    }
    if !config::has_host_clock() {
        return milliseconds.set(clock::milliseconds(from.at, to.at));
    }
    let seconds = match to.host.checked_duration_since(from.host) {
        Some(time) => time.as_secs_f32(),
        None => -from.host.duration_since(to.host).as_secs_f32(),
    };
    milliseconds.set(seconds * 1000.0)
}

api! {
    fn cuEventCreate(event: Out<CUevent>, flags: c_uint) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        if flags & !7 != 0 || event.is_null() || flags & INTERPROCESS != 0 && flags & DISABLE_TIMING == 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        if flags & INTERPROCESS != 0 {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        event.set(state.events.add(Event {
            context,
            flags,
            recorded: None,
            captured: None,
        }))
    }

    fn cuEventDestroy_v2[4000](event: CUevent) {
        let mut state = state::initialized()?;
        let context = state.events.get(event)?.context;
        state.working(context)?;
        state.events.remove(event).map(drop)
    }

    fn cuEventRecord @ptsz(event: CUevent, stream: CUstream) {
        record(event, stream, 0)
    }

    fn cuEventRecordWithFlags @ptsz(event: CUevent, stream: CUstream, flags: c_uint) {
        record(event, stream, flags)
    }

    fn cuEventQuery(event: CUevent) {
        let mut state = state::initialized()?;
        let found = state.events.get(event)?;
        state.working(found.context)?;
        let (is_captured, op) = (found.captured.is_some(), found.recorded.clone());
        if is_captured {
            return Err(state.captured_event(event));
        }
        let Some(op) = op else {
            return Ok(());
        };
        if !op.is_done() {
            return Err(CUresult::CUDA_ERROR_NOT_READY);
        }
        state.know(&op);
        Ok(())
    }

    fn cuEventSynchronize(event: CUevent) {
        state::not_in_callback()?;
        let mut state = state::initialized()?;
        let found = state.events.get(event)?;
        let context = found.context;
        state.working(context)?;
        let (is_captured, op) = (found.captured.is_some(), found.recorded.clone());
        if is_captured {
            return Err(state.captured_event(event));
        }
        if let Some(op) = op {
            state = state.wait_for(&op);
        }
        state.working(context).map(drop)
    }

    fn cuEventElapsedTime_v2[12_080](milliseconds: Out<f32>, start: CUevent, end: CUevent) {
        elapsed(milliseconds, start, end)
    }
}
