//! Streams, and the order of the uses of one allocation.
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

use std::ffi::c_int;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::sys;

use super::{Access, CURRENT, Context, RawEvent, check, is_of_context};
use crate::Result;

/// A CUDA stream.
pub(crate) struct RawStream {
    /// A number that no other stream of the program has.
    id: u64,
    raw: sys::CUstream,
    context: &'static Context,
    owner: Owner,
}

fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The owner of a stream, which destroys it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// This crate.
    Us,
    /// Another library, which may destroy it as soon as the launch has returned.
    Foreign,
    /// This crate, to capture a graph. No work runs on it.
    Capture,
}

// SAFETY: a CUstream may be used from any thread; the driver locks it.
unsafe impl Send for RawStream {}
// SAFETY: as above.
unsafe impl Sync for RawStream {}

impl RawStream {
    /// Creates a stream with the lowest priority.
    pub(crate) fn new(context: &'static Context) -> Result<RawStream> {
        let stream = Self::create(context, None, Owner::Us)?;
        context.count_stream();
        Ok(stream)
    }

    /// Creates a stream with this priority; a lower number is a higher priority. Numbers outside of
    /// the range of the device stand for the nearest one inside.
    pub(crate) fn with_priority(context: &'static Context, priority: i32) -> Result<RawStream> {
        let stream = Self::create(context, Some(priority), Owner::Us)?;
        context.count_stream();
        Ok(stream)
    }

    /// Creates a stream to capture a graph on.
    pub(super) fn for_capture(context: &'static Context) -> Result<RawStream> {
        Self::create(context, None, Owner::Capture)
    }

    fn create(
        context: &'static Context,
        priority: Option<c_int>,
        owner: Owner,
    ) -> Result<RawStream> {
        let _current = context.enter()?;
        let mut raw = ptr::null_mut();
        let flags = sys::CU_STREAM_NON_BLOCKING;
        match priority {
            // SAFETY: a context is current; writes one stream handle.
            None => check("cuStreamCreate", unsafe {
                sys::cuStreamCreate(&raw mut raw, flags)
            })?,
            // SAFETY: as above. The driver clamps the priority.
            Some(priority) => check("cuStreamCreateWithPriority", unsafe {
                sys::cuStreamCreateWithPriority(&raw mut raw, flags, priority)
            })?,
        }
        Ok(RawStream {
            id: new_id(),
            raw,
            context,
            owner,
        })
    }

    /// Wraps a stream of this context that another library created and destroys; null is the default
    /// stream of the driver.
    ///
    /// # Safety
    /// `raw` must be null or a stream that lives as long as the returned value.
    pub(crate) unsafe fn foreign(
        context: &'static Context,
        raw: sys::CUstream,
    ) -> Result<RawStream> {
        let _current = context.enter()?;
        let mut found = ptr::null_mut();
        // SAFETY: `raw` is a stream or null, which stands for a stream of the current context; writes one
        // context handle.
        check("cuStreamGetCtx", unsafe {
            sys::cuStreamGetCtx(raw, &raw mut found)
        })?;
        if found != context.raw {
            return Err(crate::Error::ForeignContext { what: "the stream" });
        }
        Self::adopted(context, raw)
    }

    fn adopted(context: &'static Context, raw: sys::CUstream) -> Result<RawStream> {
        context.count_stream();
        context.default_stream()?;
        Ok(RawStream {
            id: new_id(),
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

    /// Makes the later work of this stream wait for an event.
    pub(crate) fn wait(&self, event: &RawEvent) -> Result<()> {
        let _current = self.context.enter()?;
        event.make_wait(self)
    }

    /// Returns a new event without time at the end of the work of this stream.
    pub(crate) fn end(&self) -> Result<RawEvent> {
        let _current = self.context.enter()?;
        RawEvent::recorded(self)
    }

    /// Returns `true` if the event after a use is recorded at once.
    fn marks(&self, mark: Mark) -> bool {
        mark == Mark::Now || self.owner != Owner::Us || self.context.has_several_streams()
    }

    /// Returns a use that represents the work just submitted to this stream.
    fn mark(self: &Arc<RawStream>, mark: Mark) -> Result<Use> {
        let now = self.marks(mark);
        Ok(Use {
            stream: Arc::clone(self),
            event: now
                .then(|| RawEvent::recorded(self).map(Arc::new))
                .transpose()?,
            waited: None,
        })
    }
}

/// Returns the priorities of streams of a device, from the highest to the lowest.
pub(crate) fn priorities(context: &'static Context) -> Result<RangeInclusive<i32>> {
    let _current = context.enter()?;
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: a context is current; writes two ints.
    check("cuCtxGetStreamPriorityRange", unsafe {
        sys::cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest)
    })?;
    Ok(greatest..=least)
}

impl Drop for RawStream {
    fn drop(&mut self) {
        match self.owner {
            // Every use on it holds the stream, so none is left.
            Owner::Us => self.context.discount_stream(),
            Owner::Foreign => {
                self.context.discount_stream();
                return;
            }
            Owner::Capture => {}
        }
        // SAFETY: the stream was created here and nothing else holds it. Its work continues, and
        // the driver frees the stream afterwards. A failure means that the driver is being torn
        // down.
        let _ = unsafe { sys::cuStreamDestroy_v2(self.raw) };
    }
}

/// One use of an allocation.
#[derive(Clone)]
struct Use {
    stream: Arc<RawStream>,
    /// The point after the use; `None` means the end of the stream's work.
    event: Option<Arc<RawEvent>>,
    /// The number of the stream that waited for the event last.
    waited: Option<u64>,
}

impl Use {
    /// Makes `stream` wait for this use.
    fn before(&mut self, stream: &Arc<RawStream>) -> Result<()> {
        if Arc::ptr_eq(&self.stream, stream) || self.waited == Some(stream.id) {
            return Ok(());
        }
        let event = match &mut self.event {
            Some(event) => event,
            late if self.stream.context == stream.context => {
                late.insert(Arc::new(RawEvent::recorded(&self.stream)?))
            }
            late => late.insert(Arc::new(self.stream.end()?)),
        };
        event.make_wait(stream)?;
        self.waited = Some(stream.id);
        Ok(())
    }

    /// Makes the end of the stream's work the point after the use.
    fn forget_event(&mut self) {
        self.event = None;
        self.waited = None;
    }

    /// Waits on the host for this use.
    fn synchronize(&self) -> Result<()> {
        match &self.event {
            Some(event) => event.synchronize(),
            None => self.stream.synchronize(),
        }
    }
}

impl Use {
    /// Returns `true` if this use is known to have finished. Every launch on a stream of another
    /// library makes a new `RawStream`, so only this test can remove its uses.
    fn is_complete(&self) -> bool {
        match &self.event {
            Some(event) if self.stream.owner == Owner::Foreign => {
                event.is_complete().unwrap_or(false)
            }
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
    /// Returns the uses of memory that work on this stream may have written. The point in the stream is that at
    /// which another stream first uses the memory.
    pub(super) fn following(stream: &Arc<RawStream>) -> Uses {
        Uses {
            write: Some(Use {
                stream: Arc::clone(stream),
                event: None,
                waited: None,
            }),
            reads: Vec::new(),
        }
    }

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

    /// Waits on the host for every use that an access of the host must follow.
    pub(crate) fn synchronize(&mut self, access: Access) -> Result<()> {
        if let Some(write) = &self.write {
            write.synchronize()?;
        }
        self.write = None;
        match access {
            Access::Shared => {}
            Access::Exclusive => {
                self.reads.iter().try_for_each(Use::synchronize)?;
                self.reads.clear();
            }
        }
        Ok(())
    }

    /// Returns `true` if all uses are work of one stream.
    fn are_all_on(&self, stream: &Arc<RawStream>) -> bool {
        let mut uses = self.write.iter().chain(&self.reads);
        uses.all(|known| Arc::ptr_eq(&known.stream, stream))
    }

    /// Adds a use by the work that was just submitted to a stream, on which all uses are, without an event.
    fn add_late(&mut self, access: Access, stream: &Arc<RawStream>) {
        let place = match access {
            Access::Exclusive => {
                self.reads.clear();
                &mut self.write
            }
            Access::Shared => match self.reads.as_mut_slice() {
                [read] => {
                    read.forget_event();
                    return;
                }
                _ => {
                    self.reads.clear();
                    self.reads.push(Use {
                        stream: Arc::clone(stream),
                        event: None,
                        waited: None,
                    });
                    return;
                }
            },
        };
        match place {
            Some(write) => write.forget_event(),
            None => {
                *place = Some(Use {
                    stream: Arc::clone(stream),
                    event: None,
                    waited: None,
                });
            }
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

/// When the event after a use is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Now, so that what waits for the use does not wait for later work of the stream.
    Now,
    /// When something waits for the use, as long as there is only one stream.
    IfNeeded,
}

/// Submits work to `stream`, ordered after the earlier uses of some memory. The context must be
/// current.
pub(super) fn in_order(
    uses: &mut [(&mut Uses, Access)],
    stream: &Arc<RawStream>,
    mark: Mark,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    for (uses, access) in uses.iter_mut() {
        uses.wait(*access, stream)?;
    }
    work()?;
    let point = stream.mark(mark)?;
    for (uses, access) in uses.iter_mut() {
        uses.add(*access, point.clone());
    }
    Ok(())
}

/// Memory that work uses.
#[derive(Clone, Copy)]
pub(crate) struct Tracked<'a> {
    /// The address, by which memory is ordered.
    pub(crate) address: u64,
    pub(crate) uses: &'a Mutex<Uses>,
    pub(crate) access: Access,
}

impl<'a> Tracked<'a> {
    fn lock(&self) -> MutexGuard<'a, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Submits work to `stream`, ordered after the earlier uses of its memory, which is named once. `work` is one call of
/// the driver, which has no effect if it fails.
pub(crate) fn submit(
    mut memory: Vec<Tracked<'_>>,
    stream: &Arc<RawStream>,
    mark: Mark,
    mut work: impl FnMut() -> Result<()>,
) -> Result<()> {
    let context = stream.context();
    // All take the locks in one order, so that no two of them deadlock. Two borrows may have the same address.
    memory.sort_by_key(|memory| (memory.address, ptr::from_ref(memory.uses).addr()));
    let mut guards: Vec<_> = memory
        .iter()
        .map(|memory| (memory.lock(), memory.access))
        .collect();
    // On one stream, the work needs no event.
    let is_alone = !stream.marks(mark) && guards.iter().all(|(uses, _)| uses.are_all_on(stream));
    if is_alone && context.is_probably_current() {
        match work() {
            Err(error) if is_of_context(&error) => CURRENT.set(ptr::null_mut()),
            Err(error) => return Err(error),
            Ok(()) => {
                for (uses, access) in &mut guards {
                    uses.add_late(*access, stream);
                }
                return Ok(());
            }
        }
    }
    let _current = context.enter()?;
    let mut uses: Vec<_> = guards
        .iter_mut()
        .map(|(guard, access)| (&mut **guard, *access))
        .collect();
    in_order(&mut uses, stream, mark, work)
}
