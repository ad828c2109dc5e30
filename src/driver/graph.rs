//! Graphs: work that the driver prepares once and launches with one call.
//!
//! The input is work in the order of its submission, with the memory that it uses. [`Capture`] submits it to
//! streams that capture a graph instead of running it. The uses of the memory during the capture are tracked
//! apart from those of work that runs, so the graph has the order that the memory and the streams need, and
//! nothing else: independent work of different streams is parallel in the graph.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::Arc;

use super::sys;

use super::stream::in_order;
use super::{Access, Context, Mark, RawEvent, RawStream, Uses, check};
use crate::Result;

/// The capture of a graph.
pub(crate) struct Capture {
    context: &'static Context,
    /// The streams that joined the capture, by the caller's number.
    streams: BTreeMap<usize, Arc<RawStream>>,
    /// The point at which the capture began.
    start: Option<RawEvent>,
    /// The uses of memory within the graph, by address.
    uses: BTreeMap<u64, Uses>,
}

impl Capture {
    /// Captures what `work` submits. It must not synchronize.
    pub(crate) fn run(
        context: &'static Context,
        work: impl FnOnce(&mut Capture) -> Result<()>,
    ) -> Result<CapturedGraph> {
        let _capturing = context.capturing();
        let origin = RawStream::for_capture(context)?;
        let _current = context.enter()?;
        // SAFETY: the stream is new and of the current context.
        check("cuStreamBeginCapture", unsafe {
            sys::cuStreamBeginCapture_v2(origin.raw(), sys::CU_STREAM_CAPTURE_MODE_RELAXED)
        })?;
        // Its streams live until the capture has ended.
        let mut capture = Capture {
            context,
            streams: BTreeMap::new(),
            start: None,
            uses: BTreeMap::new(),
        };
        let captured = capture.fill(&origin, work);
        let mut graph = ptr::null_mut();
        // SAFETY: the stream captures; writes one graph handle, null if the capture failed.
        let ended = check("cuStreamEndCapture", unsafe {
            sys::cuStreamEndCapture(origin.raw(), &raw mut graph)
        });
        let graph = CapturedGraph {
            raw: graph,
            context,
        };
        captured?;
        ended?;
        Ok(graph)
    }

    fn fill(
        &mut self,
        origin: &RawStream,
        work: impl FnOnce(&mut Capture) -> Result<()>,
    ) -> Result<()> {
        self.start = Some(RawEvent::recorded(origin)?);
        work(self)?;
        // The capture can end only when all streams have joined again.
        for stream in self.streams.values() {
            RawEvent::recorded(stream)?.make_wait(origin)?;
        }
        Ok(())
    }

    /// Returns the stream with this number.
    fn stream(&mut self, number: usize) -> Result<Arc<RawStream>> {
        if let Some(stream) = self.streams.get(&number) {
            return Ok(Arc::clone(stream));
        }
        let stream = Arc::new(RawStream::for_capture(self.context)?);
        if let Some(start) = &self.start {
            start.make_wait(&stream)?;
        }
        self.streams.insert(number, Arc::clone(&stream));
        Ok(stream)
    }

    /// Submits work to the stream with this number, after the earlier uses of its memory, which is named
    /// once, by address.
    pub(crate) fn submit(
        &mut self,
        number: usize,
        memory: &[(u64, Access)],
        work: impl FnOnce(&RawStream) -> Result<()>,
    ) -> Result<()> {
        let stream = self.stream(number)?;
        let mut taken: Vec<(u64, Uses, Access)> = memory
            .iter()
            .map(|&(address, access)| {
                let uses = self.uses.remove(&address).unwrap_or_default();
                (address, uses, access)
            })
            .collect();
        let mut uses: Vec<_> = taken
            .iter_mut()
            .map(|(_, uses, access)| (uses, *access))
            .collect();
        in_order(&mut uses, &stream, Mark::Now, || work(&stream))?;
        self.uses
            .extend(taken.into_iter().map(|(address, uses, _)| (address, uses)));
        Ok(())
    }

    /// Records an event whenever the graph comes to this point of a stream.
    pub(crate) fn record(&mut self, number: usize, event: &RawEvent) -> Result<()> {
        let stream = self.stream(number)?;
        event.record_in_graph(&stream)
    }

    /// Makes a stream of the graph wait for an event that is recorded outside of the graph.
    pub(crate) fn wait(&mut self, number: usize, event: &RawEvent) -> Result<()> {
        let stream = self.stream(number)?;
        event.make_graph_wait(&stream)
    }

    /// Makes a stream of the graph wait for the work so far of another.
    pub(crate) fn join(&mut self, number: usize, other: usize) -> Result<()> {
        let (stream, other) = (self.stream(number)?, self.stream(other)?);
        if Arc::ptr_eq(&stream, &other) {
            return Ok(());
        }
        RawEvent::recorded(&other)?.make_wait(&stream)
    }
}

/// A graph that was captured.
pub(crate) struct CapturedGraph {
    raw: sys::CUgraph,
    context: &'static Context,
}

impl CapturedGraph {
    /// Makes a graph that can be launched.
    pub(crate) fn instantiate(&self) -> Result<RawGraph> {
        let _current = self.context.enter()?;
        let mut raw = ptr::null_mut();
        // SAFETY: writes one handle; the graph is live.
        check("cuGraphInstantiateWithFlags", unsafe {
            sys::cuGraphInstantiateWithFlags(&raw mut raw, self.raw, 0)
        })?;
        Ok(RawGraph {
            raw,
            context: self.context,
        })
    }
}

impl Drop for CapturedGraph {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the graph is live, and nothing else holds it. A failure means that the driver is
            // being torn down.
            let _ = unsafe { sys::cuGraphDestroy(self.raw) };
        }
    }
}

/// A graph that can be launched.
pub(crate) struct RawGraph {
    raw: sys::CUgraphExec,
    context: &'static Context,
}

// SAFETY: the handle may be used from any thread, but only from one at a time, which
// `GraphExec` ensures.
unsafe impl Send for RawGraph {}

impl RawGraph {
    /// Replaces the work by that of a captured graph. Launches before this call are not changed.
    pub(crate) fn update(&mut self, graph: &CapturedGraph) -> Result<()> {
        let current = self.context.enter()?;
        let mut info = sys::CUgraphExecUpdateResultInfo {
            result: 0,
            errorNode: ptr::null_mut(),
            errorFromNode: ptr::null_mut(),
        };
        // SAFETY: both handles are live; writes one structure.
        let result = unsafe { sys::cuGraphExecUpdate_v2(self.raw, graph.raw, &raw mut info) };
        if result == sys::CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE {
            // The driver does not change some properties of nodes in place.
            drop(current);
            *self = graph.instantiate()?;
            return Ok(());
        }
        check("cuGraphExecUpdate", result)
    }

    /// Submits the graph to a stream of the current context. The memory that its work uses must stay
    /// allocated until it has finished.
    pub(crate) fn submit(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: both handles are live and of the current context.
        check("cuGraphLaunch", unsafe {
            sys::cuGraphLaunch(self.raw, stream.raw())
        })
    }
}

impl Drop for RawGraph {
    fn drop(&mut self) {
        // SAFETY: nothing else holds the handle; the driver frees a graph that runs when it has finished.
        // A failure means that the driver is being torn down.
        let _ = unsafe { sys::cuGraphExecDestroy(self.raw) };
    }
}
