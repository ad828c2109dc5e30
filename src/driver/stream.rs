//! Streams, events, and the order of the uses of one allocation.
//!
//! A use of memory is a read or a write by work on a stream. [`Uses`] keeps the last write and the
//! reads after it, and makes a stream wait for those uses that a new use must follow:
//!
//! - a read waits for the last write;
//! - a write waits for the last write and for every read after it.
//!
//! Work on one stream is always ordered, so no event is created while a context has only one
//! stream. If an event is needed after all, it is recorded late, on the stream of the earlier use.
//! The event then covers that use and the work submitted after it.

use std::ptr;
use std::sync::Arc;

use super::sys;

use super::{Access, Context, check};
use crate::Result;

/// A CUDA stream.
pub(crate) struct RawStream {
    raw: sys::CUstream,
    context: &'static Context,
    owner: Owner,
}

/// The owner of a stream, which destroys it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// This crate.
    Us,
    /// Another library, which may destroy it as soon as the launch has returned.
    Foreign,
}

// SAFETY: a CUstream may be used from any thread; the driver locks it.
unsafe impl Send for RawStream {}
// SAFETY: as above.
unsafe impl Sync for RawStream {}

impl RawStream {
    pub(crate) fn new(context: &'static Context) -> Result<RawStream> {
        let _current = context.enter()?;
        let mut raw = ptr::null_mut();
        // SAFETY: a context is current; writes one stream handle.
        check("cuStreamCreate", unsafe {
            sys::cuStreamCreate(&raw mut raw, sys::CU_STREAM_NON_BLOCKING)
        })?;
        context.count_stream();
        Ok(RawStream {
            raw,
            context,
            owner: Owner::Us,
        })
    }

    /// Wraps a stream that another library created and destroys.
    ///
    /// # Safety
    /// `raw` must be a stream that lives until one launch has used the returned value.
    #[cfg(feature = "cust")]
    pub(crate) unsafe fn foreign(raw: sys::CUstream) -> Result<RawStream> {
        let mut context = ptr::null_mut();
        // SAFETY: `raw` is a stream; writes one context handle.
        check("cuStreamGetCtx", unsafe {
            sys::cuStreamGetCtx(raw, &raw mut context)
        })?;
        let context = super::context_of(context, "the stream")?;
        context.count_stream();
        context.default_stream()?;
        Ok(RawStream {
            raw,
            context,
            owner: Owner::Foreign,
        })
    }

    pub(crate) fn raw(&self) -> sys::CUstream {
        self.raw
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.context
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: `raw` is a stream of the current context.
        check("cuStreamSynchronize", unsafe {
            sys::cuStreamSynchronize(self.raw)
        })
    }

    fn wait(&self, event: &Event) -> Result<()> {
        // SAFETY: both handles are live; the event was recorded.
        check("cuStreamWaitEvent", unsafe {
            sys::cuStreamWaitEvent(self.raw, event.raw, 0)
        })
    }

    /// Returns a use that represents the work just submitted to this stream.
    fn mark(self: &Arc<RawStream>) -> Result<Use> {
        let eager = self.owner == Owner::Foreign || self.context.has_several_streams();
        Ok(Use {
            stream: Arc::clone(self),
            event: eager
                .then(|| Event::record(self).map(Arc::new))
                .transpose()?,
        })
    }
}

impl Drop for RawStream {
    fn drop(&mut self) {
        if self.owner == Owner::Foreign {
            return;
        }
        // SAFETY: the stream was created here and nothing else holds it. Its work continues, and
        // the driver frees the stream afterwards. A failure means that the driver is being torn
        // down.
        let _ = unsafe { sys::cuStreamDestroy_v2(self.raw) };
    }
}

/// A point in the work of a stream.
struct Event {
    raw: sys::CUevent,
}

// SAFETY: a CUevent may be used from any thread; the driver locks it.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    fn record(stream: &RawStream) -> Result<Event> {
        let mut raw = ptr::null_mut();
        // SAFETY: a context is current (every caller has entered it); writes one
        // event handle.
        check("cuEventCreate", unsafe {
            sys::cuEventCreate(&raw mut raw, sys::CU_EVENT_DISABLE_TIMING)
        })?;
        let event = Event { raw };
        // SAFETY: both handles are live and of one context.
        check("cuEventRecord", unsafe {
            sys::cuEventRecord(event.raw, stream.raw)
        })?;
        Ok(event)
    }

    fn is_complete(&self) -> bool {
        // SAFETY: `raw` is a live event that was recorded.
        unsafe { sys::cuEventQuery(self.raw) == sys::CUresult::CUDA_SUCCESS }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event was created here and nothing else holds it; streams that wait for it
        // still do.
        let _ = unsafe { sys::cuEventDestroy_v2(self.raw) };
    }
}

/// One use of an allocation.
#[derive(Clone)]
struct Use {
    stream: Arc<RawStream>,
    /// The point after the use; `None` means the end of the stream's work.
    event: Option<Arc<Event>>,
}

impl Use {
    /// Makes `stream` wait for this use.
    fn before(&mut self, stream: &Arc<RawStream>) -> Result<()> {
        if Arc::ptr_eq(&self.stream, stream) {
            return Ok(());
        }
        let event = match &mut self.event {
            Some(event) => event,
            late => late.insert(Arc::new(Event::record(&self.stream)?)),
        };
        stream.wait(event)
    }
}

impl Use {
    /// Returns `true` if this use is known to have finished. Every launch on a stream of another
    /// library makes a new `RawStream`, so only this test can remove its uses.
    fn is_complete(&self) -> bool {
        match &self.event {
            Some(event) if self.stream.owner == Owner::Foreign => event.is_complete(),
            _ => false,
        }
    }
}

/// The last write of an allocation, and the reads after it.
#[derive(Default)]
pub(crate) struct Uses {
    write: Option<Use>,
    reads: Vec<Use>,
}

impl Uses {
    /// Makes `stream` wait for every use that an access of this kind must follow. The context must
    /// be current.
    pub(super) fn wait(&mut self, access: Access, stream: &Arc<RawStream>) -> Result<()> {
        if let Some(write) = &mut self.write {
            write.before(stream)?;
        }
        match access {
            Access::Shared => Ok(()),
            Access::Exclusive => self
                .reads
                .iter_mut()
                .try_for_each(|read| read.before(stream)),
        }
    }

    /// Adds a use by the work that was just submitted to a stream.
    fn add(&mut self, access: Access, point: Use) {
        match access {
            Access::Exclusive => {
                self.reads.clear();
                self.write = Some(point);
            }
            Access::Shared => {
                self.reads.retain(|read| {
                    !Arc::ptr_eq(&read.stream, &point.stream) && !read.is_complete()
                });
                self.reads.push(point);
            }
        }
    }

    /// Returns the stream of the last use, on which to free the memory; `None` if this crate does
    /// not own it.
    pub(super) fn last_stream(&self) -> Option<Arc<RawStream>> {
        self.reads
            .last()
            .or(self.write.as_ref())
            .filter(|last| last.stream.owner == Owner::Us)
            .map(|last| Arc::clone(&last.stream))
    }
}

/// Submits work to `stream`, ordered after the earlier uses of some memory. The context must be
/// current.
pub(super) fn in_order(
    uses: &mut [(&mut Uses, Access)],
    stream: &Arc<RawStream>,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    for (uses, access) in uses.iter_mut() {
        uses.wait(*access, stream)?;
    }
    work()?;
    let point = stream.mark()?;
    for (uses, access) in uses.iter_mut() {
        uses.add(*access, point.clone());
    }
    Ok(())
}
