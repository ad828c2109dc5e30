//! Streams: queues of operations, each with a thread that runs them.
//!
//! - An operation begins when those before it on its stream and those that it waits for have ended. What it
//!   waits for is known when it is submitted.
//! - Work on the legacy default stream waits for all blocking streams of the context, and they for it.
//! - Operations of a context that an error broke are skipped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::abi::{CUcontext, CUevent, CUstream};
use crate::capture::Captured;
use crate::clock::Picoseconds;
use crate::race::{self, Agent, Clock, HOST_FREES, Point};
use crate::result::CUresult;
use crate::state::{self, Reply, State};
use crate::work::{self, Work};

/// An operation on a stream.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) point: Arc<Point>,
    pub(crate) context: CUcontext,
    waits: Mutex<Vec<Arc<Op>>>,
    /// The queues with operations that wait for this one.
    followers: Mutex<Vec<Arc<Queue>>>,
    /// Is signalled at the end, with the state locked.
    end: Condvar,
    work: Mutex<Option<Work>>,
    done: AtomicBool,
    /// The operations that it follows on other streams, until it has run.
    follows: Mutex<Vec<Arc<Op>>>,
    /// The time before which it does not begin, as the host knew of it when it submitted the operation.
    not_before: Picoseconds,
    ended: OnceLock<Ended>,
}

/// The end of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// The time on the clock of the devices.
    pub(crate) at: Picoseconds,
    /// The time of the host.
    pub(crate) host: Instant,
}

impl Op {
    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// Returns the signal of its end.
    pub(crate) fn end(&self) -> &Condvar {
        &self.end
    }

    fn lock_followers(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Queue>>> {
        self.followers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns its end, if it has ended.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended.get().copied()
    }

    /// Returns the time at which it begins, after `last` on its stream. What it waits for has ended.
    fn begin(&self, last: Picoseconds) -> Picoseconds {
        let mut follows = self.follows.lock().unwrap_or_else(PoisonError::into_inner);
        let others = std::mem::take(&mut *follows).into_iter();
        let others = others.filter_map(|op| op.ended().map(|ended| ended.at));
        others.fold(last.max(self.not_before), Picoseconds::max)
    }

    /// Returns an operation for one that has ended and that the host knows of: what happened before it, which may be
    /// long, is known with it.
    fn settled(&self) -> Self {
        let point = &self.point;
        Self {
            point: Arc::new(Point {
                agent: point.agent,
                tick: point.tick,
                number: point.number,
                verb: point.verb,
                name: String::new(),
                context: point.context,
                clock: Clock::default(),
                early: None,
            }),
            context: self.context,
            waits: Mutex::default(),
            followers: Mutex::default(),
            end: Condvar::new(),
            work: Mutex::default(),
            done: AtomicBool::new(true),
            follows: Mutex::default(),
            not_before: self.not_before,
            ended: self.ended.clone(),
        }
    }

    fn lock_waits(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Op>>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_ready(&self) -> bool {
        let mut waits = self.lock_waits();
        waits.retain(|op| !op.is_done());
        waits.is_empty()
    }

    fn give(&self, work: Work) {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = Some(work);
    }

    fn take(&self) -> Option<Work> {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        work.take()
    }
}

#[derive(Debug, Default)]
struct Waiting {
    ops: VecDeque<Arc<Op>>,
    /// Is `true` when nothing more will be submitted.
    is_closed: bool,
    has_thread: bool,
}

/// The operations of a stream that have not ended.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    /// Is signalled, with the state locked, when the first operation may have become ready. Of the threads, only
    /// that of the stream waits for it: with many streams, to wake all of them costs more than the work.
    signal: Condvar,
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the thread of the stream when its work is done. The state is locked.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.signal.notify_one();
    }
}

/// The order of a stream with the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Legacy,
    Blocking,
    /// The default stream of a thread, which is blocking.
    OfThread,
    NonBlocking,
}

/// A stream.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) context: CUcontext,
    pub(crate) kind: Kind,
    pub(crate) flags: u32,
    pub(crate) priority: i32,
    pub(crate) id: u64,
    pub(crate) queue: Arc<Queue>,
    pub(crate) last: Option<Arc<Op>>,
    pub(crate) capture: Option<Captured>,
    agent: Agent,
    tick: u64,
}

impl Stream {
    pub(crate) fn agent(&self) -> Agent {
        self.agent
    }
}

/// The last operation of a stream that was destroyed: its work goes on.
#[derive(Debug)]
pub(crate) struct Orphan {
    pub(crate) op: Arc<Op>,
    kind: Kind,
}

/// The order of an operation with the previous one of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    AfterPrevious,
    /// It may begin before the previous launch has ended (programmatic stream serialization).
    Programmatic,
}

/// The operations for which one that is not on its stream yet waits.
#[derive(Debug)]
pub(crate) struct Prepared {
    stream: CUstream,
    waits: Vec<Arc<Op>>,
    clock: Clock,
    early: Option<Clock>,
}

impl Prepared {
    /// Returns what happened before the operation.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }
}

impl State {
    pub(crate) fn next_agent(&mut self) -> Agent {
        self.next_agent += 1;
        self.next_agent
    }

    pub(crate) fn add_stream(
        &mut self,
        context: CUcontext,
        kind: Kind,
        flags: u32,
        priority: i32,
    ) -> CUstream {
        let agent = self.next_agent();
        self.streams.add(Stream {
            context,
            kind,
            flags,
            priority,
            id: agent,
            queue: Arc::default(),
            last: None,
            capture: None,
            agent,
            tick: 0,
        })
    }

    /// Returns the stream that a handle of the API names.
    pub(crate) fn stream(&mut self, handle: CUstream) -> Reply<CUstream> {
        let number = match handle.0 {
            0 if state::is_per_thread() => 2,
            number => number,
        };
        match number {
            0 | 1 => {
                let context = self.current()?;
                Ok(self.contexts.get(context)?.legacy)
            }
            2 => {
                let context = self.current()?;
                let thread = state::thread();
                if let Some(&stream) = self.contexts.get(context)?.of_threads.get(&thread) {
                    return Ok(stream);
                }
                let stream = self.add_stream(context, Kind::OfThread, 0, 0);
                self.contexts
                    .get_mut(context)?
                    .of_threads
                    .insert(thread, stream);
                Ok(stream)
            }
            _ => {
                let context = self.streams.get(handle)?.context;
                self.working(context)?;
                Ok(handle)
            }
        }
    }

    /// Returns the operations that new work on a stream waits for because of the default stream.
    fn implicit(&self, stream: &Stream) -> Vec<Arc<Op>> {
        let last = |stream: &Stream| stream.last.clone();
        match stream.kind {
            Kind::NonBlocking => Vec::new(),
            Kind::Blocking | Kind::OfThread => {
                let context = self.contexts.get(stream.context);
                let legacy = context.and_then(|context| self.streams.get(context.legacy));
                legacy.ok().and_then(last).into_iter().collect()
            }
            Kind::Legacy => {
                let all = self.streams.iter();
                let blocking = all.filter(|(_, other)| {
                    other.context == stream.context
                        && matches!(other.kind, Kind::Blocking | Kind::OfThread)
                });
                let orphans = self.orphans.iter().filter(|orphan| {
                    orphan.op.context == stream.context && orphan.kind != Kind::NonBlocking
                });
                let orphans = orphans.map(|orphan| Arc::clone(&orphan.op));
                blocking
                    .filter_map(|(_, other)| last(other))
                    .chain(orphans)
                    .collect()
            }
        }
    }

    /// Puts an operation on a stream, behind the operations of `waits` too.
    pub(crate) fn submit(
        &mut self,
        handle: CUstream,
        name: &str,
        work: Work,
        waits: &[Arc<Op>],
        start: Start,
    ) -> Reply<Arc<Op>> {
        let prepared = self.prepare(handle, waits, start)?;
        self.put(prepared, name, work, &Clock::default())
    }

    /// Finds what an operation on a stream waits for.
    pub(crate) fn prepare(
        &self,
        handle: CUstream,
        waits: &[Arc<Op>],
        start: Start,
    ) -> Reply<Prepared> {
        let stream = self.streams.get(handle)?;
        let mut all = self.implicit(stream);
        all.extend_from_slice(waits);
        let mut clock = self.host.clone();
        for op in &all {
            clock.follow(&op.point);
        }
        let mut early = None;
        if let Some(last) = &stream.last {
            match start {
                Start::AfterPrevious => clock.follow(&last.point),
                Start::Programmatic => {
                    clock.join(&last.point.clock);
                    early = Some(clock.clone());
                    clock.note(last.point.agent, last.point.tick);
                }
            }
        }
        Ok(Prepared {
            stream: handle,
            waits: all,
            clock,
            early,
        })
    }

    /// Puts an operation on its stream. `within` has the operations that are parts of it.
    pub(crate) fn put(
        &mut self,
        prepared: Prepared,
        name: &str,
        work: Work,
        within: &Clock,
    ) -> Reply<Arc<Op>> {
        let Prepared {
            stream: handle,
            waits,
            mut clock,
            early,
        } = prepared;
        clock.join(within);
        let stream = self.streams.get_mut(handle)?;
        let of_stream = describe(stream, handle);
        stream.tick += 1;
        let op = Arc::new(Op {
            point: Arc::new(Point {
                agent: stream.agent,
                tick: stream.tick,
                number: race::next_number(),
                verb: work.verb(),
                name: format!("{name} on {of_stream}"),
                context: stream.context,
                clock,
                early,
            }),
            context: stream.context,
            waits: Mutex::default(),
            followers: Mutex::default(),
            end: Condvar::new(),
            work: Mutex::new(None),
            done: AtomicBool::new(false),
            follows: Mutex::new(waits.clone()),
            not_before: state::known_time(),
            ended: OnceLock::new(),
        });
        stream.last = Some(Arc::clone(&op));
        let queue = Arc::clone(&stream.queue);
        self.watch(&op.point, &work);
        let waits: Vec<_> = waits.into_iter().filter(|op| !op.is_done()).collect();
        for other in &waits {
            other.lock_followers().push(Arc::clone(&queue));
        }
        *op.lock_waits() = waits;
        let mut waiting = queue.lock();
        op.give(work);
        waiting.ops.push_back(Arc::clone(&op));
        let starts = !std::mem::replace(&mut waiting.has_thread, true);
        drop(waiting);
        self.pending += 1;
        queue.signal.notify_one();
        if starts {
            std::thread::Builder::new()
                .name(format!("cuda-stream-{}", handle.0))
                .stack_size(16 << 20)
                .spawn(move || run(&queue))
                .map_err(|_| CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        }
        Ok(op)
    }

    /// Returns the last operations of all streams of a context.
    pub(crate) fn last_ops(&self, context: CUcontext) -> Vec<Arc<Op>> {
        let streams = self.streams.iter();
        let own = streams.filter(|(_, stream)| stream.context == context);
        let orphans = self.orphans.iter().map(|orphan| &orphan.op);
        let orphans = orphans.filter(|op| op.context == context).cloned();
        own.filter_map(|(_, stream)| stream.last.clone())
            .chain(orphans)
            .collect()
    }

    /// Removes a stream, whose work goes on.
    pub(crate) fn remove_stream(&mut self, handle: CUstream) -> Reply {
        let stream = self.streams.remove(handle)?;
        stream.queue.close();
        if let Some(op) = stream.last
            && !self.host.knows(&op.point)
        {
            let kind = stream.kind;
            self.orphans.push(Orphan { op, kind });
        }
        Ok(())
    }

    /// Records that an operation has recorded an event.
    pub(crate) fn set_recorded(&mut self, handle: CUevent, op: Arc<Op>) -> Reply {
        let event = self.events.get_mut(handle)?;
        event.recorded = Some(op);
        event.captured = None;
        self.records += 1;
        Ok(())
    }

    /// Forgets what happened before operations that the host knows of, which events keep. No operation is pending.
    pub(crate) fn settle_events(&mut self) {
        // So that the cost of a record does not depend on the number of events.
        if self.records * 16 < self.events.len() {
            return;
        }
        self.records = 0;
        let host = &self.host;
        self.events.for_each(|event| {
            if let Some(op) = &mut event.recorded
                && host.knows(&op.point)
                && op.point.clock.len() > 0
            {
                *op = Arc::new(op.settled());
            }
        });
    }

    /// Returns the point of a free by the host.
    pub(crate) fn host_free(&mut self, context: CUcontext, name: String) -> Arc<Point> {
        self.host_frees += 1;
        let tick = self.host_frees;
        let clock = self.host.clone();
        self.host.note(HOST_FREES, tick);
        Arc::new(Point {
            agent: HOST_FREES,
            tick,
            number: race::next_number(),
            verb: Some(race::FREES),
            name,
            context,
            clock,
            early: None,
        })
    }
}

fn describe(stream: &Stream, handle: CUstream) -> String {
    match stream.kind {
        Kind::Legacy => "the legacy default stream".to_owned(),
        Kind::OfThread => format!("the default stream {:#x} of a thread", handle.0),
        Kind::Blocking | Kind::NonBlocking => format!("stream {:#x}", handle.0),
    }
}

/// Runs the operations of a stream, one after the other.
fn run(queue: &Queue) {
    let mut time = 0;
    loop {
        let Some(op) = next(queue) else {
            return;
        };
        time = op.begin(time);
        if let Some(work) = op.take() {
            time = time.saturating_add(work::run(work, &op));
        }
        let mut state = state::lock();
        // Nothing else sets it.
        let _first = op.ended.set(Ended {
            at: time,
            host: Instant::now(),
        });
        op.done.store(true, Ordering::Release);
        state.pending -= 1;
        queue.lock().ops.pop_front();
        op.end.notify_all();
        for follower in std::mem::take(&mut *op.lock_followers()) {
            follower.signal.notify_one();
        }
    }
}

/// Waits for an operation that may begin; `None` at the end of the stream.
fn next(queue: &Queue) -> Option<Arc<Op>> {
    let mut state = state::lock();
    loop {
        {
            let waiting = queue.lock();
            match waiting.ops.front() {
                Some(op) if op.is_ready() => return Some(Arc::clone(op)),
                None if waiting.is_closed => return None,
                _ => {}
            }
        }
        state = state.wait(&queue.signal);
    }
}
