//! Streams, and the order of the uses of one allocation.
//!
//! A use of memory is a read or a write by work on a stream. [`Uses`] keeps the last write and the
//! reads after it, and makes a stream wait for those uses that a new use must follow:
//!
//! - a read waits for the last write;
//! - a write waits for the last write and for every read after it.
//!
//! Work on one stream is always ordered, so no event is recorded while a context has only one
//! stream. If an event is needed after all, it is recorded late, on the stream of the earlier use.
//! The event then covers that use and the work submitted after it.
//!
//! Uses on a stream are numbered. A stream remembers up to which use it waited for another, and up to which use its own
//! work is known to have finished, so what is in order already is not waited for again, of whatever memory it is.

use std::cmp::Reverse;
use std::ffi::c_int;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::sys;

use super::{Access, CURRENT, Context, RawEvent, check, is_of_context};
use crate::{Error, Result};

/// A CUDA stream.
pub(crate) struct RawStream {
    /// A number that no other stream of the program has.
    id: u64,
    raw: sys::CUstream,
    context: &'static Context,
    owner: Owner,
    /// The number of the last use.
    last: AtomicU64,
    /// The number of the last use that is known to have finished.
    finished: AtomicU64,
    /// Other streams that this one waited for, and the number of the use up to which it did. The last one comes last.
    followed: Mutex<Vec<(u64, u64)>>,
}

/// The number of streams that a stream remembers to have waited for.
const MOST_FOLLOWED: usize = 16;

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
        Ok(Self::wrapped(context, raw, owner))
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
            return Err(Error::ForeignContext { what: "the stream" });
        }
        Self::adopted(context, raw)
    }

    fn adopted(context: &'static Context, raw: sys::CUstream) -> Result<RawStream> {
        context.count_stream();
        // It is discounted when it is dropped, whatever comes next.
        let stream = Self::wrapped(context, raw, Owner::Foreign);
        context.default_stream()?;
        Ok(stream)
    }

    fn wrapped(context: &'static Context, raw: sys::CUstream, owner: Owner) -> RawStream {
        RawStream {
            id: new_id(),
            raw,
            context,
            owner,
            last: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            followed: Mutex::default(),
        }
    }

    pub(crate) fn raw(&self) -> sys::CUstream {
        self.raw
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.context
    }

    /// Returns `true` if this crate created the stream for work.
    pub(super) fn is_ours(&self) -> bool {
        self.owner == Owner::Us
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        let last = self.last.load(Ordering::Acquire);
        let _current = self.context.enter()?;
        // SAFETY: `raw` is a stream of the current context.
        check("cuStreamSynchronize", unsafe {
            sys::cuStreamSynchronize(self.raw)
        })?;
        self.finished.fetch_max(last, Ordering::Release);
        Ok(())
    }

    /// Returns the number of a use by the work that was just submitted.
    fn number(&self) -> u64 {
        self.last.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Returns `true` if the later work of this stream follows a use of another one.
    fn follows(&self, other: &RawStream, number: u64) -> bool {
        if ptr::eq(self, other) || other.finished.load(Ordering::Acquire) >= number {
            return true;
        }
        let followed = self.lock_followed();
        followed
            .iter()
            .any(|&(id, last)| id == other.id && last >= number)
    }

    /// Notes that the later work of this stream follows a use of another one.
    fn note_followed(&self, other: &RawStream, number: u64) {
        let mut followed = self.lock_followed();
        let known = followed.iter().position(|&(id, _)| id == other.id);
        let earlier = known.map_or(0, |at| followed.remove(at).1);
        if followed.len() == MOST_FOLLOWED {
            followed.remove(0);
        }
        followed.push((other.id, number.max(earlier)));
    }

    fn lock_followed(&self) -> MutexGuard<'_, Vec<(u64, u64)>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the later work of this stream wait for an event.
    pub(crate) fn wait(&self, event: &RawEvent) -> Result<()> {
        let _current = self.context.enter()?;
        event.make_wait(self)
    }

    /// Returns a new event without time at the end of the work of this stream.
    pub(crate) fn end(&self) -> Result<RawEvent> {
        let _current = self.context.enter()?;
        RawEvent::recorded_once(self)
    }

    /// Returns `true` if the event after a use is recorded at once.
    fn marks(&self, mark: Mark) -> bool {
        mark == Mark::Now || self.owner != Owner::Us || self.context.has_several_streams()
    }

    /// Returns `true` if another library captures the stream: its work is not run, but becomes part of a graph.
    fn is_captured(&self) -> bool {
        if self.owner != Owner::Foreign {
            return false;
        }
        let mut status = 0;
        // SAFETY: `raw` is a stream; writes one number.
        let asked = unsafe { sys::cuStreamIsCapturing(self.raw, &raw mut status) };
        asked == sys::CUresult::CUDA_SUCCESS && status != 0
    }

    /// Returns a use that represents the work just submitted to this stream.
    fn mark(self: &Arc<RawStream>, mark: Mark) -> Result<Use> {
        let mut point = Use::late(self);
        point.is_captured = self.is_captured();
        if self.marks(mark) {
            point.event = Some(Arc::new(RawEvent::recorded(self)?));
        }
        Ok(point)
    }
}

impl RawStream {
    /// Returns a use that represents the work just submitted to this stream, after an event behind it failed with
    /// `error`. The work runs, so its memory must be kept from others. Returns `None` if the work has ended.
    fn mark_without_event(self: &Arc<RawStream>, error: Error) -> Result<Option<Use>> {
        match self.owner {
            // The use lasts until the end of the work of the stream.
            Owner::Us => Ok(Some(Use::late(self))),
            // The stream may be gone when something waits for the use.
            Owner::Foreign => {
                let ended = self.synchronize().or_else(|_| self.context.synchronize());
                ended.map(|()| None).map_err(|_| error)
            }
            // Nothing runs: the capture fails.
            Owner::Capture => Err(error),
        }
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
    /// The number of the use on its stream, or of the last one before the event.
    number: u64,
    /// The point after the use; `None` means the end of the stream's work.
    event: Option<Arc<RawEvent>>,
    /// `true` if another library captured the work. Only work of the same capture can wait for it: of when its graph runs,
    /// that library knows.
    is_captured: bool,
}

impl Use {
    /// Returns a use by the work that was just submitted to a stream, without an event.
    fn late(stream: &Arc<RawStream>) -> Use {
        Use {
            stream: Arc::clone(stream),
            number: stream.number(),
            event: None,
            is_captured: false,
        }
    }

    /// Makes `stream` wait for this use, unless it is known to follow it.
    fn before(&mut self, stream: &Arc<RawStream>) -> Result<()> {
        if stream.follows(&self.stream, self.number) || self.is_captured && !stream.is_captured() {
            return Ok(());
        }
        let event = match &mut self.event {
            Some(event) => event,
            late => {
                // What has a number was submitted before it was given, so the event covers it.
                let number = self.stream.last.load(Ordering::Acquire);
                let event = if self.stream.context == stream.context {
                    RawEvent::recorded(&self.stream)?
                } else {
                    let _current = self.stream.context.enter()?;
                    RawEvent::recorded(&self.stream)?
                };
                self.number = number;
                late.insert(Arc::new(event))
            }
        };
        event.make_wait(stream)?;
        stream.note_followed(&self.stream, self.number);
        Ok(())
    }

    /// Makes the end of the stream's work the point after the use, which that work was just submitted for.
    fn move_to_end(&mut self) {
        self.number = self.stream.number();
        self.event = None;
    }

    /// Waits on the host for this use.
    fn synchronize(&self) -> Result<()> {
        if self.is_captured {
            return Ok(());
        }
        let Some(event) = &self.event else {
            return self.stream.synchronize();
        };
        event.synchronize()?;
        self.stream
            .finished
            .fetch_max(self.number, Ordering::Release);
        Ok(())
    }
}

impl Use {
    /// Returns `true` if this use is known to have finished. Every launch on a stream of another
    /// library makes a new `RawStream`, so only this test can remove its uses.
    fn is_complete(&self) -> bool {
        match &self.event {
            // Asking for an event of a capture would end the capture.
            Some(event) if self.stream.owner == Owner::Foreign && !self.is_captured => {
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
            write: Some(Use::late(stream)),
            reads: Vec::new(),
        }
    }

    /// Makes `stream` wait for every use that an access of this kind must follow. The context must
    /// be current.
    pub(super) fn wait(&mut self, access: Access, stream: &Arc<RawStream>) -> Result<()> {
        wait_for(self.preceding(access).collect(), stream)
    }

    /// Returns the uses that an access of this kind must follow.
    fn preceding(&mut self, access: Access) -> impl Iterator<Item = &mut Use> {
        let reads = match access {
            Access::Shared => &mut [][..],
            Access::Exclusive => &mut self.reads[..],
        };
        self.write.iter_mut().chain(reads)
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

    /// Waits on the host for all uses, before their memory is freed. What the driver cannot wait for alone is waited for
    /// with all work of its device. Fails if that device is lost, and with it the work.
    pub(crate) fn synchronize_at_last(&mut self) -> Result<()> {
        for last in self.write.iter().chain(&self.reads) {
            last.synchronize()
                .or_else(|_| last.stream.context.synchronize())?;
        }
        *self = Uses::default();
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
            Access::Shared => {
                if let [read] = self.reads.as_mut_slice() {
                    read.move_to_end();
                } else {
                    self.reads.clear();
                    self.reads.push(Use::late(stream));
                }
                return;
            }
        };
        match place {
            Some(write) => write.move_to_end(),
            None => *place = Some(Use::late(stream)),
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

/// Makes a stream wait for uses. The context must be current.
fn wait_for(mut uses: Vec<&mut Use>, stream: &Arc<RawStream>) -> Result<()> {
    // What waited for the last use of another stream follows the earlier ones too.
    uses.sort_by_key(|preceding| Reverse(preceding.number));
    uses.into_iter()
        .try_for_each(|preceding| preceding.before(stream))
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
    let preceding = uses.iter_mut();
    let preceding = preceding.flat_map(|(uses, access)| uses.preceding(*access));
    wait_for(preceding.collect(), stream)?;
    work()?;
    let point = match stream.mark(mark) {
        Ok(point) => Some(point),
        Err(error) => stream.mark_without_event(error)?,
    };
    if let Some(point) = point {
        for (uses, access) in uses.iter_mut() {
            uses.add(*access, point.clone());
        }
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
    let mut uses: Vec<_> = guards
        .iter_mut()
        .map(|(guard, access)| (&mut **guard, *access))
        .collect();
    if !is_alone && context.is_probably_current() {
        let mut has_run = false;
        match in_order(&mut uses, stream, mark, || {
            work()?;
            has_run = true;
            Ok(())
        }) {
            // Waiting twice has no effect.
            Err(error) if is_of_context(&error) && !has_run => CURRENT.set(ptr::null_mut()),
            outcome => return outcome,
        }
    }
    let _current = context.enter()?;
    in_order(&mut uses, stream, mark, work)
}
