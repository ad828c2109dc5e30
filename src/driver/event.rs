//! Events: points in the work of a stream.
//!
//! The events after uses of memory have no time, and there are many of them, so a context keeps those that nothing
//! needs any more, and records them again. What waited for an event still waits for its earlier point.

use std::ffi::c_uint;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::sys;

use super::{Context, RawStream, check};
use crate::Result;

/// The number of events that a context keeps at the most. A program has about as many at once as it has tensors that
/// several streams use.
const MOST_KEPT: usize = 256;

/// The events without time that nothing needs.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<SpareEvent>>);

struct SpareEvent(sys::CUevent);

// SAFETY: a CUevent may be used from any thread; the driver locks it.
unsafe impl Send for SpareEvent {}

impl Spare {
    fn lock(&self) -> MutexGuard<'_, Vec<SpareEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The choice whether an event measures times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    On,
    Off,
}

/// A CUDA event.
pub(crate) struct RawEvent {
    raw: sys::CUevent,
    context: &'static Context,
    fate: Fate,
}

/// What becomes of an event that nothing needs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Destroyed,
    /// Its context keeps it.
    Kept,
}

// SAFETY: a CUevent may be used from any thread; the driver locks it.
unsafe impl Send for RawEvent {}
// SAFETY: as above.
unsafe impl Sync for RawEvent {}

impl RawEvent {
    pub(crate) fn new(context: &'static Context, timing: Timing) -> Result<RawEvent> {
        let _current = context.enter()?;
        Self::create(context, timing)
    }

    /// Creates an event of the current context.
    fn create(context: &'static Context, timing: Timing) -> Result<RawEvent> {
        let flags = match timing {
            Timing::On => sys::CU_EVENT_DEFAULT,
            Timing::Off => sys::CU_EVENT_DISABLE_TIMING,
        };
        let mut raw = ptr::null_mut();
        // SAFETY: a context is current; writes one event handle.
        check("cuEventCreate", unsafe {
            sys::cuEventCreate(&raw mut raw, flags)
        })?;
        Ok(RawEvent {
            raw,
            context,
            fate: Fate::Destroyed,
        })
    }

    /// Returns an event without time at the end of the work of a stream.
    pub(super) fn recorded(stream: &RawStream) -> Result<RawEvent> {
        let context = stream.context();
        // An event of a stream that is captured belongs to the capture, so it is not used again.
        if !stream.is_ours() {
            return Self::recorded_once(stream);
        }
        let spare = context.spare_events.lock().pop();
        let mut event = match spare {
            Some(SpareEvent(raw)) => RawEvent {
                raw,
                context,
                fate: Fate::Destroyed,
            },
            None => Self::new(context, Timing::Off)?,
        };
        event.submit(stream)?;
        event.fate = Fate::Kept;
        Ok(event)
    }

    /// Returns an event without time at the end of the work of a stream, which is not used again.
    pub(super) fn recorded_once(stream: &RawStream) -> Result<RawEvent> {
        let event = Self::new(stream.context(), Timing::Off)?;
        event.submit(stream)?;
        Ok(event)
    }

    /// Moves the event to the end of the work of a stream.
    fn submit(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: both handles are live and of one context.
        check("cuEventRecord", unsafe {
            sys::cuEventRecord(self.raw, stream.raw())
        })
    }

    /// Moves the event to the end of the work of a stream of its device.
    pub(crate) fn record(&self, stream: &RawStream) -> Result<()> {
        let _current = self.context.enter()?;
        self.submit(stream)
    }

    /// Makes recording the event part of the graph that a stream captures, so that every launch of the
    /// graph records it.
    pub(super) fn record_in_graph(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: both handles are live and of one context, which is current.
        check("cuEventRecordWithFlags", unsafe {
            sys::cuEventRecordWithFlags(self.raw, stream.raw(), sys::CU_EVENT_RECORD_EXTERNAL)
        })
    }

    /// Makes the later work of a stream wait for the event. The stream's context must be current.
    pub(super) fn make_wait(&self, stream: &RawStream) -> Result<()> {
        self.make_wait_with(stream, 0)
    }

    /// Makes waiting for the event part of the graph that a stream captures.
    pub(super) fn make_graph_wait(&self, stream: &RawStream) -> Result<()> {
        self.make_wait_with(stream, sys::CU_EVENT_WAIT_EXTERNAL)
    }

    fn make_wait_with(&self, stream: &RawStream, flags: c_uint) -> Result<()> {
        // SAFETY: both handles are live; the event was recorded.
        check("cuStreamWaitEvent", unsafe {
            sys::cuStreamWaitEvent(stream.raw(), self.raw, flags)
        })
    }

    /// Returns `true` if the work before the event has finished.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        let _current = self.context.enter()?;
        // SAFETY: `raw` is a live event that was recorded.
        match unsafe { sys::cuEventQuery(self.raw) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            result => check("cuEventQuery", result).map(|()| true),
        }
    }

    /// Waits until the work before the event has finished.
    pub(crate) fn synchronize(&self) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: `raw` is a live event.
        check("cuEventSynchronize", unsafe {
            sys::cuEventSynchronize(self.raw)
        })
    }

    /// Returns the seconds from this event to `end`, 0 if it was recorded first. Both must measure times, and have
    /// completed.
    pub(crate) fn seconds_until(&self, end: &RawEvent) -> Result<f64> {
        let _current = self.context.enter()?;
        let mut milliseconds = 0.0f32;
        // SAFETY: writes one float; both events are live.
        check("cuEventElapsedTime", unsafe {
            sys::cuEventElapsedTime(&raw mut milliseconds, self.raw, end.raw)
        })?;
        // The time is negative if `end` was recorded first.
        Ok((f64::from(milliseconds) / 1e3).max(0.0))
    }
}

impl Drop for RawEvent {
    fn drop(&mut self) {
        if self.fate == Fate::Kept {
            let mut spare = self.context.spare_events.lock();
            if spare.len() < MOST_KEPT {
                spare.push(SpareEvent(self.raw));
                return;
            }
        }
        // SAFETY: the event was created here and nothing else holds it; streams that wait for it
        // still do.
        let _ = unsafe { sys::cuEventDestroy_v2(self.raw) };
    }
}
